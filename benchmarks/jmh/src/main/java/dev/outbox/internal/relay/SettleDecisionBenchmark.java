package dev.outbox.internal.relay;

import dev.outbox.internal.relay.base.RelaySettings;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.batch.SettleDecision;


import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.spi.lane.Lane;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import dev.outbox.publish.Ack;
import dev.outbox.publish.RetryPolicy;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What the engine decides for each answered message; here because the decision is internal. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SettleDecisionBenchmark {
  private final SettleDecision decision =
      new SettleDecision(
          new RelaySettings.Retries(RetryPolicy.standard(), Map.of()), topic -> false);
  private final StoredEnvelope storedEnvelope =
      StoredEnvelope.ready(
          1,
          new Lane(3),
          new Envelope(
              MessageId.next(),
              "orders.placed",
              new Key("customer-42"),
              Map.of(),
              new Payload("application/octet-stream", new byte[200]),
              null));
  private final Ticker.Moment now = new Ticker.Moment(0, Instant.EPOCH);
  private final Ack delivered = Ack.delivered();
  private final Ack failed = Ack.failed(new IllegalStateException("no room"));

  @Benchmark
  public Object delivered() {
    return decision.decide(storedEnvelope, delivered, now);
  }

  @Benchmark
  public Object failed() {
    return decision.decide(storedEnvelope, failed, now);
  }

  @Benchmark
  public Envelope envelope() {
    return new Envelope(
        storedEnvelope.envelope().id(),
        "orders.placed",
        storedEnvelope.envelope().key(),
        Map.of(),
        storedEnvelope.envelope().payload(),
        null);
  }
}
