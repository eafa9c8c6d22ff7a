package dev.outbox.internal.relay;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lets a few finished messages wait for others, so that one transaction settles them all.
 *
 * <p>Used by the loop thread only.
 */
/*
 * Under light traffic every message would be a transaction of its own, and what is committed meanwhile would wait for it.
 * Nobody waits for what is gathered: a lane with news, a lane to be given back and a relay with much in its hands settle at
 * once. The price is that a crash repeats what was finished within the last few milliseconds too.
 */
final class Gathering {
  private static final int MANY = 64;
  private static final long LARGE = 64 * 1024;

  private final Duration linger;
  private Ticker.@Nullable Moment since;

  Gathering(Duration linger) {
    this.linger = linger;
  }

  /** True when these finished lanes, which are all there are, need not be settled yet. */
  boolean waits(List<LaneRun> finished, Ticker.Moment now) {
    if (linger.isZero() || finished.isEmpty() || isWanted(finished)) {
      since = null;
      return false;
    }
    if (since == null) {
      since = now;
    }
    boolean waits = now.since(since).compareTo(linger) < 0;
    since = waits ? since : null;
    return waits;
  }

  private static boolean isWanted(List<LaneRun> finished) {
    return finished.stream().mapToInt(LaneRun::size).sum() >= MANY
        || finished.stream().mapToLong(LaneRun::bytes).sum() >= LARGE
        || finished.stream().anyMatch(LaneRun::isWaitedFor);
  }

  /** The time until what is gathered is to be settled, or {@code rest} if that is shorter. */
  Duration atMost(Duration rest, Ticker.Moment now) {
    if (since == null) {
      return rest;
    }
    Duration left = linger.minus(now.since(since));
    return LookPace.shorter(rest, left.isNegative() ? Duration.ZERO : left);
  }
}
