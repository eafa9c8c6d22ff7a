package dev.outbox.testkit.internal.tables;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waiting for a change that is announced by {@code notifyAll}. */
public final class Monitor {
  private Monitor() {}

  /** Waits until {@code reached}. False when it is not within {@code timeout}. */
  public static boolean await(Object monitor, BooleanSupplier reached, Duration timeout)
      throws InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    synchronized (monitor) {
      while (!reached.getAsBoolean()) {
        long left = (deadline - System.nanoTime() + 999_999) / 1_000_000;
        if (left <= 0) {
          return false;
        }
        monitor.wait(left);
      }
      return true;
    }
  }
}
