package dev.outbox.kafka;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A flight that waits for its answers. Safe for use by many threads. */
final class ManyFlight implements Flight {
  private final List<Envelope> envelopes;
  private final Instant deadline;
  private final Map<Envelope, Ack> answers = new ConcurrentHashMap<>();
  private final CountDownLatch open;

  ManyFlight(List<Envelope> envelopes, Duration time) {
    this.envelopes = List.copyOf(envelopes);
    this.deadline = Instant.now().plus(time);
    this.open = new CountDownLatch(envelopes.size());
  }

  /** The answers, in the order of the envelopes; fewer if they do not come. */
  List<Ack> await() throws InterruptedException {
    if (!open.await(40, TimeUnit.SECONDS)) {
      throw new AssertionError(open.getCount() + " messages have no answer");
    }
    return envelopes.stream().map(answers::get).toList();
  }

  @Override
  public List<Envelope> envelopes() {
    return envelopes;
  }

  @Override
  public Instant deadline() {
    return deadline;
  }

  @Override
  public boolean shouldStop() {
    return Instant.now().isAfter(deadline);
  }

  @Override
  public void ack(Envelope envelope, Ack ack) {
    if (answers.putIfAbsent(envelope, ack) == null) {
      open.countDown();
    }
  }

  @Override
  public Connection transaction() {
    throw new UnsupportedOperationException("no transaction");
  }
}
