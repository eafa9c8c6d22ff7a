package dev.outbox.sqs;

import java.util.function.Supplier;

/** The SDK takes an interrupt for a wish to abort the request, and forgets it. Stateless. */
final class Interrupts {
  private Interrupts() {}

  /** Begins a request as if there were no interrupt, which is set again afterwards. */
  static <T> T kept(Supplier<T> begin) {
    boolean interrupted = Thread.interrupted();
    try {
      return begin.get();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
