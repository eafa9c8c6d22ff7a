package dev.outbox.debezium;

import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.ConnectRecord;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.header.Headers;
import org.apache.kafka.connect.transforms.Transformation;
import org.jspecify.annotations.Nullable;

/**
 * A transformation for connectors of Debezium: an inserted row of the outbox becomes the record
 * that {@code KafkaPublisher} makes of the message, with the same topic, key, value, headers and
 * time. Updates, deletes and tombstones of the table are dropped; what is of another table, and
 * what is no change at all, passes as it is.
 *
 * <p>A row that is no message stops the connector with its reason, or goes to the topic of {@code
 * unreadable.topic}: a reference to a payload, headers that are no JSON, and what Kafka cannot
 * hold.
 *
 * <pre>{@code
 * transforms=outbox
 * transforms.outbox.type=dev.outbox.debezium.RowToMessage
 * }</pre>
 *
 * <p>Safe for use by many threads once it is configured: the embedded engine has several.
 *
 * @param <R> the kind of record
 */
public final class RowToMessage<R extends ConnectRecord<R>> implements Transformation<R> {
  /** Debezium tells a change of the primary key as a delete and an insert with this header. */
  private static final String OLD_KEY = "__debezium.oldkey";

  /** What the reason and the short columns of an unreadable row have together, at most. */
  private static final int SHORT = 10_000;

  private volatile @Nullable RowSettings settings;

  /** One that {@link #configure} must be called on, as Connect does. */
  public RowToMessage() {}

  @Override
  public ConfigDef config() {
    return RowSettings.DEFINITION;
  }

  /**
   * Reads the settings: {@code table}, {@code unreadable.topic}, {@code cloudevents}, {@code
   * cloudevents.source} and {@code max.request.size}.
   *
   * @throws org.apache.kafka.common.config.ConfigException when one is wrong, with its name
   */
  @Override
  public void configure(Map<String, ?> configs) {
    this.settings = RowSettings.of(configs);
  }

  @Override
  public @Nullable R apply(R record) {
    RowSettings given = settings();
    if (record.value() == null) {
      return given.isTopicOfTable(record.topic()) ? null : record;
    }
    Optional<CapturedRow.Change> change = CapturedRow.change(record.value());
    if (change.isEmpty() || !change.get().isOf(given.table())) {
      return record;
    }
    boolean moved = record.headers().lastWithName(OLD_KEY) != null;
    Struct inserted = change.get().inserted();
    return inserted == null || moved ? null : message(record, new CapturedRow(inserted), given);
  }

  private R message(R record, CapturedRow row, RowSettings given) {
    try {
      Envelope envelope = row.envelope();
      return converted(record, given.mapping().record(envelope));
    } catch (IllegalArgumentException | DataException e) {
      return unreadable(record, row, given, String.valueOf(e.getMessage()));
    }
  }

  private R converted(R record, ProducerRecord<byte[], byte[]> sent) {
    Headers headers = new ConnectHeaders();
    for (org.apache.kafka.common.header.Header header : sent.headers()) {
      headers.addString(header.key(), new String(header.value(), StandardCharsets.UTF_8));
    }
    return record(record, sent, headers);
  }

  private R unreadable(R record, CapturedRow row, RowSettings given, String reason) {
    if (given.unreadableTopic() == null) {
      throw new DataException(
          "%s of table %s is no message: %s. It stays in the log, so the connector stops here at each start: set unreadable.topic of this transformation, and such rows go there"
              .formatted(row, given.table(), reason));
    }
    Headers headers = new ConnectHeaders();
    headers.addString("reason", reason);
    Map<String, String> texts = row.texts();
    // what Kafka would refuse in this record too stays in the table
    int room = given.largest() - SHORT;
    if (length(texts.get("headers")) > room) {
      texts.remove("headers");
    }
    room -= length(texts.get("headers"));
    texts.forEach(headers::addString);
    byte[] payload = row.payload();
    if (payload != null && payload.length > room) {
      headers.addString("payload_bytes", Integer.toString(payload.length));
      payload = null;
    }
    ProducerRecord<byte[], byte[]> sent =
        new ProducerRecord<>(
            given.unreadableTopic(),
            null,
            row.id().flatMap(MessageId::madeAt).map(Instant::toEpochMilli).orElse(null),
            row.key(),
            payload);
    return record(record, sent, headers);
  }

  private static int length(@Nullable String text) {
    return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
  }

  /** The position in the log stays that of the row; the partition is the key's. */
  private R record(R record, ProducerRecord<byte[], byte[]> sent, Iterable<Header> headers) {
    return record.newRecord(
        sent.topic(),
        null,
        Schema.OPTIONAL_BYTES_SCHEMA,
        sent.key(),
        Schema.OPTIONAL_BYTES_SCHEMA,
        sent.value(),
        sent.timestamp(),
        headers);
  }

  private RowSettings settings() {
    RowSettings given = settings;
    if (given == null) {
      throw new IllegalStateException("the transformation is not configured; call configure first");
    }
    return given;
  }

  @Override
  public void close() {}
}
