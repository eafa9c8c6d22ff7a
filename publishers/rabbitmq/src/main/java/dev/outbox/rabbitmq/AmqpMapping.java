package dev.outbox.rabbitmq;

import com.rabbitmq.client.AMQP;
import dev.outbox.message.Envelope;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How a message becomes one of AMQP: the payload as it is, id, topic, content type and the instant
 * of the enqueue in the properties that AMQP has for them, every header under its name, and the key
 * in a header.
 *
 * <p>Immutable.
 */
record AmqpMapping(Function<Envelope, Destination> destinations) {
  static final String KEY = "message-key";

  /** To the queue that has the name of the topic. */
  static final AmqpMapping PLAIN = new AmqpMapping(envelope -> Destination.queue(envelope.topic()));

  private static final int PERSISTENT = 2;

  Destination destination(Envelope envelope) {
    return destinations.apply(envelope);
  }

  static AMQP.BasicProperties properties(Envelope envelope) {
    return new AMQP.BasicProperties.Builder()
        .deliveryMode(PERSISTENT)
        .messageId(envelope.id().toString())
        .type(envelope.topic())
        .contentType(envelope.payload().contentType())
        .timestamp(envelope.id().madeAt().map(Date::from).orElse(null))
        .headers(headers(envelope))
        .build();
  }

  private static @Nullable Map<String, Object> headers(Envelope envelope) {
    Map<String, Object> headers = new HashMap<>(envelope.headers());
    if (envelope.key() != null) {
      headers.put(KEY, envelope.key().value());
    }
    return headers.isEmpty() ? null : headers;
  }
}
