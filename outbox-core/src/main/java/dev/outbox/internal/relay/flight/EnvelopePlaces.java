package dev.outbox.internal.relay.flight;

import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where each envelope of a flight stands.
 *
 * <p>Safe for use by many threads.
 */
final class EnvelopePlaces {
  private final List<Envelope> envelopes;
  private @Nullable Map<MessageId, Integer> firsts;
  private volatile int next;

  EnvelopePlaces(List<Envelope> envelopes) {
    this.envelopes = envelopes;
  }

  /** The place of the envelope, or -1 for a stranger. Most are answered in their order. */
  @SuppressWarnings("ReferenceEquality") // an equal one is a stranger
  int of(@Nullable Envelope envelope) {
    int guess = next;
    if (guess < envelopes.size() && envelopes.get(guess) == envelope) {
      next = guess + 1;
      return guess;
    }
    return byId(envelope);
  }

  // by id, because the JVM takes longer to make up an identity hash
  private synchronized int byId(@Nullable Envelope envelope) {
    if (firsts == null) {
      firsts = new HashMap<>(2 * envelopes.size());
      for (int place = 0; place < envelopes.size(); place++) {
        firsts.putIfAbsent(envelopes.get(place).id(), place);
      }
    }
    Integer first = envelope == null ? null : firsts.get(envelope.id());
    return first == null ? -1 : from(first, envelope);
  }

  /** A message that is published again may be aboard twice, under one id. */
  @SuppressWarnings("ReferenceEquality") // an equal one is a stranger
  private int from(int first, @Nullable Envelope envelope) {
    for (int place = first; place < envelopes.size(); place++) {
      if (envelopes.get(place) == envelope) {
        return place;
      }
    }
    return -1;
  }
}
