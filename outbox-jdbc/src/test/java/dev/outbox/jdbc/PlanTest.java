package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Claiming;
import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.MariaDbDialect;
import dev.outbox.jdbc.dialect.MySqlDialect;
import dev.outbox.jdbc.dialect.PostgresDialect;
import dev.outbox.jdbc.internal.session.Tables;
import dev.outbox.jdbc.shape.ByIds;
import dev.outbox.jdbc.shape.ClaimSql;
import dev.outbox.jdbc.shape.LaneQuery;
import dev.outbox.jdbc.shape.LockSql;
import dev.outbox.jdbc.sql.DeadStatement;
import dev.outbox.jdbc.sql.DueStatement;
import dev.outbox.jdbc.sql.LaneStatement;
import dev.outbox.jdbc.sql.RegistryStatement;
import dev.outbox.jdbc.sql.RowStatement;
import dev.outbox.jdbc.sql.SettleStatement;
import dev.outbox.jdbc.sql.Statements;
import dev.outbox.message.MessageId;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The statements that run all day go by an index, also when they settle all of a small table. */
final class PlanTest {
  private static final int ROWS = 2000;

  private static void fill(Connection connection, int rows) throws SQLException {
    try (var insert =
        connection.prepareStatement(
            "INSERT INTO outbox (lane, topic, payload) VALUES (?, 't', ?)")) {
      for (int i = 0; i < rows; i++) {
        insert.setInt(1, i % 32);
        insert.setBytes(2, new byte[100]);
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private static List<String> explain(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement();
        ResultSet row = statement.executeQuery("EXPLAIN " + bound(sql))) {
      List<String> plan = new ArrayList<>();
      int columns = row.getMetaData().getColumnCount();
      while (row.next()) {
        StringBuilder line = new StringBuilder();
        for (int i = 1; i <= columns; i++) {
          line.append(row.getString(i)).append(" | ");
        }
        plan.add(line.toString());
      }
      return plan;
    }
  }

  private static String bound(String sql) {
    return sql.replace(":inline", "4096").replace(":held", "''");
  }

  private static String render(Dialect dialect, String text) {
    return Tables.of(null, "outbox", 63).render(text, dialect.clock());
  }

  @Test
  void postgres_reads_and_deletes_by_the_primary_key() throws SQLException {
    try (Sandbox sandbox = Database.POSTGRES.sandbox();
        Connection connection = sandbox.open()) {
      Schema.builder(sandbox.pool()).create();
      fill(connection, ROWS);
      connection.createStatement().execute("ANALYZE outbox");
      Dialect dialect = new PostgresDialect();
      String read =
          render(
              dialect,
              ((LaneQuery.Arrays) Statements.of(dialect).lanes(LaneStatement.READY)).sql());
      assertThat(
              explain(
                  connection,
                  read.replace(":lanes", "'{0,1,2}'")
                      .replace(":afters", "'{0,0,0}'")
                      .replace(":limits", "'{500,500,500}'")))
          .anyMatch(line -> line.contains("Index Scan using outbox_pk"))
          .noneMatch(line -> line.contains("Seq Scan"));
      String delete =
          render(
              dialect,
              ((ByIds.LaneArray) Statements.of(dialect).byIds(SettleStatement.DELETE_READY)).sql());
      String messages = "'\\x" + "00".repeat(5 * MessageId.BYTES) + "'";
      assertThat(
              explain(
                  connection,
                  delete
                      .replace(":lane", "0")
                      .replace(":ids", "'{1,33,65,97,129}'")
                      .replace(":messages", messages)))
          .anyMatch(line -> line.contains("outbox_pk"))
          .noneMatch(line -> line.contains("Seq Scan"));
    }
  }

  /** Also without statistics, as after a burst. */
  @ParameterizedTest
  @ValueSource(ints = {10, 100, 500})
  void postgres_claims_rows_along_the_primary_key(int limit) throws SQLException {
    try (Sandbox sandbox = Database.POSTGRES.sandbox();
        Connection connection = sandbox.open();
        var statement = connection.createStatement()) {
      Schema.builder(sandbox.pool()).claiming(Claiming.ROWS).create();
      statement.execute("ALTER TABLE outbox SET (autovacuum_enabled = false)");
      Dialect dialect = new PostgresDialect();
      String claim =
          render(
                  dialect,
                  ((ClaimSql.Returning) Statements.of(dialect).claim(RowStatement.CLAIM_READY))
                      .sql())
              .replace(":limit", "" + limit);
      String fill =
          "INSERT INTO outbox (lane, topic, payload)"
              + " SELECT 0, 't', decode(repeat('00', 200), 'hex') FROM generate_series(1, 100000)";
      for (String before : List.of(fill, "VACUUM ANALYZE outbox")) {
        statement.execute(before);
        for (String held : List.of("chr(1) || chr(1)", "chr(1) || 'other' || chr(1)")) {
          assertThat(explain(connection, claim.replace(":held", held)))
              .anyMatch(line -> line.contains("Index Scan using outbox_pk"))
              .noneMatch(line -> line.contains("Seq Scan") || line.contains("Sort"));
        }
      }
    }
  }

  /** The driver prepares what it sends often, and then the server plans without the values. */
  @ParameterizedTest
  @ValueSource(ints = {0, 100, ROWS})
  void postgres_names_rows_by_id_and_message_in_one_scan_of_the_index(int rows)
      throws SQLException {
    try (Sandbox sandbox = Database.POSTGRES.sandbox();
        Connection connection = sandbox.open();
        var statement = connection.createStatement()) {
      Schema.builder(sandbox.pool()).create();
      fill(connection, rows);
      Dialect dialect = new PostgresDialect();
      String delete =
          render(
              dialect,
              ((ByIds.LaneArray) Statements.of(dialect).byIds(SettleStatement.DELETE_READY)).sql());
      statement.execute(
          "PREPARE settle (integer, bigint[], bytea) AS "
              + delete.replace(":lane", "$1").replace(":ids", "$2").replace(":messages", "$3"));
      statement.execute("SET plan_cache_mode = force_generic_plan");
      assertThat(explain(connection, "EXECUTE settle (0, '{1,33}', '\\x00')"))
          .anyMatch(line -> line.contains("Index Cond") && line.contains("id = ANY"))
          .anyMatch(line -> line.contains("Filter") && line.contains("width_bucket"))
          .noneMatch(line -> line.contains("Seq Scan") || line.contains("Join"));
    }
  }

  @Test
  void postgres_looks_for_what_is_due_by_its_time() throws SQLException {
    try (Sandbox sandbox = Database.POSTGRES.sandbox();
        Connection connection = sandbox.open()) {
      Schema.builder(sandbox.pool()).create();
      try (var statement = connection.createStatement()) {
        statement.execute(
            "INSERT INTO outbox_delayed (lane, topic, payload, due_at)"
                + " SELECT i % 32, 't', 'x', now() + i * INTERVAL '1 second'"
                + " FROM generate_series(1, 20000) i");
        statement.execute(
            "INSERT INTO outbox_parked"
                + " (lane, id, message_id, topic, content_type, origin, created_at, reason, attempts,"
                + " due_at)"
                + " SELECT i % 32, i, gen_random_uuid(), 't', 'c', 0, now(), 'FAILED', 1,"
                + " now() + i * INTERVAL '1 second' FROM generate_series(1, 20000) i");
        statement.execute("ANALYZE");
      }
      Dialect dialect = new PostgresDialect();
      for (LaneQuery due :
          List.of(
              Statements.of(dialect).lanes(DueStatement.DUE_HEADS),
              Statements.of(dialect).lanes(DueStatement.DUE_DELAYED))) {
        String read = render(dialect, ((LaneQuery.Arrays) due).sql());
        assertThat(
                explain(
                    connection,
                    read.replace(":lanes", "'{0,1,2}'").replace(":limits", "'{50,50,50}'")))
            .anyMatch(line -> line.contains("Index Cond") && line.contains("due_at <="))
            .noneMatch(line -> line.contains("Filter") && line.contains("due_at <="));
      }
    }
  }

  /** Or each batch would wade through what those before it have deleted. */
  @Test
  void postgres_purges_from_where_the_last_batch_ended() throws SQLException {
    try (Sandbox sandbox = Database.POSTGRES.sandbox();
        Connection connection = sandbox.open()) {
      Schema.builder(sandbox.pool()).with(Schema.Part.ARCHIVE).create();
      try (var statement = connection.createStatement()) {
        statement.execute(
            "INSERT INTO outbox_archive"
                + " (lane, id, message_id, topic, content_type, origin, created_at, completed_at)"
                + " SELECT i % 32, i, gen_random_uuid(), 't', 'c', 0, now(), now() - i * INTERVAL '1 hour'"
                + " FROM generate_series(1, 20000) i");
        statement.execute("ANALYZE outbox_archive");
      }
      Dialect dialect = new PostgresDialect();
      for (String text :
          List.of(
              Statements.of(dialect).text(DeadStatement.OLD_ARCHIVE),
              Statements.of(dialect).text(DeadStatement.PURGE_ARCHIVE))) {
        String sql =
            render(dialect, text)
                .replace(":from", "now() - INTERVAL '700 days'")
                .replace(":up_to", "now() - INTERVAL '699 days'")
                .replace(":retention", "1000000")
                .replace(":limit", "500");
        assertThat(explain(connection, sql))
            .anyMatch(line -> line.contains("outbox_archive_completed"))
            .anyMatch(line -> line.contains("Index Cond: ((") && line.contains("completed_at >="))
            .noneMatch(line -> line.contains("Seq Scan") || line.contains("Sort"));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"MYSQL", "MARIADB"})
  void mysql_and_mariadb_read_and_delete_by_the_primary_key(Database database) throws SQLException {
    Dialect dialect = database == Database.MYSQL ? new MySqlDialect() : new MariaDbDialect();
    try (Sandbox sandbox = database.sandbox();
        Connection connection = sandbox.open()) {
      Schema.builder(sandbox.pool()).create();
      fill(connection, ROWS);
      connection.createStatement().execute("ANALYZE TABLE outbox");
      String arm =
          render(
              dialect,
              ((LaneQuery.UnionAll) Statements.of(dialect).lanes(LaneStatement.READY)).arm());
      String read =
          IntStream.range(0, 8)
              .mapToObj(
                  lane ->
                      arm.replace(":lane", "" + lane)
                          .replace(":after", "0")
                          .replace(":limit", "500"))
              .collect(Collectors.joining("UNION ALL\n"));
      assertThat(explain(connection, read))
          .allMatch(line -> line.contains("range") && line.contains("| PRIMARY | 12"))
          .noneMatch(line -> line.contains("filesort") || line.contains("temporary"));
      String rows =
          IntStream.rangeClosed(1, ROWS)
              .mapToObj(id -> "[" + (id % 32) + "," + id + "]")
              .toList()
              .toString();
      String delete =
          render(
              dialect,
              ((ByIds.JsonPlaces) Statements.of(dialect).byIds(SettleStatement.DELETE_READY))
                  .sql());
      assertThat(explain(connection, delete.replace(":rows", "'" + rows + "'")))
          .anyMatch(line -> line.contains("eq_ref") && line.contains("PRIMARY"));
    }
  }

  /** Statistics count no dead rows, and who goes by them goes through all of those. */
  @ParameterizedTest
  @EnumSource(names = {"MYSQL", "MARIADB"})
  void mysql_and_mariadb_go_by_ranges_where_statistics_count_no_rows(Database database)
      throws SQLException {
    Dialect dialect = database == Database.MYSQL ? new MySqlDialect() : new MariaDbDialect();
    try (Sandbox sandbox = database.sandbox();
        Connection connection = sandbox.open()) {
      Schema.builder(sandbox.pool()).with(Schema.Part.ARCHIVE).create();
      fill(connection, ROWS);
      try (var statement = connection.createStatement()) {
        statement.execute("DELETE FROM outbox");
        statement.execute("ANALYZE TABLE outbox, outbox_parked, outbox_delayed, outbox_archive");
      }
      assertThat(
              explain(
                  connection, ofLane(dialect, Statements.of(dialect).lanes(LaneStatement.LOOK))))
          .anyMatch(isRange("PRIMARY", 12))
          .anyMatch(isRange("outbox_delayed_heads", 12));
      assertThat(
              explain(
                  connection,
                  ofLane(dialect, Statements.of(dialect).lanes(DueStatement.DUE_DELAYED))))
          .anyMatch(isRange("outbox_delayed_heads", 12));
      assertThat(
              explain(
                  connection,
                  ofLane(dialect, Statements.of(dialect).lanes(RegistryStatement.AGES))))
          .anyMatch(isRange("PRIMARY", 12))
          .anyMatch(isRange("outbox_parked_heads", 13));
      String claim =
          ((LockSql.Limited) Statements.of(dialect).lock(DueStatement.CLAIM_DELAYED)).sql();
      assertThat(explain(connection, render(dialect, claim).replace(":limit", "500")))
          .anyMatch(isRange("outbox_delayed_heads", 12));
      String archive =
          render(dialect, Statements.of(dialect).text(DeadStatement.OLD_ARCHIVE))
              .replace(":from", "TIMESTAMP '2026-01-01 00:00:00'")
              .replace(":retention", "1000000")
              .replace(":limit", "500");
      assertThat(explain(connection, archive)).anyMatch(isRange("outbox_archive_completed", 8));
      String rows =
          ((LockSql.Limited)
                  ((ClaimSql.LockThenDelete) Statements.of(dialect).claim(RowStatement.CLAIM_READY))
                      .lock())
              .sql();
      assertThat(explain(connection, render(dialect, rows).replace(":limit", "500")))
          .anyMatch(line -> line.contains("| ref | PRIMARY | PRIMARY | 4 |"))
          .noneMatch(line -> line.contains("filesort"));
    }
  }

  private static String ofLane(Dialect dialect, LaneQuery query) {
    return render(dialect, ((LaneQuery.UnionAll) query).arm())
        .replace(":lane", "3")
        .replace(":after", "2000")
        .replace(":limit", "500");
  }

  /** A range of {@code index} that goes by {@code length} bytes of its key. */
  private static Predicate<String> isRange(String index, int length) {
    return line ->
        line.contains("| range |") && line.contains("| " + index + " | " + length + " |");
  }
}
