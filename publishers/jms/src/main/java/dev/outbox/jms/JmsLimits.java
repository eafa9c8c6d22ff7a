package dev.outbox.jms;

import dev.outbox.message.Envelope;
import dev.outbox.message.MessageLimits;
import org.jspecify.annotations.Nullable;

/**
 * What a broker of JMS can hold: names of properties, and the largest payload that was set.
 *
 * <p>Immutable.
 */
record JmsLimits(JmsMapping mapping, int maxMessageSize) implements MessageLimits {
  @Override
  public @Nullable String refusal(Envelope envelope) {
    String refusal = ofSend(envelope);
    return refusal != null || mapping.cloudEvents() == null
        ? refusal
        : mapping.cloudEvents().refusal(envelope);
  }

  /** What is wrong but for a CloudEvent that cannot be, or null. */
  @Nullable String ofSend(Envelope envelope) {
    for (String name : envelope.headers().keySet()) {
      String refusal = PropertyName.refusal(name);
      if (refusal != null) {
        return refusal;
      }
      if (mapping.reserves(PropertyName.of(name))) {
        return "header '%s' has the name of one that the publisher sets; rename it".formatted(name);
      }
    }
    int size = envelope.payload().bytes().length;
    return size <= maxMessageSize
        ? null
        : "payload has %d bytes, maxMessageSize is %d; raise it if the broker takes more, make the payload smaller, or put it into a store of your own and send its address"
            .formatted(size, maxMessageSize);
  }
}
