package dev.outbox.debezium;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/** Records as Debezium's connectors make them of our table. */
final class Rows {
  private static final Schema SOURCE =
      SchemaBuilder.struct()
          .name("io.debezium.connector.postgresql.Source")
          .field("schema", Schema.STRING_SCHEMA)
          .field("table", Schema.STRING_SCHEMA)
          .build();
  private static final List<String> COLUMNS =
      List.of(
          "message_id",
          "topic",
          "msg_key",
          "headers",
          "content_type",
          "payload",
          "ref_table",
          "ref_id");
  static final Map<String, Object> POSITION = Map.of("lsn", 4711L);

  private Rows() {}

  /** A row of the columns that are given; {@code message_id} has its type from its value. */
  static Struct row(Map<String, ?> columns) {
    SchemaBuilder schema = SchemaBuilder.struct().optional().name("shop.public.outbox.Value");
    new TreeMap<>(columns).forEach((name, value) -> schema.field(name, type(value)));
    Struct row = new Struct(schema.build());
    columns.forEach(row::put);
    return row;
  }

  private static Schema type(Object value) {
    if (value instanceof byte[] || value instanceof ByteBuffer) {
      return Schema.OPTIONAL_BYTES_SCHEMA;
    }
    if (value instanceof Long) {
      return Schema.INT64_SCHEMA;
    }
    return value instanceof Integer ? Schema.INT32_SCHEMA : Schema.OPTIONAL_STRING_SCHEMA;
  }

  /** All columns of a message; what is not given is null. */
  static Map<String, Object> whole(Map<String, ?> columns) {
    Map<String, Object> whole = new HashMap<>(columns);
    COLUMNS.forEach(column -> whole.putIfAbsent(column, null));
    return whole;
  }

  static SourceRecord inserted(Map<String, ?> columns) {
    return change("c", "outbox", row(whole(columns)));
  }

  static SourceRecord change(String op, String table, @Nullable Struct after) {
    Schema row = after == null ? row(Map.of("id", 1L)).schema() : after.schema();
    Schema schema =
        SchemaBuilder.struct()
            .name("shop.public." + table + ".Envelope")
            .field("before", row)
            .field("after", row)
            .field("source", SOURCE)
            .field("op", Schema.STRING_SCHEMA)
            .build();
    Struct source = new Struct(SOURCE).put("schema", "public").put("table", table);
    Struct value = new Struct(schema).put("after", after).put("source", source).put("op", op);
    return record("shop.public." + table, schema, value);
  }

  static SourceRecord record(String topic, @Nullable Schema schema, @Nullable Object value) {
    return new SourceRecord(
        Map.of("server", "shop"), POSITION, topic, null, null, null, schema, value);
  }
}
