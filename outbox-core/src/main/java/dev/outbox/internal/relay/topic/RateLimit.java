package dev.outbox.internal.relay.topic;

import dev.outbox.internal.relay.base.Ticker;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How fast a topic may go: that many a second, saved up for at most half a second. Once used up it
 * waits for a quarter of a second, so that what is let through comes in handfuls.
 *
 * <p>Used under the lock of its gates.
 */
final class RateLimit {
  private static final Duration REST = Duration.ofMillis(250);

  private double saved;
  private Ticker.@Nullable Moment last;
  private Ticker.@Nullable Moment usedUp;

  /** True when a message may go now at {@code perSecond}. */
  boolean lets(int perSecond, Ticker.Moment now) {
    if (now.isWithin(REST, usedUp)) {
      return false;
    }
    save(perSecond, now);
    if (saved >= 1) {
      usedUp = null;
      return true;
    }
    usedUp = now;
    return false;
  }

  private void save(int perSecond, Ticker.Moment now) {
    double seconds = last == null ? 0.25 : now.since(last).toNanos() / 1e9;
    saved = Math.min(Math.max(1, perSecond / 2.0), saved + Math.max(0, seconds) * perSecond);
    last = now;
  }

  void used() {
    saved--;
  }

  void withdrawn() {
    saved++;
  }
}
