package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Outbox;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.store.Claiming;
import dev.outbox.store.StoreException;
import dev.outbox.testkit.ManualRelay;
import dev.outbox.testkit.database.Database;
import dev.outbox.testkit.database.Sandbox;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Work that takes long inside a claim, against real servers and their clocks: what they allow a
 * session by themselves, and what happens past the deadline.
 */
@Execution(ExecutionMode.CONCURRENT)
class LongWorkTest {
  private static final Duration REST = Duration.ofMillis(2500);

  /** The server's own limits, shorter than the work. */
  private static String greeting(Database database) {
    return switch (database) {
      case POSTGRES ->
          "SET idle_in_transaction_session_timeout = '1s'; SET statement_timeout = '1s'; SET lock_timeout = '1s'";
      case MYSQL -> "SET SESSION wait_timeout = 1, SESSION max_execution_time = 1000";
      case MARIADB ->
          "SET SESSION idle_transaction_timeout = 1, SESSION idle_write_transaction_timeout = 1, SESSION max_statement_time = 1";
      case H2 -> "SET LOCK_TIMEOUT 100";
      case H2_FILE, H2_SERVER, H2_ORACLE, ORACLE ->
          throw new IllegalArgumentException("not run on " + database);
    };
  }

  private static JdbcStore store(Sandbox sandbox, DataSource sessions) throws SQLException {
    Schema.of(sandbox.dataSource()).claiming(Claiming.ROWS).create();
    try (Connection connection = sandbox.open();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE effect (step varchar(20) NOT NULL)");
    }
    JdbcStore store = JdbcStore.create(sessions);
    try (Connection connection = sandbox.open()) {
      connection.setAutoCommit(false);
      Outbox.create(store).enqueue(connection, Message.to("reports").text("long"));
      connection.commit();
    }
    return store;
  }

  private static void execute(Connection claim, String sql) throws SQLException {
    try (Statement statement = claim.createStatement()) {
      statement.execute(sql);
    }
  }

  private static long count(Sandbox sandbox, String table) throws SQLException {
    try (Connection connection = sandbox.open();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM " + table)) {
      row.next();
      return row.getLong(1);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "POSTGRES, SELECT pg_sleep(2.5)",
    "MYSQL, SELECT sleep(2.5)",
    "MARIADB, SELECT sleep(2.5)",
    "H2, SELECT 1"
  })
  void work_longer_than_the_servers_own_limits_is_done_once(Database database, String slow)
      throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      JdbcStore store =
          store(sandbox, TamperedDataSource.greeting(sandbox.dataSource(), greeting(database)));
      Publisher worker =
          Publisher.transactional(
              (envelope, claim) -> {
                execute(claim, "INSERT INTO effect VALUES ('begun')");
                Thread.sleep(REST.toMillis());
                execute(claim, slow);
                execute(claim, "INSERT INTO effect VALUES ('done')");
              });

      try (ManualRelay relay = ManualRelay.of(store, worker)) {
        relay.drainNow();
      }

      assertThat(count(sandbox, "effect")).isEqualTo(2);
      assertThat(count(sandbox, "outbox") + count(sandbox, "outbox_parked")).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB"})
  void work_that_rests_for_longer_than_its_deadline_allows_is_undone_whole_and_runs_again(
      Database database) throws Exception {
    Duration deadline = Duration.ofSeconds(1);
    try (Sandbox sandbox = database.sandbox()) {
      JdbcStore store = store(sandbox, sandbox.dataSource());
      AtomicInteger runs = new AtomicInteger();
      Publisher worker =
          Publisher.transactional(
              (envelope, claim) -> {
                execute(claim, "INSERT INTO effect VALUES ('begun')");
                if (runs.incrementAndGet() == 1) {
                  Thread.sleep(deadline.plusSeconds(12).toMillis());
                }
                execute(claim, "INSERT INTO effect VALUES ('done')");
              });

      try (ManualRelay relay =
          ManualRelay.builder(store, worker).publishDeadline(deadline).build()) {
        assertThatThrownBy(relay::drainNow).isInstanceOf(StoreException.class);
        assertThat(count(sandbox, "effect")).isZero();
        assertThat(count(sandbox, "outbox")).isEqualTo(1);
        relay.drainNow();
      }

      assertThat(runs).hasValue(2);
      assertThat(count(sandbox, "effect")).isEqualTo(2);
      assertThat(count(sandbox, "outbox") + count(sandbox, "outbox_parked")).isZero();
    }
  }

  /** All at a time: each waits for the whole of its patience. */
  @Test
  void a_lock_that_work_waits_for_is_given_up_in_seconds_and_that_message_fails_alone() {
    List<CompletableFuture<Void>> all =
        Stream.of(Database.POSTGRES, Database.MYSQL, Database.MARIADB, Database.H2)
            .map(
                database ->
                    CompletableFuture.runAsync(
                        () -> waitForALock(database), task -> new Thread(task).start()))
            .toList();
    all.forEach(CompletableFuture::join);
  }

  private static void waitForALock(Database database) {
    try (Sandbox sandbox = database.sandbox()) {
      JdbcStore store = store(sandbox, sandbox.dataSource());
      try (Connection other = sandbox.open()) {
        other.setAutoCommit(false);
        Outbox.create(store).enqueue(other, Message.to("reports").text("short"));
        execute(other, "CREATE TABLE account (id INT PRIMARY KEY, moves INT NOT NULL)");
        execute(other, "INSERT INTO account VALUES (1, 0)");
        other.commit();
        execute(other, "UPDATE account SET moves = 1");
        Publisher worker =
            Publisher.transactional(
                (envelope, claim) -> {
                  execute(claim, "INSERT INTO effect VALUES ('begun')");
                  if (envelope.payload().text().equals("long")) {
                    execute(claim, "UPDATE account SET moves = 2");
                  }
                });
        try (ManualRelay relay = ManualRelay.of(store, worker)) {
          relay.drainNow();
        }
      }
      assertThat(count(sandbox, "effect")).as("effects on " + database).isEqualTo(1);
      assertThat(count(sandbox, "outbox_parked")).as("parked on " + database).isEqualTo(1);
      assertThat(count(sandbox, "outbox")).as("ready on " + database).isZero();
    } catch (SQLException e) {
      throw new IllegalStateException("on " + database, e);
    }
  }
}
