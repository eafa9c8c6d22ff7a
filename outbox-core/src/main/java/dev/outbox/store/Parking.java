package dev.outbox.store;

import java.time.Duration;

/**
 * What is known of a parked message: its counted attempts, the time since the first of them by the
 * database's clock, and its errors so far, oldest first.
 *
 * <p>Immutable. A follower, which was parked only because its key was held, has no attempts.
 */
public record Parking(int attempts, Duration failing, String history) {
  /** A message that has never failed. */
  public static final Parking NONE = new Parking(0, Duration.ZERO, "");
}
