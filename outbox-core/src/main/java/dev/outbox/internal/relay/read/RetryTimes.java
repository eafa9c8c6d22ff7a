package dev.outbox.internal.relay.read;

import dev.outbox.internal.relay.base.Ticker;
import java.time.Duration;
import java.util.TreeSet;

/**
 * When messages that failed here fall due, since no wake-up says so. It keeps the earliest; the
 * poll finds the others.
 *
 * <p>Used by one thread.
 */
final class RetryTimes {
  private static final int MOST = 100;
  private static final Duration NEVER = Duration.ofDays(3650);

  private final Ticker.Moment start;
  private final TreeSet<Duration> times = new TreeSet<>();

  RetryTimes(Ticker.Moment start) {
    this.start = start;
  }

  /**
   * A message is tried again after {@code rest}. One without a rest is left to the poll: it would
   * be tried in every turn.
   */
  void add(Duration rest, Ticker.Moment now) {
    if (rest.isZero()) {
      return;
    }
    times.add(now.surelySince(start).plus(rest));
    if (times.size() > MOST) {
      times.pollLast();
    }
  }

  /** Those that have come are looked for now. */
  void passed(Ticker.Moment now) {
    times.headSet(now.surelySince(start), true).clear();
  }

  /** The time until the next one; negative when it has come. */
  Duration untilNext(Ticker.Moment now) {
    return times.isEmpty() ? NEVER : times.first().minus(now.surelySince(start));
  }
}
