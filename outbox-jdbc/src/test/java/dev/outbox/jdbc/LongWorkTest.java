package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Claiming;
import dev.outbox.Outbox;
import dev.outbox.StoreException;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.testkit.ManualRelay;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestFactory;

/**
 * Work that takes long inside a claim, against real servers and their clocks: what they allow a
 * session by themselves, and what happens past the deadline.
 */
@Order(2) // it mostly waits, so it begins early
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
    Schema.builder(sandbox.dataSource()).claiming(Claiming.ROWS).create();
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

  private interface Scenario {
    void run(Database database) throws Exception;
  }

  /** A test for each database, all running at the same time, because they mostly wait. */
  private static Stream<DynamicTest> together(Scenario scenario, Database... databases) {
    Map<Database, CompletableFuture<Void>> running = new EnumMap<>(Database.class);
    for (Database database : databases) {
      running.put(
          database,
          CompletableFuture.runAsync(
              () -> run(scenario, database), task -> new Thread(task).start()));
    }
    return running.entrySet().stream()
        .map(each -> DynamicTest.dynamicTest(each.getKey().name(), () -> each.getValue().get()));
  }

  private static void run(Scenario scenario, Database database) {
    try {
      scenario.run(database);
    } catch (Exception e) {
      throw new CompletionException(e);
    }
  }

  @TestFactory
  Stream<DynamicTest> work_longer_than_the_servers_own_limits_is_done_once() {
    return together(
        LongWorkTest::workBeyondLimits,
        Database.POSTGRES,
        Database.MYSQL,
        Database.MARIADB,
        Database.H2);
  }

  private static void workBeyondLimits(Database database) throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      JdbcStore store =
          store(sandbox, TamperedDataSource.greeting(sandbox.dataSource(), greeting(database)));
      Publisher worker =
          Publisher.transactional(
              (envelope, claim) -> {
                execute(claim, "INSERT INTO effect VALUES ('begun')");
                Thread.sleep(REST.toMillis());
                execute(claim, slow(database));
                execute(claim, "INSERT INTO effect VALUES ('done')");
              });

      try (ManualRelay relay = ManualRelay.of(store, worker)) {
        relay.drainNow();
      }

      assertThat(count(sandbox, "effect")).isEqualTo(2);
      assertThat(count(sandbox, "outbox") + count(sandbox, "outbox_parked")).isZero();
    }
  }

  private static String slow(Database database) {
    return switch (database) {
      case POSTGRES -> "SELECT pg_sleep(2.5)";
      case MYSQL, MARIADB -> "SELECT sleep(2.5)";
      default -> "SELECT 1";
    };
  }

  @TestFactory
  Stream<DynamicTest>
      work_that_is_idle_for_longer_than_its_deadline_allows_is_undone_whole_and_runs_again() {
    return together(
        LongWorkTest::restBeyondDeadline, Database.POSTGRES, Database.MYSQL, Database.MARIADB);
  }

  private static void restBeyondDeadline(Database database) throws Exception {
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

  @TestFactory
  Stream<DynamicTest>
      a_lock_that_work_waits_for_is_given_up_in_seconds_and_that_message_fails_alone() {
    return together(
        LongWorkTest::waitForALock,
        Database.POSTGRES,
        Database.MYSQL,
        Database.MARIADB,
        Database.H2);
  }

  private static void waitForALock(Database database) throws Exception {
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
      assertThat(count(sandbox, "effect")).as("effects").isEqualTo(1);
      assertThat(count(sandbox, "outbox_parked")).as("parked").isEqualTo(1);
      assertThat(count(sandbox, "outbox")).as("ready").isZero();
    }
  }
}
