package dev.outbox.rabbitmq;

import java.io.Serial;

/**
 * The broker answered with {@code basic.nack}: a queue is at its length limit and rejects what is
 * published, or failed. Immutable.
 */
public final class NackException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  NackException(Destination destination) {
    super(
        "RabbitMQ nacked a message to %s: a queue is full (overflow reject-publish) or failed; see its length and the broker's log"
            .formatted(destination));
  }
}
