package dev.outbox.internal.relay.read;

import dev.outbox.internal.relay.base.Durations;
import dev.outbox.internal.relay.base.Ticker;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * How often a relay looks whether there is something: more and more seldom, with jitter, until it
 * finds something that no wake-up has told of.
 *
 * <p>Used by one thread.
 */
/*
 * The jitter keeps relays that were started together from looking together for ever.
 */
public final class PollBackoff {
  private static final Duration SHORTEST = Duration.ofMillis(5);
  private static final int JITTER_PART = 10;

  private final Duration longest;
  private final RandomGenerator random;
  private Duration step = SHORTEST;
  private Duration rest = Duration.ZERO;
  private Ticker.@Nullable Moment last;

  public PollBackoff(Duration longest, RandomGenerator random) {
    this.longest = longest;
    this.random = random;
  }

  public boolean isDue(Ticker.Moment now) {
    return left(now).isZero();
  }

  /** The time until the next look. */
  public Duration left(Ticker.Moment now) {
    if (last == null) {
      return Duration.ZERO;
    }
    Duration left = rest.minus(now.since(last));
    return left.isNegative() ? Duration.ZERO : left;
  }

  /** A look, or a read, was in vain: the next rest is twice as long. */
  public void inVain(Ticker.Moment now) {
    last = now;
    rest = jittered(step);
    step = step.multipliedBy(2).compareTo(longest) < 0 ? step.multipliedBy(2) : longest;
  }

  /** The next look is due in {@code rest}, or earlier. */
  public void noLaterThan(Duration rest) {
    this.rest = Durations.shorter(this.rest, rest);
  }

  /** There was something: the next rest is a short one again. */
  void found(Ticker.Moment now) {
    last = now;
    step = SHORTEST;
    rest = SHORTEST;
  }

  /** The next look is due at once. */
  public void hurry() {
    last = null;
    step = SHORTEST;
  }

  private Duration jittered(Duration rest) {
    long nanos = rest.toNanos();
    return Duration.ofNanos(nanos - random.nextLong(nanos / JITTER_PART + 1));
  }
}
