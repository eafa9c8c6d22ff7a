package dev.outbox.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;

/**
 * A clock that stands still until a test moves it, forwards or back.
 *
 * <p>Safe for use by many threads.
 *
 * <pre>{@code
 * SettableClock clock = SettableClock.create();
 * clock.advance(Duration.ofMinutes(5));
 * clock.set(Instant.parse("2030-01-01T00:00:00Z"));
 * SettableClock later = SettableClock.at(clock.instant());
 * }</pre>
 */
public final class SettableClock implements InstantSource {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  private Instant now;

  private SettableClock(Instant now) {
    this.now = now;
  }

  /** A clock that is at 2030-01-01T00:00:00Z. */
  public static SettableClock create() {
    return at(START);
  }

  /** A clock that is at {@code instant}. */
  public static SettableClock at(Instant instant) {
    return new SettableClock(Objects.requireNonNull(instant, "instant"));
  }

  @Override
  public synchronized Instant instant() {
    return now;
  }

  /** Moves the clock by {@code step}, back when it is negative. Returns the new time. */
  public synchronized Instant advance(Duration step) {
    now = now.plus(step);
    return now;
  }

  /** Sets the clock to {@code instant}. */
  public synchronized void set(Instant instant) {
    now = Objects.requireNonNull(instant, "instant");
  }

  @Override
  public String toString() {
    return "SettableClock[" + instant() + "]";
  }
}
