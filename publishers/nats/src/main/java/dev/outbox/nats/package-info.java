/**
 * A publisher to NATS JetStream. {@link dev.outbox.nats.NatsPublisher} is the door; {@code
 * docs/brokers/nats.md} says how a message is mapped.
 */
@NullMarked
package dev.outbox.nats;

import org.jspecify.annotations.NullMarked;
