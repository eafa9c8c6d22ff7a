package dev.outbox.store;

import dev.outbox.message.Key;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Which dead letters are meant: those that fit everything that is named; null names nothing.
 *
 * <p>Immutable. {@code olderThan} is the least time since the death, by the database's clock.
 */
public record DeadFilter(
    @Nullable String topic,
    @Nullable Key key,
    @Nullable DeathReason reason,
    @Nullable Duration olderThan) {
  private static final DeadFilter ALL = new DeadFilter(null, null, null, null);

  /**
   * @throws IllegalArgumentException when the age is negative
   */
  public DeadFilter {
    if (olderThan != null && olderThan.isNegative()) {
      throw new IllegalArgumentException("olderThan is " + olderThan + ", the least is zero");
    }
  }

  /** Every dead letter. */
  public static DeadFilter all() {
    return ALL;
  }

  public DeadFilter topic(String topic) {
    return new DeadFilter(topic, key, reason, olderThan);
  }

  public DeadFilter key(String key) {
    return new DeadFilter(topic, new Key(key), reason, olderThan);
  }

  public DeadFilter reason(DeathReason reason) {
    return new DeadFilter(topic, key, reason, olderThan);
  }

  public DeadFilter olderThan(Duration age) {
    return new DeadFilter(topic, key, reason, age);
  }
}
