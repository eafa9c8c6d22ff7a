package dev.outbox.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.servers.Database;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The engine of Debezium reads our table: by our transformation, and by its own router. */
class CaptureTest {
  private static final int WRITERS = 4;
  private static final int KEYS = 5;
  private static final int EACH = 30;
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL"})
  void rows_become_messages_by_our_transformation(Database database) throws Exception {
    try (Captured captured = Captured.on(database)) {
      beforeTheEngine(captured);
      try (Engine engine = Engine.start(captured.connector(folder, "message"))) {
        begin(captured, engine);
        MessageId id = write(captured);
        List<SourceRecord> records = engine.await(each -> each.topic().equals("end"));

        assertMessages(records, "message-id");
        SourceRecord whole = only(records, "whole");
        assertThat(text(whole.key())).isEqualTo("\u00C4");
        assertThat((byte[]) whole.value()).containsExactly(0, -1, 7);
        assertThat(whole.timestamp()).isEqualTo(id.madeAt().orElseThrow().toEpochMilli());
        assertThat(headers(whole))
            .containsExactlyInAnyOrderEntriesOf(
                Map.of(
                    "message-id",
                    id.toString(),
                    "content-type",
                    "a/b",
                    "traceparent",
                    TRACE,
                    "tenant",
                    "\u00C4 \"x\""));
        SourceRecord sql = only(records, "sql");
        assertThat(sql.key()).isNull();
        assertThat(text(sql.value())).isEqualTo("{\"number\":1}");
        assertThat(MessageId.parse((String) headers(sql).get("message-id")).value().version())
            .isNotEqualTo(7);
        SourceRecord reference = only(records, "outbox.unreadable");
        assertThat(reference.value()).isNull();
        assertThat(headers(reference)).containsEntry("ref_id", "4711").containsKey("reason");
        assertThat(records).noneMatch(each -> each.topic().equals("before"));
        purge(captured, engine);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL"})
  void rows_become_messages_by_the_router_of_Debezium(Database database) throws Exception {
    try (Captured captured = Captured.on(database)) {
      beforeTheEngine(captured);
      try (Engine engine = Engine.start(captured.connector(folder, "router"))) {
        begin(captured, engine);
        MessageId id = write(captured);
        List<SourceRecord> records = engine.await(each -> each.topic().equals("end"));

        assertMessages(records, "id");
        SourceRecord whole = only(records, "whole");
        assertThat(whole.key()).isEqualTo("\u00C4");
        assertThat(Engine.bytes(whole.value())).containsExactly(0, -1, 7);
        assertThat((String) headers(whole).get("headers")).contains("\"tenant\"", TRACE);
        assertThat(headers(whole)).containsEntry("content-type", "a/b");
        Object found = headers(whole).get("id");
        if (database == Database.POSTGRES) {
          assertThat(found).isEqualTo(id.toString());
        } else {
          assertThat(Engine.bytes(found)).isEqualTo(id.toBytes());
        }
        // our publication has inserts only; elsewhere the router takes a changed lane for a message
        assertThat(records.stream().filter(each -> each.topic().equals("sql")))
            .hasSize(database == Database.POSTGRES ? 1 : 2)
            .allMatch(each -> text(each.value()).equals("{\"number\":1}"));
        assertThat(only(records, "references").value()).isNull();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL"})
  void a_row_that_is_no_message_stops_the_engine_without_a_topic_for_it(Database database)
      throws Exception {
    try (Captured captured = Captured.on(database)) {
      beforeTheEngine(captured);
      var settings = captured.connector(folder, "message");
      settings.remove("transforms.outbox.unreadable.topic");
      try (Engine engine = Engine.start(settings)) {
        begin(captured, engine);
        captured.execute(
            "INSERT INTO outbox (lane, topic, headers, payload) VALUES (1, 'wrong', '[1]', 'x')");

        assertThat(engine.awaitFailure())
            .hasStackTraceContaining("headers are not a JSON object")
            .hasStackTraceContaining("set unreadable.topic");
      }
    }
  }

  @Test
  void a_writer_does_not_wait_for_a_purge() throws Exception {
    try (Captured captured = Captured.on(Database.MYSQL);
        Connection purging = captured.sandbox().open();
        Connection writing = captured.sandbox().open()) {
      enqueue(captured, Message.to("old").text("x"));
      enqueue(captured, Message.to("new").text("x"));
      captured.execute(
          "UPDATE outbox SET lane = 0, created_at = created_at - INTERVAL 2 DAY WHERE topic = 'old'");
      captured.execute("UPDATE outbox SET lane = 0 WHERE topic = 'new'");
      purging.setAutoCommit(false);
      Captured.run(purging, Captured.text("purge-mysql.sql"));
      try (Statement statement = writing.createStatement()) {
        statement.execute("SET innodb_lock_wait_timeout = 1");
        assertThat(
                statement.executeUpdate(
                    "INSERT INTO outbox (lane, topic, payload) VALUES (0, 'newer', 'x')"))
            .isEqualTo(1);
      }
      purging.rollback();
    }
  }

  /** By the statements of the page; nothing of it comes out of the engine. */
  private static void purge(Captured captured, Engine engine) throws Exception {
    int before = engine.records().size();
    enqueue(captured, Message.to("old").text("x"));
    enqueue(captured, Message.to("large").bytes(new byte[1024 * 1024], "a/b"));
    captured.execute(
        "UPDATE outbox SET created_at = created_at - INTERVAL '2' DAY WHERE topic <> 'end'");
    captured.run(
        captured.database() == Database.POSTGRES ? "purge-postgresql.sql" : "purge-mysql.sql");
    assertThat(topics(captured)).containsExactlyInAnyOrder("large", "end");
    if (captured.database() == Database.POSTGRES) {
      captured.run("from-capture-1.sql");
      assertThat(topics(captured)).containsExactly("large");
    }
    enqueue(captured, Message.to("after").text("x"));
    List<SourceRecord> records = engine.await(each -> each.topic().equals("after"));
    assertThat(records).hasSize(before + 3);
    assertThat(records.get(before + 1).value()).as("so the row is the only copy").isNull();
    assertThat(headers(records.get(before + 1))).containsEntry("payload_bytes", "1048576");
  }

  private static List<String> topics(Captured captured) throws SQLException {
    List<String> topics = new ArrayList<>();
    try (Connection connection = captured.sandbox().open();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT topic FROM outbox")) {
      while (rows.next()) {
        topics.add(rows.getString(1));
      }
    }
    return topics;
  }

  /** What the slot or the position does not cover is not seen. */
  private static void beforeTheEngine(Captured captured) throws SQLException {
    enqueue(captured, Message.to("before").text("x"));
    if (captured.database() == Database.POSTGRES) {
      captured.run("postgresql.sql");
    }
  }

  /** On MySQL the engine reads from where the log is when it starts. */
  private static void begin(Captured captured, Engine engine) throws Exception {
    while (engine.records().stream().noneMatch(each -> each.topic().equals("begin"))) {
      assertThat(engine.failure()).isNull();
      enqueue(captured, Message.to("begin").text("x"));
      Thread.sleep(200);
    }
  }

  private static MessageId write(Captured captured) throws Exception {
    ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        int number = writer;
        all.add(writers.submit(() -> writeKeys(captured, number)));
      }
      for (Future<?> each : all) {
        each.get();
      }
    } finally {
      writers.shutdown();
    }
    MessageId id =
        enqueue(
            captured,
            Message.to("whole")
                .key("\u00C4")
                .header("traceparent", TRACE)
                .header("tenant", "\u00C4 \"x\"")
                .bytes(new byte[] {0, -1, 7}, "a/b"));
    enqueue(captured, Message.to("references").reference("orders", 4711));
    captured.execute(
        "INSERT INTO outbox (lane, topic, headers, payload) VALUES (7, 'sql', '{\"tenant\":\"acme\"}', '{\"number\":1}')");
    captured.execute("UPDATE outbox SET lane = 8 WHERE topic = 'sql'");
    captured.execute("DELETE FROM outbox");
    enqueue(captured, Message.to("end").text("x"));
    return id;
  }

  /** Each key belongs to one writer; every third transaction is rolled back. */
  private static Void writeKeys(Captured captured, int writer) throws SQLException {
    Outbox outbox = Outbox.create(JdbcStore.create(captured.sandbox().dataSource()));
    try (Connection connection = captured.sandbox().open()) {
      connection.setAutoCommit(false);
      for (int number = 0; number < EACH; number++) {
        for (int key = 0; key < KEYS; key++) {
          Message.Draft draft = Message.to("orders").key("k" + writer + key);
          outbox.enqueue(connection, draft.text("rolled back"));
          connection.rollback();
          outbox.enqueue(connection, draft.text(String.valueOf(number)));
          connection.commit();
        }
      }
    }
    return null;
  }

  private static MessageId enqueue(Captured captured, Message message) throws SQLException {
    Outbox outbox = Outbox.create(JdbcStore.create(captured.sandbox().dataSource()));
    try (Connection connection = captured.sandbox().open()) {
      connection.setAutoCommit(false);
      MessageId id = outbox.enqueue(connection, message);
      connection.commit();
      return id;
    }
  }

  private static void assertMessages(List<SourceRecord> records, String idHeader) {
    Map<String, List<String>> texts = new HashMap<>();
    Map<Object, Integer> ids = new HashMap<>();
    for (SourceRecord each : records) {
      if (each.topic().equals("orders")) {
        String key = each.key() instanceof String given ? given : text(each.key());
        texts.computeIfAbsent(key, none -> new ArrayList<>()).add(text(each.value()));
        Object id = headers(each).get(idHeader);
        ids.merge(
            id instanceof String ? id : MessageId.fromBytes(Engine.bytes(id)), 1, Integer::sum);
      }
    }
    List<String> all = IntStream.range(0, EACH).mapToObj(String::valueOf).toList();
    assertThat(texts).hasSize(WRITERS * KEYS);
    assertThat(texts.values()).allSatisfy(each -> assertThat(each).isEqualTo(all));
    assertThat(ids).hasSize(WRITERS * KEYS * EACH);
    assertThat(records).noneMatch(each -> each.topic().startsWith("shop."));
  }

  private static SourceRecord only(List<SourceRecord> records, String topic) {
    List<SourceRecord> found = records.stream().filter(each -> each.topic().equals(topic)).toList();
    assertThat(found).as(topic).hasSize(1);
    return found.get(0);
  }

  private static Map<String, Object> headers(SourceRecord record) {
    Map<String, Object> headers = new HashMap<>();
    for (Header header : record.headers()) {
      headers.put(header.key(), header.value());
    }
    return headers;
  }

  private static String text(@Nullable Object value) {
    return new String(Engine.bytes(value), StandardCharsets.UTF_8);
  }
}
