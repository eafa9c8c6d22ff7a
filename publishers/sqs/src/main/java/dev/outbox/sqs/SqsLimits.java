package dev.outbox.sqs;

import dev.outbox.message.Envelope;
import dev.outbox.message.MessageLimits;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What SQS can hold: the name of a queue, and the size of a message with its attributes.
 *
 * <p>Immutable.
 */
record SqsLimits(SqsMapping mapping, int maxMessageSize) implements MessageLimits {
  /** What SQS takes since 2025. */
  static final int DEFAULT_SIZE = 1024 * 1024;

  private static final Pattern QUEUE =
      Pattern.compile("[A-Za-z0-9_-]{1,80}|[A-Za-z0-9_-]{1,75}\\.fifo");

  @Override
  public @Nullable String refusal(Envelope envelope) {
    String refusal = ofNames(envelope, mapping.queues().apply(envelope));
    if (refusal != null || envelope.isUnresolved()) {
      return refusal;
    }
    try {
      return ofSize(mapping.content(envelope));
    } catch (IllegalArgumentException e) { // that of a CloudEvent
      return e.getMessage();
    }
  }

  /** What is wrong with the queue or the names of headers, or null. */
  @Nullable String ofNames(Envelope envelope, @Nullable String queue) {
    if (queue == null) {
      return "there is no queue for a message of topic %s; correct the function that queue(..) was given"
          .formatted(envelope.topic());
    }
    if (!isUrl(queue) && !QUEUE.matcher(queue).matches()) {
      return "queue is '%s', SQS takes 1 to 80 letters, digits, hyphens and underscores, and .fifo after them if it is a FIFO queue; rename the topic, or map it with SqsPublisher.builder(client).queue(..)"
          .formatted(queue);
    }
    if (!SqsText.isLegal(envelope.topic()) || !SqsText.isLegal(envelope.payload().contentType())) {
      return "topic '%s' or content type '%s' has a character that SQS does not take"
          .formatted(envelope.topic(), envelope.payload().contentType());
    }
    for (String name : envelope.headers().keySet()) {
      if (SqsMapping.RESERVED.contains(name)) {
        return "header '%s' has the name of one that the publisher sets; rename it".formatted(name);
      }
    }
    return envelope.key() == null || SqsText.isLegal(envelope.key().value())
        ? null
        : "key '%s' has a character that SQS does not take".formatted(envelope.key().value());
  }

  /** That the message is too large, or null. */
  @Nullable String ofSize(SqsMapping.Content content) {
    int size = content.size();
    return size <= maxMessageSize
        ? null
        : "body and attributes have %d bytes, maxMessageSize is %d; make the payload smaller, or put it into a store of your own and send its address"
            .formatted(size, maxMessageSize);
  }

  static boolean isUrl(String queue) {
    return queue.contains("://");
  }
}
