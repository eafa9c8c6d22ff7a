package dev.outbox.message;

import dev.outbox.internal.text.StorableText;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a broker can hold of a message: its topic, key, headers and payload. An outbox that is built
 * with {@code limits} refuses at enqueue what the publisher would have to reject later.
 *
 * <p>Implementations must be safe for use by many threads.
 *
 * <pre>{@code
 * MessageLimits small =
 *     sent -> sent.payload().bytes().length > 1000 ? "the payload is over 1,000 bytes" : null;
 * MessageLimits limits = small.onlyFor("sms").and(MessageLimits.none());
 * String refusal = limits.refusal(envelope); // null when it fits
 * Outbox outbox = Outbox.builder(store).limits(limits).build();
 * }</pre>
 */
@FunctionalInterface
public interface MessageLimits {
  /**
   * Why the broker cannot hold this message, or null when it can: what is at fault, its value, the
   * limit and the remedy. The payload of a message by reference is not known at enqueue.
   */
  @Nullable String refusal(Envelope envelope);

  /** The limits of both: for an outbox whose messages go to several brokers. */
  default MessageLimits and(MessageLimits other) {
    Objects.requireNonNull(other, "other");
    return envelope -> {
      String refusal = refusal(envelope);
      return refusal == null ? other.refusal(envelope) : refusal;
    };
  }

  /**
   * The same limits, for messages of {@code topic} only.
   *
   * @throws IllegalArgumentException when no message could have the topic
   */
  default MessageLimits onlyFor(String topic) {
    StorableText.checkName("topic", topic, Message.MAX_TOPIC_LENGTH);
    return envelope -> envelope.topic().equals(topic) ? refusal(envelope) : null;
  }

  /** Holds everything. */
  static MessageLimits none() {
    return envelope -> null;
  }
}
