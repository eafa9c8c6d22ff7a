package dev.outbox.internal.relay;

import dev.outbox.Claiming;
import dev.outbox.DeadLetter.Reason;
import dev.outbox.internal.relay.base.GuardedListener;
import dev.outbox.internal.relay.base.PublishThreads;
import dev.outbox.internal.relay.base.RelaySettings;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.batch.DeliveryRules;
import dev.outbox.internal.relay.batch.SettleDecision;
import dev.outbox.internal.relay.read.WakeupQueue;
import dev.outbox.internal.relay.topic.TopicGates;
import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import dev.outbox.publish.RelayListener;
import dev.outbox.publish.RetryPolicy;
import dev.outbox.spi.lane.HeldKey;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.RetryState;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Values that the tests of the engine share. */
public final class Samples {
  public static final Lane LANE = new Lane(3);
  public static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
  public static final Duration REST = Duration.ofSeconds(7);
  static final Duration GRACE = Duration.ofSeconds(2);
  public static final String TOPIC = "orders";

  private Samples() {}

  /** A relay that retries after {@link #REST}, twice. */
  public static RelaySettings settings(RelayListener listener) {
    return settings((attempts, failing) -> Optional.of(REST).filter(r -> attempts < 3), listener);
  }

  public static RelaySettings settings(RetryPolicy policy, RelayListener listener) {
    return settings(policy, Duration.ZERO, listener);
  }

  /** A relay that lets a few finished messages wait for others. */
  public static RelaySettings lingering(Duration linger, RelayListener listener) {
    return settings((attempts, failing) -> Optional.of(REST), linger, listener);
  }

  private static RelaySettings settings(
      RetryPolicy policy, Duration linger, RelayListener listener) {
    return new RelaySettings(
        "test",
        new RelaySettings.Leasing(Duration.ofSeconds(15), Duration.ofSeconds(5)),
        new RelaySettings.Volume(100, 1000, 1 << 20, 2),
        new RelaySettings.Deadlines(
            Duration.ofSeconds(30), Duration.ofSeconds(20), Duration.ofSeconds(1), linger),
        new RelaySettings.Retries(policy, Map.of()),
        GRACE,
        new GuardedListener("test", List.of(listener)));
  }

  public static SettleDecision decision() {
    return new SettleDecision(settings(RelayListener.SILENT).retries(), topic -> false);
  }

  /** Rules with {@link #decision}, and a publisher that takes silence for a failure. */
  public static DeliveryRules rules(TopicGates gates) {
    return new DeliveryRules(
        decision(), gates, flight -> {}, Claiming.LANES, Duration.ofSeconds(30));
  }

  /** A relay without threads: flights are published by whoever hands them out. */
  static Surroundings surroundings(Ticker ticker) {
    return surroundings(ticker, Runnable::run);
  }

  static Surroundings surroundings(Ticker ticker, PublishThreads threads) {
    return new Surroundings(
        threads, ticker, () -> {}, new WakeupQueue(() -> {}, ticker), new RelayState());
  }

  public static Ticker.Moment at(Duration afterStart) {
    Instant wall = START.plus(afterStart);
    return new Ticker.Moment(Duration.between(Instant.EPOCH, wall).toNanos(), wall);
  }

  public static Ticker.Moment atSecond(long second) {
    return at(Duration.ofSeconds(second));
  }

  public static Envelope envelope(@Nullable String key) {
    return envelope(TOPIC, key);
  }

  public static Envelope envelope(String topic, @Nullable String key) {
    return envelope(topic, key, new byte[0]);
  }

  static Envelope envelope(String topic, @Nullable String key, byte[] payload) {
    return new Envelope(
        MessageId.next(),
        topic,
        key == null ? null : new Key(key),
        Map.of(),
        new Payload("text/plain", payload),
        null);
  }

  public static StoredEnvelope ready(long id, @Nullable String key) {
    return StoredEnvelope.ready(id, LANE, envelope(key));
  }

  /** A message without a key. */
  static StoredEnvelope of(long id, byte[] payload) {
    return StoredEnvelope.ready(id, LANE, envelope(TOPIC, null, payload));
  }

  public static StoredEnvelope parked(long id, String key, int attempts) {
    return new StoredEnvelope(
        id, LANE, envelope(key), new RetryState(attempts, Duration.ZERO, ""), null);
  }

  public static StoredEnvelope defective(long id, @Nullable String key) {
    return new StoredEnvelope(
        id, LANE, envelope(key), null, new StoredEnvelope.Defect(Reason.EXPIRED, "too late"));
  }

  public static HeldKey held(String key) {
    return new HeldKey(LANE, TOPIC, new Key(key));
  }
}
