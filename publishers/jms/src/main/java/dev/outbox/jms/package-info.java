/**
 * A publisher by Jakarta Messaging. {@link dev.outbox.jms.JmsPublisher} is the door; {@code
 * docs/brokers/jms.md} says how a message is mapped.
 */
@NullMarked
package dev.outbox.jms;

import org.jspecify.annotations.NullMarked;
