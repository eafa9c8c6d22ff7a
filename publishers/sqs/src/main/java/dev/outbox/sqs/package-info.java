/**
 * A publisher to Amazon SQS. {@link dev.outbox.sqs.SqsPublisher} is the door; {@code
 * docs/brokers/sqs.md} says how a message is mapped.
 */
@NullMarked
package dev.outbox.sqs;

import org.jspecify.annotations.NullMarked;
