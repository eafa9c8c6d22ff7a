package dev.outbox.internal.publish.resolve;

import dev.outbox.internal.publish.WrappingFlight;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * The envelopes of a flight with their payloads loaded; an answer to one of them answers the one of
 * the flight that it was made of.
 *
 * <p>Safe for use by many threads. {@code originals} holds what each envelope was made of.
 */
record ResolvedFlight(
    Flight flight, List<Envelope> envelopes, IdentityHashMap<Envelope, Envelope> originals)
    implements WrappingFlight {
  ResolvedFlight {
    envelopes = List.copyOf(envelopes);
  }

  @Override
  public void ack(Envelope envelope, Ack ack) {
    flight.ack(originals.getOrDefault(envelope, envelope), ack);
  }
}
