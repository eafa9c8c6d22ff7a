package dev.outbox.debezium;

import dev.outbox.internal.text.HeaderJson;
import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import dev.outbox.message.Reference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Struct;
import org.jspecify.annotations.Nullable;

/**
 * A row of the outbox as Debezium has read it. Immutable.
 *
 * <p>Columns are looked up without regard to case, because Oracle's are in upper case.
 */
record CapturedRow(Struct row) {
  private static final byte[] EMPTY = {};
  private static final List<String> TEXTS =
      List.of("lane", "id", "topic", "msg_key", "headers", "content_type", "ref_table", "ref_id");

  /** What a message is made of: without one of them it would be another message. */
  private static final List<String> NEEDED =
      List.of(
          "message_id",
          "topic",
          "msg_key",
          "headers",
          "content_type",
          "payload",
          "ref_table",
          "ref_id");

  /** What happened to a row: {@code op} is Debezium's letter. */
  record Change(String op, String table, @Nullable Struct after) {
    boolean isOf(String name) {
      return table.equalsIgnoreCase(name);
    }

    /** The new row, also one that a snapshot has found; null for anything else. */
    @Nullable Struct inserted() {
      return op.equals("c") || op.equals("r") ? after : null;
    }
  }

  /** What Debezium says about a row, when it says it about one. */
  static Optional<Change> change(Object value) {
    if (!(value instanceof Struct change)
        || change.schema().field("op") == null
        || change.schema().field("after") == null
        || !(get(change, "source") instanceof Struct source)
        || !(get(source, "table") instanceof String table)
        || !(change.get("op") instanceof String op)) {
      return Optional.empty();
    }
    return Optional.of(new Change(op, table, (Struct) change.get("after")));
  }

  /**
   * The message.
   *
   * @throws IllegalArgumentException when the row is none, with the reason
   */
  Envelope envelope() {
    NEEDED.forEach(column -> require(column, field(row, column)));
    Reference reference = Reference.ofColumns(text("ref_table"), text("ref_id"));
    if (reference != null) {
      throw new IllegalArgumentException(
          "its payload is %s, and no log reader loads that. Enqueue such messages with their payload, or let a relay publish them"
              .formatted(reference));
    }
    String key = text("msg_key");
    return new Envelope(
        requiredId(),
        required("topic"),
        key == null ? null : new Key(key),
        HeaderJson.read(text("headers")),
        new Payload(required("content_type"), bytesOrEmpty()),
        null);
  }

  /** The id, when there is one that can be read. */
  Optional<MessageId> id() {
    try {
      return Optional.of(requiredId());
    } catch (IllegalArgumentException unreadable) {
      return Optional.empty();
    }
  }

  byte @Nullable [] key() {
    String key = text("msg_key");
    return key == null ? null : key.getBytes(StandardCharsets.UTF_8);
  }

  /** The payload, or null when there is none that can be read. */
  byte @Nullable [] payload() {
    return get(row, "payload") instanceof String ? null : bytes(get(row, "payload"));
  }

  /** What else is in the row, as text, by the names of the columns. */
  Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    id().ifPresent(id -> texts.put("message_id", id.toString()));
    for (String column : TEXTS) {
      String text = text(column);
      if (text != null) {
        texts.put(column, text);
      }
    }
    return texts;
  }

  /** As {@code row lane=7 id=4711 message_id=.. topic=..}; never the content. */
  @Override
  public String toString() {
    return "row lane=%s id=%s message_id=%s topic=%s"
        .formatted(
            text("lane"), text("id"), id().map(MessageId::toString).orElse("?"), text("topic"));
  }

  private MessageId requiredId() {
    Object value = get(row, "message_id");
    if (value instanceof String text && text.length() == 36) {
      return MessageId.parse(text);
    }
    byte[] bytes = value instanceof String ? null : bytes(value);
    if (bytes == null) {
      throw new IllegalArgumentException(
          "message_id is %s, it must be a UUID or 16 bytes; set binary.handling.mode=bytes of the connector, and capture every column"
              .formatted(value));
    }
    return MessageId.fromBytes(bytes);
  }

  private byte[] bytesOrEmpty() {
    Object value = get(row, "payload");
    if (value instanceof String) {
      throw new IllegalArgumentException(
          "payload is text instead of bytes; set binary.handling.mode=bytes of the connector");
    }
    byte[] bytes = bytes(value);
    return bytes == null ? EMPTY : bytes;
  }

  private static byte @Nullable [] bytes(@Nullable Object value) {
    if (value instanceof ByteBuffer buffer) {
      byte[] bytes = new byte[buffer.remaining()];
      buffer.duplicate().get(bytes);
      return bytes;
    }
    return value instanceof byte[] bytes ? bytes : null;
  }

  private String required(String column) {
    return require(column, text(column));
  }

  private static <T> T require(String column, @Nullable T found) {
    if (found == null) {
      throw new IllegalArgumentException(
          "it has no %s; capture every column of the table".formatted(column));
    }
    return found;
  }

  private @Nullable String text(String column) {
    Object value = get(row, column);
    return value == null ? null : value.toString();
  }

  private static @Nullable Object get(Struct struct, String name) {
    Field field = field(struct, name);
    return field == null ? null : struct.get(field);
  }

  private static @Nullable Field field(Struct struct, String name) {
    Field field = struct.schema().field(name);
    if (field == null) {
      for (Field each : struct.schema().fields()) {
        if (each.name().equalsIgnoreCase(name)) {
          field = each;
        }
      }
    }
    return field;
  }
}
