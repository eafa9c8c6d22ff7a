package dev.outbox.internal.publish.pace;

import dev.outbox.publish.Flight;

/** A flight that says when its answers count no longer. */
public interface LandingFlight extends Flight {
  /** Runs it when no answer counts any more: at once if that is so already, and on any thread. */
  void whenLanded(Runnable then);
}
