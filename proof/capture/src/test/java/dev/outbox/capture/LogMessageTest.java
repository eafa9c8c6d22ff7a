package dev.outbox.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.servers.Database;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A prototype, not offered: a message that is in the log of PostgreSQL and in no table, by {@code
 * pg_logical_emit_message}.
 */
class LogMessageTest {
  private static final int MESSAGES = 5000;
  private static final String EMIT = "SELECT pg_logical_emit_message(true, 'outbox', ?::bytea)";
  private static final String INSERT =
      "INSERT INTO outbox (lane, topic, msg_key, payload) VALUES (7, 'orders', 'k', ?)";

  @TempDir private Path folder;

  @Test
  void it_is_read_in_order_after_the_commit_and_never_after_a_rollback() throws Exception {
    try (Captured captured = Captured.on(Database.POSTGRES)) {
      captured.run("postgresql.sql");
      try (Engine engine = Engine.start(captured.connector(folder));
          Connection connection = captured.sandbox().open();
          PreparedStatement emit = connection.prepareStatement(EMIT)) {
        connection.setAutoCommit(false);
        for (int number = 0; number < 300; number++) {
          emit(emit, "rolled back");
          connection.rollback();
          emit(emit, String.valueOf(number));
          connection.commit();
        }
        List<SourceRecord> records = engine.await(each -> content(each).equals("299"));
        assertThat(records.stream().map(LogMessageTest::content).toList())
            .isEqualTo(IntStream.range(0, 300).mapToObj(String::valueOf).toList());
      }
    }
  }

  @Test
  void it_costs_less_log_than_a_row_that_is_inserted_and_deleted() throws Exception {
    try (Captured captured = Captured.on(Database.POSTGRES)) {
      long[] emitted = cost(captured, EMIT);
      long[] inserted = cost(captured, INSERT);
      long[] deleted = log(captured, () -> captured.execute("DELETE FROM outbox"));
      System.out.printf(
          "for a message of 200 bytes: emitted %d bytes of log in %d us, inserted %d in %d us, its delete %d more%n",
          emitted[0], emitted[1], inserted[0], inserted[1], deleted[0]);
      assertThat(emitted[0]).isLessThan(inserted[0]);
    }
  }

  private static String content(SourceRecord record) {
    Object content = ((Struct) ((Struct) record.value()).get("message")).get("content");
    return new String(Engine.bytes(content), StandardCharsets.UTF_8);
  }

  private static void emit(PreparedStatement emit, String text) throws SQLException {
    emit.setBytes(1, text.getBytes(StandardCharsets.UTF_8));
    emit.execute();
  }

  private static long[] cost(Captured captured, String sql) throws Exception {
    try (Connection connection = captured.sandbox().open();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      connection.setAutoCommit(false);
      return log(
          captured,
          () -> {
            for (int number = 0; number < MESSAGES; number++) {
              emit(statement, "x".repeat(200));
              connection.commit();
            }
          });
    }
  }

  private interface Work {
    void run() throws Exception;
  }

  /** Bytes of log and microseconds for a message. */
  private static long[] log(Captured captured, Work work) throws Exception {
    long position = position(captured);
    long begun = System.nanoTime();
    work.run();
    long nanos = System.nanoTime() - begun;
    return new long[] {(position(captured) - position) / MESSAGES, nanos / 1000 / MESSAGES};
  }

  private static long position(Captured captured) throws SQLException {
    try (Connection connection = captured.sandbox().open();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn")) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
