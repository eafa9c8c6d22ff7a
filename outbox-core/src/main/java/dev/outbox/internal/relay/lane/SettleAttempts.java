package dev.outbox.internal.relay.lane;

import dev.outbox.internal.relay.base.Ticker;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What became of the attempts to write the end of a batch: how often in a row the store refused it
 * for good, how long it is not offered again, and whether an attempt got no answer.
 *
 * <p>Used by one thread.
 */
final class SettleAttempts {
  private static final Duration FIRST_REST = Duration.ofMillis(250);
  private static final int MOST_DOUBLINGS = 7;

  private int refusals;
  private Ticker.@Nullable Moment lastRefusal;
  private Duration leastRest = Duration.ZERO;
  private boolean rests;
  private boolean unanswered;

  SettleAttempts() {}

  /**
   * The store refused the end of the batch: it is kept, and offered again after a rest, which this
   * returns: the {@code least} at least.
   */
  Duration refused(Ticker.Moment now, Duration least) {
    refusals++;
    lastRefusal = now;
    leastRest = least;
    rests = true;
    return rest();
  }

  /** Another's end was waited for beside this one, which is offered by itself next time. */
  void putOff(Ticker.Moment now) {
    if (lastRefusal == null) {
      lastRefusal = now;
      rests = false;
    }
  }

  /** There is no later time: what the store refused is offered once more. */
  void restNoLonger() {
    rests = false;
  }

  /** The end was offered to the store, which did not answer. */
  void unanswered() {
    unanswered = true;
  }

  /** The end was written. */
  void over() {
    refusals = 0;
    lastRefusal = null;
    unanswered = false;
  }

  /** True when the end may have been written already. */
  boolean isUnanswered() {
    return unanswered;
  }

  /** How often in a row the store refused the end by itself. */
  int refusals() {
    return refusals;
  }

  /**
   * True when the store refused the end, by itself or beside others, and has not taken it since.
   */
  boolean wasRefused() {
    return lastRefusal != null;
  }

  /** When it was refused last by itself, or before all times. */
  Instant lastRefusal() {
    return lastRefusal == null || refusals == 0 ? Instant.MIN : lastRefusal.wall();
  }

  /** True while the end is not to be offered again. */
  boolean isResting(Ticker.Moment now) {
    return rests && now.isWithin(rest(), lastRefusal);
  }

  private Duration rest() {
    Duration doubled = FIRST_REST.multipliedBy(1L << Math.min(refusals, MOST_DOUBLINGS));
    return doubled.compareTo(leastRest) > 0 ? doubled : leastRest;
  }
}
