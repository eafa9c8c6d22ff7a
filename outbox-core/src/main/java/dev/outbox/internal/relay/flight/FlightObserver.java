package dev.outbox.internal.relay.flight;

import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.message.Envelope;
import org.jspecify.annotations.Nullable;

/** Watches flights. Any thread may call it. */
public interface FlightObserver {
  /** The present. */
  Ticker.Moment now();

  /** The last answer came and was awaited, or the flight was grounded. */
  void flightIsOver();

  /** An answer was late, or a repeat. */
  void ignoredAnswer();

  /** An answer was for an envelope that is not aboard. */
  default void strangersAnswer(@Nullable Envelope stranger) {
    ignoredAnswer();
  }
}
