/**
 * A publisher to Apache Kafka. {@link dev.outbox.kafka.KafkaPublisher} is the door; {@code
 * docs/brokers/kafka.md} says how a message becomes a record.
 */
@NullMarked
package dev.outbox.kafka;

import org.jspecify.annotations.NullMarked;
