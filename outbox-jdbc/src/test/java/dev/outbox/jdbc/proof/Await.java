package dev.outbox.jdbc.proof;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits for a condition, never longer than told. Stateless. */
public final class Await {
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

  private Await() {}

  /**
   * Looks until {@code condition} holds and returns how long that took. What the condition throws
   * counts as not yet.
   *
   * @throws AssertionError when it does not hold within {@code bound}
   */
  public static Duration until(String what, Duration bound, Callable<Boolean> condition) {
    return since(System.nanoTime(), what, bound, condition);
  }

  /** As {@link #until}, with a time that began at {@code begun}. */
  static Duration since(long begun, String what, Duration bound, Callable<Boolean> condition) {
    Exception last = null;
    while (true) {
      try {
        if (condition.call()) {
          return Duration.ofNanos(System.nanoTime() - begun);
        }
        last = null;
      } catch (Exception notYet) {
        last = notYet;
      }
      if (System.nanoTime() - begun > bound.toNanos()) {
        throw new AssertionError("not within " + bound + ": " + what, last);
      }
      pause(BETWEEN_LOOKS);
    }
  }

  /** Lets {@code time} pass, as the time that a fault lasts. */
  public static void pause(Duration time) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting", e);
    }
  }
}
