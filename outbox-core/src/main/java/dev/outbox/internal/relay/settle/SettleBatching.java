package dev.outbox.internal.relay.settle;

import dev.outbox.internal.relay.base.Durations;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.lane.LaneRun;
import dev.outbox.internal.relay.lane.Lanes;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Lets finished messages wait for others, so that one transaction settles them all.
 *
 * <p>Used by the loop thread only.
 */
/*
 * Under light traffic every message would be its own transaction, and what is committed meanwhile would wait for it.
 * Nothing waits for what is gathered: a lane with news, a lane to be released and a relay with much in its hands settle
 * at once. The price is that a crash repeats what was finished within the last few milliseconds too.
 *
 * Under heavy traffic the flights of a read land one after the other, within a millisecond if the publisher is quick.
 * If the first of them were settled and read again at once, a small transaction would follow the other: 450 messages a
 * turn cost the server half as much again as 1,500. So while more is in flight than has landed, the rest is waited for,
 * for a moment.
 */
final class SettleBatching {
  private static final int MANY = 64;
  private static final long LARGE = 64 * 1024;

  private static final Duration MOMENT = Duration.ofMillis(1);

  private final Duration linger;
  private Ticker.@Nullable Moment since;
  private Duration patience = Duration.ZERO;

  SettleBatching(Duration linger) {
    this.linger = linger;
  }

  /**
   * True when these finished lanes, which are all there are, need not be settled yet, while that
   * many messages are in flight.
   */
  boolean waits(Lanes<LaneRun> finished, long flying, Ticker.Moment now) {
    if (finished.isEmpty() && flying > 0 && now.isWithin(linger, since)) {
      patience = linger; // of what is in flight
      return false;
    }
    patience = finished.isEmpty() ? Duration.ZERO : patience(finished, flying);
    if (patience.isZero()) {
      since = null;
      return false;
    }
    if (since == null) {
      since = now;
    }
    boolean waits = now.isWithin(patience, since);
    since = waits ? since : null;
    return waits;
  }

  /**
   * True when the ends of the flights can be looked for later, as they are settled together. The
   * lanes that are awake have few messages then, and nothing else to do.
   */
  boolean gathers(Lanes<LaneRun> awake, Ticker.Moment now) {
    if (!isLight(awake) || !awake.all(run -> run.isInNoHurry(linger, now))) {
      return false;
    }
    if (since == null) {
      since = now;
      patience = linger;
    }
    return now.isWithin(linger, since);
  }

  private static boolean isLight(Lanes<LaneRun> lanes) {
    return lanes.sum(LaneRun::size) < MANY && lanes.sum(LaneRun::bytes) < LARGE;
  }

  private Duration patience(Lanes<LaneRun> finished, long flying) {
    if (finished.any(LaneRun::isUrgent)) {
      return Duration.ZERO;
    }
    if (isLight(finished) && !finished.any(LaneRun::isWaitedFor)) {
      return linger;
    }
    return flying > finished.sum(LaneRun::size) ? Durations.shorter(MOMENT, linger) : Duration.ZERO;
  }

  /** True while finished lanes, or those in flight, are gathered. */
  boolean isWaiting() {
    return since != null;
  }

  /** The time until what is gathered is to be settled, or {@code rest} if that is shorter. */
  Duration atMost(Duration rest, Ticker.Moment now) {
    if (since == null) {
      return rest;
    }
    Duration left = patience.minus(now.since(since));
    return Durations.shorter(rest, left.isNegative() ? Duration.ZERO : left);
  }
}
