package dev.outbox.internal.relay.lane;

import dev.outbox.internal.relay.base.Ticker;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How often in a row the store has refused the end of a batch for good, and how long it is left
 * alone with it.
 *
 * <p>Used by one thread.
 */
final class SettleRetry {
  private static final Duration FIRST_REST = Duration.ofMillis(250);
  private static final int MOST_DOUBLINGS = 7;

  private int count;
  private Ticker.@Nullable Moment last;
  private boolean rests;

  void another(Ticker.Moment now) {
    count++;
    last = now;
    rests = true;
  }

  /** There is no later time: the end of the batch is offered once more. */
  void restNoLonger() {
    rests = false;
  }

  /** The end was written. */
  void over() {
    count = 0;
    last = null;
  }

  /** When it was refused last, or before all times. */
  Instant last() {
    return last == null ? Instant.MIN : last.wall();
  }

  boolean isNone() {
    return last == null;
  }

  /** True while the end of the batch is not to be offered again. */
  boolean isResting(Ticker.Moment now) {
    Duration rest = FIRST_REST.multipliedBy(1L << Math.min(count, MOST_DOUBLINGS));
    return rests && last != null && now.since(last).compareTo(rest) < 0;
  }
}
