package dev.outbox.internal.relay;

import java.time.Duration;

/**
 * Waits that an interrupt does not cut short: the thread is interrupted again at their end.
 *
 * <p>Stateless.
 */
final class PatientWait {
  private PatientWait() {}

  /** Waits that many nanoseconds at most. True when what it waits for has come. */
  @FunctionalInterface
  interface Wait {
    boolean await(long nanos) throws InterruptedException;
  }

  /** True when what {@code wait} waits for came within {@code patience}. */
  static boolean until(Wait wait, Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return wait.await(Math.max(0, deadline - System.nanoTime()));
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
