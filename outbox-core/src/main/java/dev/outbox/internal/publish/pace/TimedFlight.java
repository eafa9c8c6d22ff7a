package dev.outbox.internal.publish.pace;

import dev.outbox.internal.publish.WrappingFlight;
import dev.outbox.publish.Flight;

/**
 * A flight in which no send begins that could outlast it, so that nothing is delivered after it was
 * reported as failed.
 *
 * <p>Safe for use by many threads.
 */
record TimedFlight(Flight flight, long lastCall) implements WrappingFlight {
  @Override
  public boolean shouldStop() {
    return System.nanoTime() - lastCall >= 0 || flight.shouldStop();
  }
}
