package dev.outbox.jdbc.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.StoreException;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.LooksAtWriters;
import dev.outbox.jdbc.Schema;
import dev.outbox.jdbc.TamperedDataSource;
import dev.outbox.message.MessageId;
import dev.outbox.servers.Database;
import dev.outbox.spi.LaneStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What tells and raises the next ids does no harm itself. */
@LooksAtWriters
class RaiseIdsTest {
  private static final String WENT_BACK = "UPDATE outbox_lane SET floor = 500 WHERE lane = 3";

  private static LaneStore relay(DataSource dataSource) {
    return JdbcStore.create(dataSource).lanes(MessageId.next().toString(), Duration.ofMinutes(1));
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void ids_that_rise_or_are_not_told_need_no_statement(Database database) throws SQLException {
    try (Clinic clinic = new Clinic(database);
        LaneStore relay = relay(clinic.pool())) {
      clinic.run(WENT_BACK);
      assertThat(relay.given(relay.nextId()).remedy())
          .containsAnyOf("setval(", "AUTO_INCREMENT", "RESTART WITH");
      for (long next : List.of(501L, LaneStore.UNTOLD)) {
        assertThat(relay.given(next).remedy())
            .contains("raiseIds()", "UPDATE")
            .doesNotContain("setval(", "AUTO_INCREMENT", "RESTART WITH");
      }
    }
  }

  @Test
  void a_statement_that_is_run_late_lowers_nothing() throws SQLException {
    try (Clinic clinic = new Clinic(Database.POSTGRES);
        LaneStore relay = relay(clinic.pool())) {
      clinic.run(WENT_BACK);
      String remedy = relay.given(relay.nextId()).remedy();
      clinic.run("SELECT setval('outbox_id_seq', 9000)");
      clinic.run(remedy.substring(remedy.indexOf("of the tables: ") + 15));
      assertThat(relay.nextId()).isGreaterThan(9000);
    }
  }

  @Test
  void the_second_of_two_operators_looks_when_the_first_is_done() throws Exception {
    try (Clinic clinic = new Clinic(Database.POSTGRES);
        Connection first = clinic.pool().getConnection();
        Statement statement = first.createStatement()) {
      clinic.run(WENT_BACK);
      first.setAutoCommit(false);
      statement.execute("SELECT schema_version FROM outbox_meta FOR UPDATE");
      Schema schema = Schema.builder(clinic.pool()).build();
      CompletableFuture<List<String>> second = CompletableFuture.supplyAsync(schema::raiseIds);
      while (!second.isDone() && !isAnyWaiting(statement)) {
        Thread.onSpinWait();
      }
      statement.execute("SELECT setval('outbox_id_seq', 500)");
      first.commit();
      assertThat(second.get(20, TimeUnit.SECONDS)).as("the epochs only").hasSize(1);
    }
  }

  private static boolean isAnyWaiting(Statement statement) throws SQLException {
    try (ResultSet row =
        statement.executeQuery(
            """
            SELECT COUNT(*)
            FROM pg_locks l
            WHERE NOT l.granted AND pg_backend_pid() = ANY(pg_blocking_pids(l.pid))
            """)) {
      row.next();
      return row.getInt(1) > 0;
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void a_table_that_was_dropped_and_made_again_is_asked_again(Database database)
      throws SQLException {
    try (Clinic clinic = new Clinic(database);
        LaneStore relay = relay(clinic.pool())) {
      assertThat(relay.nextId()).isEqualTo(1);
      clinic.run("DROP TABLE outbox");
      assertThat(relay.nextId()).isEqualTo(LaneStore.UNTOLD);
      Schema.builder(clinic.pool()).create();
      assertThat(relay.nextId()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @CsvSource({"MARIADB, NO_TABLE_OPTIONS", "MARIADB, ORACLE", "MYSQL, ANSI"})
  void a_mode_that_leaves_out_the_options_of_tables_hides_no_next_id(Database database, String mode)
      throws SQLException {
    try (Clinic clinic = new Clinic(database)) {
      DataSource terse =
          TamperedDataSource.greeting(
              clinic.pool(),
              "SET SESSION sql_mode = CONCAT(@@SESSION.sql_mode, ',%s')".formatted(mode));
      clinic.run(WENT_BACK);
      try (LaneStore relay = relay(terse)) {
        assertThat(relay.nextId()).isEqualTo(1);
      }
      assertThat(Schema.builder(terse).build().raiseIds()).hasSize(2);
      try (Connection lent = clinic.pool().getConnection();
          Statement statement = lent.createStatement();
          ResultSet row = statement.executeQuery("SELECT @@SESSION.sql_mode")) {
        row.next();
        assertThat(row.getString(1)).as("the session's own mode").contains(mode);
      }
      try (LaneStore relay = relay(clinic.pool())) {
        assertThat(relay.nextId()).isEqualTo(501);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"MYSQL", "MARIADB"})
  void a_writer_that_stays_is_waited_for_briefly(Database database) throws SQLException {
    try (Clinic clinic = new Clinic(database);
        Connection writer = clinic.pool().getConnection();
        Statement statement = writer.createStatement()) {
      clinic.run(WENT_BACK);
      writer.setAutoCommit(false);
      statement.executeQuery("SELECT COUNT(*) FROM outbox").close();
      Schema schema = Schema.builder(clinic.pool()).build();
      long begun = System.nanoTime();
      assertThatThrownBy(schema::raiseIds).isInstanceOf(StoreException.class);
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(20));
      writer.rollback();
      assertThat(schema.raiseIds()).hasSize(2);
    }
  }

  /** The server ends a session that rests in a transaction, as it does the one with the lock. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          POSTGRES | SET idle_in_transaction_session_timeout = '1s' | LOCK TABLE outbox_dead
          MYSQL    | SET SESSION wait_timeout = 1                   | LOCK TABLES outbox_dead WRITE
          MARIADB  | SET SESSION idle_transaction_timeout = 1       | LOCK TABLES outbox_dead WRITE
          """)
  void a_look_may_take_longer_than_a_transaction_may_rest_and_a_driver_waits(
      Database database, String limit, String lock) throws Exception {
    try (Clinic clinic = new Clinic(database);
        Connection other = clinic.sandbox().open();
        Statement statement = other.createStatement()) {
      DataSource limited = TamperedDataSource.greeting(clinic.pool(), limit);
      Schema hasty = Schema.builder(impatient(limited)).build();
      clinic.run(WENT_BACK);
      other.setAutoCommit(false);
      statement.execute(lock);
      CompletableFuture<List<String>> raised = CompletableFuture.supplyAsync(hasty::raiseIds);
      assertThatThrownBy(() -> raised.get(3, TimeUnit.SECONDS))
          .as("it waits for the dead letters")
          .isInstanceOf(TimeoutException.class);
      if (database == Database.POSTGRES) {
        other.rollback();
      } else {
        statement.execute("UNLOCK TABLES");
      }
      assertThat(raised.get(20, TimeUnit.SECONDS)).hasSize(2);
    }
  }

  /** Its connections wait a second for an answer, and must do so again when they are given back. */
  private static DataSource impatient(DataSource dataSource) {
    return new TamperedDataSource(
        dataSource,
        (connection, method, arguments) -> {
          if (method.getName().equals("close")) {
            assertThat(connection.getNetworkTimeout()).isEqualTo(1000);
          }
          return TamperedDataSource.passed(connection, method, arguments);
        },
        connection -> connection.setNetworkTimeout(Runnable::run, 1000));
  }
}
