package dev.outbox.kafka;

import dev.outbox.message.Envelope;
import dev.outbox.message.MessageLimits;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * What Kafka can hold: the name of a topic, and the size of a record.
 *
 * <p>Immutable.
 */
record RecordLimits(RecordMapping mapping, int maxRequestSize) implements MessageLimits {
  /** Kafka's own default. */
  static final int DEFAULT_REQUEST = 1024 * 1024;

  private static final int MAX_TOPIC = 249;

  /** What a batch of one record has beside key, value and headers, at most. */
  private static final int OVERHEAD = 82;

  private static final int LENGTH = 5;

  @Override
  public @Nullable String refusal(Envelope envelope) {
    String topic = mapping.topic(envelope);
    String names = ofNames(envelope, topic);
    if (names != null || envelope.isUnresolved()) {
      return names;
    }
    try {
      return ofSize(mapping.record(envelope, topic));
    } catch (IllegalArgumentException e) { // that of a CloudEvent
      return e.getMessage();
    }
  }

  /** What is wrong with the topic or the names of headers, or null. */
  @Nullable String ofNames(Envelope envelope, @Nullable String topic) {
    if (topic == null) {
      return "there is no topic in Kafka for a message of topic %s; correct the function that topic(..) was given"
          .formatted(envelope.topic());
    }
    if (!isTopic(topic)) {
      return "topic is '%s', Kafka takes 1 to %d letters, digits, dots, hyphens and underscores; rename it, or map it with KafkaPublisher.builder(config).topic(..)"
          .formatted(topic, MAX_TOPIC);
    }
    String header = mapping.reserved(envelope);
    return header == null
        ? null
        : "header '%s' has the name of one that the publisher sets; rename it".formatted(header);
  }

  /** Asked of each message, on the thread that all answers come on. */
  private static boolean isTopic(String name) {
    for (int place = 0; place < name.length(); place++) {
      if (!isOfTopic(name.charAt(place))) {
        return false;
      }
    }
    boolean isFolder = name.equals(".") || name.equals("..");
    return !name.isEmpty() && name.length() <= MAX_TOPIC && !isFolder;
  }

  private static boolean isOfTopic(char sign) {
    return (sign >= 'a' && sign <= 'z')
        || (sign >= 'A' && sign <= 'Z')
        || (sign >= '0' && sign <= '9')
        || sign == '.'
        || sign == '_'
        || sign == '-';
  }

  /** That the record is too large, or null. */
  @Nullable String ofSize(ProducerRecord<byte[], byte[]> record) {
    int size = size(record);
    return size <= maxRequestSize
        ? null
        : "record of topic %s has %d bytes, max.request.size is %d; raise it and the topic's max.message.bytes, make the payload smaller, or put it into a store of your own and send its address"
            .formatted(record.topic(), size, maxRequestSize);
  }

  /** As Kafka counts it, before compression; never less. */
  private static int size(ProducerRecord<byte[], byte[]> record) {
    int size = OVERHEAD + length(record.key()) + length(record.value());
    for (Header header : record.headers()) {
      size += LENGTH + header.key().getBytes(StandardCharsets.UTF_8).length;
      size += length(header.value());
    }
    return size;
  }

  private static int length(byte @Nullable [] bytes) {
    return bytes == null ? LENGTH : LENGTH + bytes.length;
  }
}
