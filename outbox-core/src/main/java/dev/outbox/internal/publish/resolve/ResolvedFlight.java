package dev.outbox.internal.publish.resolve;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import java.sql.Connection;
import java.time.Instant;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.OptionalLong;

/**
 * The envelopes of a flight with their payloads loaded; an answer to one of them answers the one of
 * the flight that it was made of.
 *
 * <p>Safe for use by many threads.
 */
final class ResolvedFlight implements Flight {
  private final Flight flight;
  private final List<Envelope> envelopes;
  private final IdentityHashMap<Envelope, Envelope> originals;

  /** {@code originals} holds what each envelope was made of. */
  ResolvedFlight(
      Flight flight, List<Envelope> envelopes, IdentityHashMap<Envelope, Envelope> originals) {
    this.flight = flight;
    this.envelopes = List.copyOf(envelopes);
    this.originals = originals;
  }

  @Override
  public List<Envelope> envelopes() {
    return envelopes;
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
  public void ack(Envelope envelope, Ack ack) {
    flight.ack(originals.getOrDefault(envelope, envelope), ack);
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
