package dev.outbox.testkit.history;

import org.jspecify.annotations.Nullable;

/**
 * Under which right a relay acted: a lane, its epoch, and when it asked the store to.
 *
 * <p>Immutable. {@code asked} is by the history's clock, see {@link Note#at}.
 */
public record LeaseRight(int lane, long epoch, long asked) {
  /** True when the other is of the same lane and epoch, whatever was asked under it. */
  boolean isSameAs(@Nullable LeaseRight other) {
    return other != null && lane == other.lane && epoch == other.epoch;
  }

  @Override
  public String toString() {
    return "lane " + lane + " epoch " + epoch;
  }
}
