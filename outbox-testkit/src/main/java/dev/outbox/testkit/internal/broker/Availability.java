package dev.outbox.testkit.internal.broker;

import dev.outbox.testkit.SettableClock;
import java.net.ConnectException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/**
 * Whether an in-memory broker can be reached, by its clock, and how time passes at it.
 *
 * <p>Safe for use by many threads.
 */
public final class Availability {
  private final InstantSource clock;
  private Instant downUntil = Instant.MIN;

  public Availability(InstantSource clock) {
    this.clock = clock;
  }

  public synchronized void down() {
    downUntil = Instant.MAX;
  }

  public synchronized void downFor(Duration time) {
    Instant until = clock.instant().plus(time);
    downUntil = until.isAfter(downUntil) ? until : downUntil;
  }

  public synchronized void up() {
    downUntil = Instant.MIN;
  }

  synchronized boolean isUp() {
    return !clock.instant().isBefore(downUntil);
  }

  public void requireUp() throws ConnectException {
    if (!isUp()) {
      throw new ConnectException("the in-memory broker is down");
    }
  }

  /** Moves a clock that can be moved, and waits by any other. */
  public void pass(Duration time) throws InterruptedException {
    if (clock instanceof SettableClock settable) {
      settable.advance(time);
    } else {
      TimeUnit.NANOSECONDS.sleep(time.toNanos());
    }
  }
}
