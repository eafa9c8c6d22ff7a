package dev.outbox.internal.relay.base;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Bounds how often something expensive is done: there is a least time between two of it, and a
 * longer one when it takes long, so that it never takes more than a part of the time.
 *
 * <p>Used by one thread.
 */
public final class DutyCycle {
  private final Duration least;
  private final int part;
  private Duration between;
  private Ticker.@Nullable Moment last;

  /** It takes at most one {@code part} of the time. */
  public DutyCycle(Duration least, int part) {
    this.least = least;
    this.part = part;
    this.between = least;
  }

  /** True when it is time; then it is begun. */
  public boolean begins(Ticker.Moment now) {
    if (isResting(now)) {
      return false;
    }
    last = now;
    return true;
  }

  /** True until it is time again. */
  public boolean isResting(Ticker.Moment now) {
    return now.isWithin(between, last);
  }

  /** It ended now and took so long. */
  public void ended(Ticker.Moment now, Duration time) {
    last = now;
    took(time);
  }

  /** How long it is until it is time again. */
  public Duration left(Ticker.Moment now) {
    return last == null || !isResting(now) ? Duration.ZERO : between.minus(now.since(last));
  }

  /** How long it took this time. */
  public void took(Duration time) {
    Duration rest = time.multipliedBy(part);
    between = rest.compareTo(least) > 0 ? rest : least;
  }
}
