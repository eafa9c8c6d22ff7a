package dev.outbox.internal.publish.pace;

import dev.outbox.publish.Flight;
import java.time.Instant;

/** A flight that says when its answers count no longer. */
public interface LandingFlight extends Flight {
  /** Runs it when no answer counts any more: at once if that is so already, and on any thread. */
  void whenLanded(Runnable then);

  /** True when no answer counts any more, or will soon: whatever the clock of the wall says. */
  boolean isOver();

  /** As the flight says itself, and else by its deadline. */
  static boolean isOver(Flight flight) {
    return flight instanceof LandingFlight landing
        ? landing.isOver()
        : !Instant.now().isBefore(flight.deadline());
  }
}
