package dev.outbox.examples.chaos;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BiConsumer;

/** Some messages of a flight, and who hears the answers to them. */
record PartialFlight(Flight flight, List<Envelope> envelopes, BiConsumer<Envelope, Ack> answers)
    implements Flight {
  @Override
  public void ack(Envelope envelope, Ack ack) {
    answers.accept(envelope, ack);
  }

  @Override
  public Instant deadline() {
    return flight.deadline();
  }

  @Override
  public boolean shouldStop() {
    return flight.shouldStop();
  }

  @Override
  public OptionalLong fencingToken() {
    return flight.fencingToken();
  }

  @Override
  public Connection transaction() {
    return flight.transaction();
  }
}
