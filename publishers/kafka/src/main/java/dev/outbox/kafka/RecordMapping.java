package dev.outbox.kafka;

import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.publish.CloudEvents;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.function.Function;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * How a message becomes a record: the key as UTF-8, the payload as it is, every header as UTF-8,
 * the instant of the enqueue as the record's time, and beside them id and content type, or the
 * attributes of a CloudEvent.
 *
 * <p>Immutable.
 */
record RecordMapping(Function<Envelope, String> topics, @Nullable CloudEvents cloudEvents) {
  static final String ID = "message-id";
  static final String CONTENT_TYPE = "content-type";
  private static final String CLOUD_EVENT = "ce_";

  /** To the message's own topic, as a plain record. */
  static final RecordMapping PLAIN = new RecordMapping(Envelope::topic, null);

  String topic(Envelope envelope) {
    return topics.apply(envelope);
  }

  /** A header of the message that has the name of one of ours, or null. */
  @Nullable String reserved(Envelope envelope) {
    for (String name : envelope.headers().keySet()) {
      boolean marks = cloudEvents == null ? name.equals(ID) : name.startsWith(CLOUD_EVENT);
      if (marks || name.equals(CONTENT_TYPE)) {
        return name;
      }
    }
    return null;
  }

  /**
   * The record of a message, for what {@link #topic} has returned for it.
   *
   * @throws IllegalArgumentException when it should be part of a JSON text and is none
   */
  ProducerRecord<byte[], byte[]> record(Envelope envelope, String topic) {
    Key key = envelope.key();
    byte[] value = cloudEvents == null ? envelope.payload().bytes() : cloudEvents.body(envelope);
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            topic,
            null,
            envelope.id().madeAt().map(Instant::toEpochMilli).orElse(null),
            key == null ? null : utf8(key.value()),
            value);
    Headers headers = record.headers();
    if (cloudEvents == null) {
      headers.add(ID, utf8(envelope.id().toString()));
      headers.add(CONTENT_TYPE, utf8(envelope.payload().contentType()));
    } else {
      headers.add(CONTENT_TYPE, utf8(cloudEvents.contentType(envelope)));
      if (!cloudEvents.isStructured()) {
        cloudEvents
            .attributes(envelope)
            .forEach((name, text) -> headers.add(CLOUD_EVENT + name, utf8(text)));
      }
    }
    envelope.headers().forEach((name, text) -> headers.add(name, utf8(text)));
    return record;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
