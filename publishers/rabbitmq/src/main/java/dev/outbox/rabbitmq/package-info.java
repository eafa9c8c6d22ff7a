/**
 * A publisher to RabbitMQ. {@link dev.outbox.rabbitmq.RabbitPublisher} is the door; {@code
 * docs/brokers/rabbitmq.md} says how a message is mapped.
 */
@NullMarked
package dev.outbox.rabbitmq;

import org.jspecify.annotations.NullMarked;
