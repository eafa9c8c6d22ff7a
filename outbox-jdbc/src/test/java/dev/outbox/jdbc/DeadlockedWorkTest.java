package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Claiming;
import dev.outbox.Inbox;
import dev.outbox.Outbox;
import dev.outbox.StoreException;
import dev.outbox.Transactions;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.testkit.ManualRelay;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two whose work locks the same rows in opposite order: the database ends one of them, some
 * databases with all of its transaction, and still every effect happens once. Who is ended comes
 * again at once, and may meet the other a second time.
 */
@ResourceLock("the deadlock count of a server")
class DeadlockedWorkTest {
  private final CountDownLatch bothHaveOne = new CountDownLatch(2);
  private final List<Exception> failures = new CopyOnWriteArrayList<>();

  private enum Habit {
    THROWS,
    SWALLOWS
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void what_a_deadlock_ends_is_received_again_even_if_its_transaction_is_committed(
      Database database) throws Exception {
    assertReceivedOnce(database, Habit.THROWS);
    if (database == Database.POSTGRES) {
      assertThat(failures).isNotEmpty().hasOnlyElementsOfType(SQLException.class);
    } else {
      assertThat(failures)
          .isNotEmpty()
          .allSatisfy(
              failure ->
                  assertThat(failure)
                      .isInstanceOf(StoreException.class)
                      .asString()
                      .contains("roll the transaction back and begin a new one"));
    }
  }

  /** H2 tells nobody: docs/guarantees.md says so. */
  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB"})
  void work_that_swallows_a_deadlock_is_found_out(Database database) throws Exception {
    assertReceivedOnce(database, Habit.SWALLOWS);
    assertThat(failures).isNotEmpty();
  }

  private void assertReceivedOnce(Database database, Habit habit) throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      DataSource consumers = sandbox.pool(4);
      Schema.builder(consumers).only(Schema.Part.RECEIPT).create();
      prepare(consumers);
      Inbox inbox = Inbox.create(JdbcInbox.create(consumers));
      // fixed: of random ones some have a slot in common, and the second waits for the first
      MessageId up = MessageId.parse("01a20000-0000-7000-8000-000000000001");
      MessageId down = MessageId.parse("01a20000-0000-7000-8000-000000000002");

      together(
          () -> receive(inbox, consumers, up, transaction -> work(transaction, 1, 2, habit)),
          () -> receive(inbox, consumers, down, transaction -> work(transaction, 2, 1, habit)));

      assertThat(count(consumers, "effect")).isEqualTo(2);
      assertThat(count(consumers, "outbox_receipt")).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB"})
  void what_a_deadlock_ends_in_a_claim_is_done_again(Database database) throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      DataSource pool = sandbox.pool(6);
      Schema.builder(pool).claiming(Claiming.ROWS).create();
      prepare(pool);
      JdbcStore store = JdbcStore.create(pool);
      Outbox outbox = Outbox.create(store);
      Transactions.run(
          pool,
          outbox,
          tx ->
              outbox.enqueue(
                  tx, List.of(Message.to("up").text("1"), Message.to("down").text("2"))));
      Publisher worker =
          Publisher.transactional(
              (envelope, claim) -> {
                boolean up = envelope.topic().equals("up");
                work(claim, up ? 1 : 2, up ? 2 : 1, Habit.THROWS);
              });

      together(() -> drain(store, worker), () -> drain(store, worker));

      assertThat(count(pool, "effect")).isEqualTo(2);
      assertThat(count(pool, "outbox") + count(pool, "outbox_parked")).isZero();
      assertThat(count(pool, "outbox_dead")).isZero();
    }
  }

  private static void prepare(DataSource dataSource) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      execute(connection, "CREATE TABLE account (id INT PRIMARY KEY, moves INT NOT NULL)");
      execute(connection, "INSERT INTO account VALUES (1, 0), (2, 0)");
      execute(connection, "CREATE TABLE effect (step VARCHAR(20) NOT NULL)");
    }
  }

  /** Locks the one account, and the other one once its opponent has that. */
  private void work(Connection transaction, int first, int second, Habit habit)
      throws SQLException {
    try {
      execute(transaction, "UPDATE account SET moves = moves + 1 WHERE id = " + first);
      meet();
      execute(transaction, "UPDATE account SET moves = moves + 1 WHERE id = " + second);
    } catch (SQLException deadlock) {
      if (habit == Habit.THROWS) {
        throw deadlock;
      }
      return;
    }
    execute(transaction, "INSERT INTO effect VALUES ('done')");
  }

  /** The first time of each; who comes again meets nobody. */
  private void meet() {
    bothHaveOne.countDown();
    try {
      if (!bothHaveOne.await(20, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the opponent did not come");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private boolean receive(
      Inbox inbox, DataSource consumers, MessageId id, Transactions.Work<SQLException> work)
      throws SQLException {
    while (true) {
      try (Connection connection = consumers.getConnection()) {
        connection.setAutoCommit(false);
        try {
          inbox.once(connection, "mailer", id, work);
          connection.commit();
          return true;
        } catch (SQLException | StoreException failure) {
          failures.add(failure);
          connection.commit(); // whoever does not roll back keeps nothing either
        }
      }
    }
  }

  private boolean drain(JdbcStore store, Publisher worker) {
    try (ManualRelay relay =
        ManualRelay.builder(store, worker)
            .batch(1)
            .publishDeadline(Duration.ofMinutes(1))
            .build()) {
      while (store.snapshot(10).ready() + store.snapshot(10).parked() > 0) {
        try {
          relay.drainNow();
        } catch (StoreException claimIsGone) {
          failures.add(claimIsGone);
        }
      }
      return true;
    }
  }

  private static void together(Callable<Boolean> one, Callable<Boolean> other) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      List<Future<Boolean>> both = new ArrayList<>();
      both.add(threads.submit(one));
      both.add(threads.submit(other));
      for (Future<Boolean> each : both) {
        assertThat(each.get(1, TimeUnit.MINUTES)).isTrue();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static int count(DataSource dataSource, String table) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM " + table)) {
      row.next();
      return row.getInt(1);
    }
  }
}
