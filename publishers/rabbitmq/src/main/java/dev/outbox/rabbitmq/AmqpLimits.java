package dev.outbox.rabbitmq;

import dev.outbox.message.Envelope;
import dev.outbox.message.MessageLimits;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What RabbitMQ can hold: short names, a header frame and the size of a message.
 *
 * <p>Immutable.
 */
record AmqpLimits(AmqpMapping mapping, int frameMax, long maxMessageSize) implements MessageLimits {
  /** What a broker allows by default. */
  static final int DEFAULT_FRAME = 128 * 1024;

  /** The broker's own limit up to version 3; from version 4 on it is 16 MiB by default. */
  static final long DEFAULT_SIZE = 128L * 1024 * 1024;

  private static final int SHORT = 255;

  /** With a text in it the broker closes the channel. */
  private static final Set<String> RESERVED = Set.of(AmqpMapping.KEY, "CC", "BCC");

  /** Frame, class, body size, flags, delivery mode and timestamp. */
  private static final int FIXED = 8 + 4 + 8 + 2 + 1 + 8;

  private static final int UUID_LENGTH = 36;

  static AmqpLimits of(AmqpMapping mapping, int requestedFrameMax, long maxMessageSize) {
    int frameMax = requestedFrameMax == 0 ? DEFAULT_FRAME : requestedFrameMax;
    return new AmqpLimits(mapping, frameMax, maxMessageSize);
  }

  @Override
  public @Nullable String refusal(Envelope envelope) {
    return refusal(envelope, mapping.destination(envelope), maxMessageSize);
  }

  /** As the other, for a destination and a limit that are known. */
  @Nullable String refusal(Envelope envelope, @Nullable Destination destination, long limit) {
    if (destination == null) {
      return "there is no destination for a message of topic %s; correct the function that destination(..) was given"
          .formatted(envelope.topic());
    }
    String refusal = ofNames(envelope, destination);
    if (refusal == null) {
      refusal = ofFrame(envelope);
    }
    return refusal != null || envelope.isUnresolved() ? refusal : ofSize(envelope, limit);
  }

  private static @Nullable String ofNames(Envelope envelope, Destination destination) {
    String refusal = ofShort("routing key", destination.routingKey());
    if (refusal == null) {
      refusal = ofShort("exchange", destination.exchange());
    }
    if (refusal == null) {
      refusal = ofShort("topic", envelope.topic());
    }
    if (refusal == null) {
      refusal = ofShort("content type", envelope.payload().contentType());
    }
    for (String name : envelope.headers().keySet()) {
      if (refusal == null) {
        refusal = ofHeader(name);
      }
    }
    return refusal;
  }

  private static @Nullable String ofHeader(String name) {
    return RESERVED.contains(name)
        ? "header '%s' has a name that RabbitMQ or the publisher uses; rename it".formatted(name)
        : ofShort("name of a header", name);
  }

  private static @Nullable String ofShort(String what, String text) {
    int length = utf8(text);
    return length <= SHORT
        ? null
        : "%s '%s' has %d bytes, RabbitMQ takes %d; shorten it, or map it with RabbitPublisher.builder(factory).destination(..)"
            .formatted(what, text, length, SHORT);
  }

  /** AMQP has all properties and headers in one frame. */
  private @Nullable String ofFrame(Envelope envelope) {
    int size = FIXED + 1 + UUID_LENGTH;
    size += 1 + utf8(envelope.topic()) + 1 + utf8(envelope.payload().contentType()) + 4;
    for (Map.Entry<String, String> header : envelope.headers().entrySet()) {
      size += entry(header.getKey(), header.getValue());
    }
    if (envelope.key() != null) {
      size += entry(AmqpMapping.KEY, envelope.key().value());
    }
    return size <= frameMax
        ? null
        : "properties and headers have %d bytes, frame_max is %d; raise it in the ConnectionFactory and in rabbitmq.conf, or shorten the headers"
            .formatted(size, frameMax);
  }

  private static int entry(String name, String value) {
    return 1 + utf8(name) + 1 + 4 + utf8(value);
  }

  private static @Nullable String ofSize(Envelope envelope, long limit) {
    int size = envelope.payload().bytes().length;
    return size <= limit ? null : RabbitErrors.tooLarge(size, limit);
  }

  /** Without making the bytes. The two halves of a pair take four together. */
  private static int utf8(String text) {
    int bytes = 0;
    for (int place = 0; place < text.length(); place++) {
      char sign = text.charAt(place);
      if (sign < 0x80) {
        bytes += 1;
      } else if (sign < 0x800 || Character.isSurrogate(sign)) {
        bytes += 2;
      } else {
        bytes += 3;
      }
    }
    return bytes;
  }
}
