package dev.outbox.internal.publish;

import dev.outbox.internal.publish.pace.LandingFlight;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;

/** A flight in front of another one, which passes on what it does not change. */
public interface WrappingFlight extends LandingFlight {
  /** The one behind it. */
  Flight flight();

  @Override
  default List<Envelope> envelopes() {
    return flight().envelopes();
  }

  @Override
  default Instant deadline() {
    return flight().deadline();
  }

  @Override
  default boolean shouldStop() {
    return flight().shouldStop();
  }

  @Override
  default void ack(Envelope envelope, Ack ack) {
    flight().ack(envelope, ack);
  }

  @Override
  default void whenLanded(Runnable then) {
    if (flight() instanceof LandingFlight landing) {
      landing.whenLanded(then);
    }
  }

  @Override
  default boolean isOver() {
    return LandingFlight.isOver(flight());
  }

  @Override
  default OptionalLong fencingToken() {
    return flight().fencingToken();
  }

  @Override
  default Connection transaction() {
    return flight().transaction();
  }
}
