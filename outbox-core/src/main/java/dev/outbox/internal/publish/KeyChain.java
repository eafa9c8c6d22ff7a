package dev.outbox.internal.publish;

import dev.outbox.internal.publish.BrokenKeys.TopicAndKey;
import dev.outbox.internal.publish.pace.LandingFlight;
import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The envelopes of one topic and key in a flight, or one without a key. Each is answered in its
 * turn; after one that was not delivered, and once the flight should stop, the rest is answered
 * {@link Ack.NotSent}.
 *
 * <p>Used by one thread at a time.
 */
final class KeyChain {
  private final Flight flight;
  private final List<Envelope> envelopes = new ArrayList<>();
  private int next;

  private KeyChain(Flight flight) {
    this.flight = flight;
  }

  /** The chains of a flight, in the order of their first envelopes. */
  static List<KeyChain> of(Flight flight) {
    List<KeyChain> chains = new ArrayList<>();
    Map<TopicAndKey, KeyChain> byKey = new HashMap<>();
    for (Envelope envelope : flight.envelopes()) {
      Key key = envelope.key();
      KeyChain chain =
          key == null
              ? begun(flight, chains)
              : byKey.computeIfAbsent(
                  new TopicAndKey(envelope.topic(), key), each -> begun(flight, chains));
      chain.envelopes.add(envelope);
    }
    return chains;
  }

  private static KeyChain begun(Flight flight, List<KeyChain> chains) {
    KeyChain chain = new KeyChain(flight);
    chains.add(chain);
    return chain;
  }

  /** The one that all of it is aboard. */
  Flight flight() {
    return flight;
  }

  /** True when one is to be sent now. */
  boolean goesOn() {
    if (next < envelopes.size() && flight.shouldStop()) {
      stopLate();
    }
    return next < envelopes.size();
  }

  /** True when no answer counts any more. */
  boolean isOver() {
    return LandingFlight.isOver(flight);
  }

  /** The flight should stop: the rest is not sent. */
  void stopLate() {
    stop(SequentialSend.TOO_LATE);
  }

  /** The one to be sent now. */
  Envelope head() {
    return envelopes.get(next);
  }

  /** This is the answer for the head; the one behind it moves up. */
  void answer(Ack ack) {
    flight.ack(envelopes.get(next++), ack);
    if (!(ack instanceof Ack.Delivered)) {
      stop(BrokenKeys.BEHIND);
    }
  }

  private void stop(Ack ack) {
    while (next < envelopes.size()) {
      flight.ack(envelopes.get(next++), ack);
    }
  }
}
