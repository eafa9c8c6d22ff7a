package dev.outbox.internal.publish.pace;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;

/**
 * A flight in which no send begins that could outlast it, so that nothing is delivered after it was
 * reported as failed.
 *
 * <p>Safe for use by many threads.
 */
record TimedFlight(Flight flight, long lastCall) implements Flight {
  @Override
  public boolean shouldStop() {
    return System.nanoTime() - lastCall >= 0 || flight.shouldStop();
  }

  @Override
  public List<Envelope> envelopes() {
    return flight.envelopes();
  }

  @Override
  public Instant deadline() {
    return flight.deadline();
  }

  @Override
  public void ack(Envelope envelope, Ack ack) {
    flight.ack(envelope, ack);
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
