package dev.outbox.spi.settle;

import java.time.Duration;

/**
 * What is known of a parked message: its counted attempts, the time since the first of them by the
 * database's clock, and its errors so far, oldest first.
 *
 * <p>Immutable. A follower, which was parked only because its key was held, has no attempts.
 */
public record RetryState(int attempts, Duration failing, String history) {
  /** A message that has never failed. */
  public static final RetryState NONE = new RetryState(0, Duration.ZERO, "");
}
