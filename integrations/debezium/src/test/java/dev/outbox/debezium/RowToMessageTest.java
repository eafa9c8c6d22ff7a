package dev.outbox.debezium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.UUID;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.transforms.Transformation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowToMessageTest {
  private static final String ID = "019aadb1-9c00-7000-8000-000000000001";
  private static final String RANDOM = "2b6a5c1e-52a1-4b39-9c39-6a1a0f0d7a11";
  private static final byte[] PAYLOAD = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);
  private static final Map<String, Object> ROW =
      Map.of(
          "lane",
          7,
          "id",
          4711L,
          "message_id",
          ID,
          "topic",
          "orders.placed",
          "msg_key",
          "42",
          "headers",
          "{\"tenant\":\"acme\",\"n\":1,\"gone\":null}",
          "content_type",
          "application/json",
          "payload",
          PAYLOAD);

  private static RowToMessage<SourceRecord> transformation(String... settings) {
    Map<String, String> config = new HashMap<>();
    for (int i = 0; i < settings.length; i += 2) {
      config.put(settings[i], settings[i + 1]);
    }
    RowToMessage<SourceRecord> transformation = new RowToMessage<>();
    transformation.configure(config);
    return transformation;
  }

  private static Map<String, Object> row(String column, @Nullable Object value) {
    Map<String, Object> row = new HashMap<>(ROW);
    if (value == null) {
      row.remove(column);
    } else {
      row.put(column, value);
    }
    return row;
  }

  private static Map<String, Object> headers(SourceRecord record) {
    Map<String, Object> headers = new LinkedHashMap<>();
    for (Header header : record.headers()) {
      headers.put(header.key(), header.value());
    }
    return headers;
  }

  @Test
  void headers_that_plain_SQL_has_written_are_read_as_the_relay_reads_them() {
    assertThat(headers(transformation().apply(Rows.inserted(ROW))))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "message-id", ID,
                "content-type", "application/json",
                "tenant", "acme",
                "n", "1"));
    assertThat(headers(transformation().apply(Rows.inserted(row("headers", null))))).hasSize(2);
  }

  @Test
  void a_random_id_has_no_time_and_no_payload_is_an_empty_value() {
    Map<String, Object> row = row("message_id", RANDOM);
    row.remove("payload");
    row.remove("msg_key");
    SourceRecord record = transformation().apply(Rows.inserted(row));

    assertThat(record.timestamp()).isNull();
    assertThat(record.key()).isNull();
    assertThat((byte[]) record.value()).isEmpty();
    assertThat(headers(record)).containsEntry("message-id", RANDOM);
  }

  @Test
  void a_row_that_a_snapshot_found_is_a_message_too() {
    SourceRecord record =
        transformation().apply(Rows.change("r", "outbox", Rows.row(Rows.whole(ROW))));

    assertThat(record.topic()).isEqualTo("orders.placed");
  }

  @Test
  void updates_deletes_truncates_and_tombstones_of_the_table_are_dropped() {
    RowToMessage<SourceRecord> transformation = transformation();

    assertThat(transformation.apply(Rows.change("u", "outbox", Rows.row(ROW)))).isNull();
    assertThat(transformation.apply(Rows.change("d", "outbox", null))).isNull();
    assertThat(transformation.apply(Rows.change("t", "outbox", null))).isNull();
    assertThat(transformation.apply(Rows.record("shop.public.outbox", null, null))).isNull();
    assertThat(transformation.apply(Rows.record("shop.APP.OUTBOX", null, null))).isNull();
  }

  @Test
  void a_row_whose_lane_is_changed_is_no_new_message() {
    SourceRecord moved = Rows.inserted(ROW);
    moved.headers().add("__debezium.oldkey", Map.of("lane", 6), null);

    assertThat(transformation().apply(moved)).isNull();
  }

  @Test
  void what_is_of_another_table_or_no_change_passes_as_it_is() {
    RowToMessage<SourceRecord> transformation = transformation();
    SourceRecord other = Rows.change("c", "orders", Rows.row(Map.of("id", 1L)));
    SourceRecord delayed = Rows.change("c", "outbox_delayed", Rows.row(ROW));
    SourceRecord tombstone = Rows.record("shop.public.orders", null, null);
    SourceRecord text = Rows.record("shop.public.outbox", Schema.STRING_SCHEMA, "x");
    SourceRecord beat =
        Rows.record("__debezium-heartbeat.shop", null, Rows.row(Map.of("ts_ms", 1L)));

    for (SourceRecord each : Arrays.asList(other, delayed, tombstone, text, beat)) {
      assertThat(transformation.apply(each)).isSameAs(each);
    }
  }

  @Test
  void the_table_may_have_another_prefix_and_columns_in_upper_case() {
    Map<String, Object> upper = new HashMap<>();
    Rows.whole(ROW).forEach((name, value) -> upper.put(name.toUpperCase(Locale.ROOT), value));
    upper.put("MESSAGE_ID", ByteBuffer.wrap(bytes(UUID.fromString(ID))));
    SourceRecord change = Rows.change("c", "SHOP_OUTBOX", Rows.row(upper));

    assertThat(transformation().apply(change)).isSameAs(change);
    SourceRecord record = transformation("table", "shop_outbox").apply(change);
    assertThat(record.topic()).isEqualTo("orders.placed");
    assertThat(headers(record)).containsEntry("message-id", ID).containsEntry("tenant", "acme");
  }

  private static byte[] bytes(UUID id) {
    return ByteBuffer.allocate(16)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .array();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          headers      | [1]            | headers are not a JSON object: expected '{' at character 0 of 3
          headers      | {"message-id":"7"} | header 'message-id' has the name of one that the publisher sets; rename it
          topic        | a/b            | topic is 'a/b', Kafka takes 1 to 249 letters
          topic        |                | it has no topic; capture every column of the table
          content_type |                | it has no content_type; capture every column of the table
          message_id   | AZqtsZwAcACAAAAAAAAAAQ== | set binary.handling.mode=bytes of the connector
          message_id   |                | message_id is null, it must be a UUID or 16 bytes
          payload      | eyJhIjoxfQ==   | payload is text instead of bytes; set binary.handling.mode=bytes
          ref_id       | 4711           | a reference needs a table and an id, here are table 'null' and id '4711'
          """)
  void a_row_that_is_no_message_is_told(String column, @Nullable String value, String reason) {
    SourceRecord wrong = Rows.inserted(row(column, value));

    assertThatThrownBy(() -> transformation().apply(wrong))
        .isInstanceOf(DataException.class)
        .hasMessageStartingWith("row lane=7 id=4711 message_id=")
        .hasMessageContaining(" of table outbox is no message: ")
        .hasMessageContaining(reason)
        .hasMessageContaining("set unreadable.topic");
    SourceRecord told = transformation("unreadable.topic", "outbox.unreadable").apply(wrong);
    assertThat(told.topic()).isEqualTo("outbox.unreadable");
    assertThat((String) headers(told).get("reason")).contains(reason);
  }

  @ParameterizedTest
  @ValueSource(strings = {"payload", "msg_key", "headers", "ref_table"})
  void a_row_of_which_a_column_was_not_captured_is_no_message(String column) {
    Map<String, Object> part = Rows.whole(ROW);
    part.remove(column);

    assertThatThrownBy(() -> transformation().apply(Rows.change("c", "outbox", Rows.row(part))))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("it has no %s; capture every column of the table", column);
  }

  @Test
  void a_reference_is_told_with_what_an_operator_needs() {
    Map<String, Object> row = row("payload", null);
    row.put("ref_table", "mails");
    row.put("ref_id", "7");
    SourceRecord told =
        transformation("unreadable.topic", "outbox.unreadable").apply(Rows.inserted(row));

    assertThat(told.key()).isEqualTo("42".getBytes(StandardCharsets.UTF_8));
    assertThat(told.value()).isNull();
    assertThat(told.timestamp()).isEqualTo(0x019aadb19c00L);
    assertThat(told.sourceOffset()).isEqualTo(Rows.POSITION);
    assertThat(headers(told))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "reason",
                "its payload is mails '7', and no log reader loads that. Enqueue such messages with their payload, or let a relay publish them",
                "message_id",
                ID,
                "lane",
                "7",
                "id",
                "4711",
                "topic",
                "orders.placed",
                "msg_key",
                "42",
                "headers",
                "{\"tenant\":\"acme\",\"n\":1,\"gone\":null}",
                "content_type",
                "application/json",
                "ref_table",
                "mails",
                "ref_id",
                "7"));
  }

  @Test
  void a_record_that_is_too_large_for_the_producer_is_told() {
    SourceRecord large = Rows.inserted(row("payload", new byte[2 * 1024 * 1024]));

    assertThatThrownBy(() -> transformation().apply(large))
        .hasMessageContaining("max.request.size is 1048576");
    assertThat(transformation("max.request.size", "3000000").apply(large).topic())
        .isEqualTo("orders.placed");
  }

  @Test
  void what_is_told_of_a_row_that_is_too_large_fits_into_a_record() {
    SourceRecord large = Rows.inserted(row("payload", new byte[2 * 1024 * 1024]));
    RowToMessage<SourceRecord> transformation =
        transformation("unreadable.topic", "outbox.unreadable");

    SourceRecord told = transformation.apply(large);
    assertThat(told.topic()).isEqualTo("outbox.unreadable");
    assertThat(told.value()).isNull();
    assertThat(headers(told)).containsEntry("payload_bytes", "2097152").containsKey("headers");

    String headers = "{\"a\":\"" + "b".repeat(2 * 1024 * 1024) + "\"}";
    SourceRecord without = transformation.apply(Rows.inserted(row("headers", headers)));
    assertThat(headers(without)).containsEntry("id", "4711").doesNotContainKey("headers");
    assertThat(without.value()).isEqualTo(PAYLOAD);
  }

  @Test
  void a_wrong_setting_is_refused_with_its_name() {
    assertThatThrownBy(() -> transformation("cloudevents", "yes"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("cloudevents");
    assertThatThrownBy(() -> transformation("cloudevents", "binary"))
        .hasMessageContaining("cloudevents.source")
        .hasMessageContaining("name your service with a URI");
    assertThatThrownBy(
            () -> transformation("cloudevents", "binary", "cloudevents.source", "no uri"))
        .hasMessageContaining("it must be a URI");
    assertThatThrownBy(() -> transformation("table", "public.outbox"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("public.outbox for configuration table: leave its schema out");
    assertThatThrownBy(() -> transformation("max.request.size", "0"))
        .hasMessageContaining("max.request.size");
    assertThatThrownBy(() -> new RowToMessage<SourceRecord>().apply(Rows.inserted(ROW)))
        .hasMessageContaining("call configure first");
  }

  @Test
  void Connect_finds_it_by_its_service() {
    assertThat(ServiceLoader.load(Transformation.class))
        .anyMatch(found -> found instanceof RowToMessage);
  }
}
