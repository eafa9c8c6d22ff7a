package dev.outbox.examples.chaos;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Tries again what a database that is down has refused. */
final class Patience {
  private static final Duration LONGEST = Duration.ofSeconds(90);
  private static final long REST_MILLIS = 200;

  private Patience() {}

  /**
   * The answer, once there is one.
   *
   * @throws IllegalStateException when there is none for 90 seconds
   */
  static <T> T until(String what, Callable<T> attempt) throws InterruptedException {
    long deadline = System.nanoTime() + LONGEST.toNanos();
    while (true) {
      try {
        return attempt.call();
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        if (System.nanoTime() - deadline > 0) {
          throw new IllegalStateException("waited " + LONGEST + " until " + what, e);
        }
        Thread.sleep(REST_MILLIS);
      }
    }
  }
}
