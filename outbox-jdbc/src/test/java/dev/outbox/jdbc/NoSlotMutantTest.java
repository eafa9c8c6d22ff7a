package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Inbox;
import dev.outbox.Inbox.Answer;
import dev.outbox.StoreException;
import dev.outbox.message.MessageId;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An inbox that waits at its INSERT, as others write it: on InnoDB those that wait for one receipt
 * deadlock when it is rolled back. Ours waits at a slot, and does not.
 */
@ResourceLock("the deadlock count of a server")
class NoSlotMutantTest {
  private static final int WAITERS = 4;
  private static final int ROUNDS = 12;

  @ParameterizedTest
  @EnumSource(names = {"MYSQL", "MARIADB"})
  void without_a_slot_waiting_consumers_deadlock_and_with_one_they_do_not(Database database)
      throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      DataSource consumers = sandbox.pool(10);
      Schema.builder(consumers).only(Schema.Part.RECEIPT).create();
      Inbox inbox = Inbox.create(JdbcInbox.create(consumers));
      DataSource slotless =
          new TamperedDataSource(
              consumers,
              (connection, method, arguments) ->
                  TamperedDataSource.passed(connection, method, withoutLock(method, arguments)));
      assertThat(deadlocks(inbox, consumers)).isZero();
      assertThat(deadlocks(inbox, slotless)).isPositive();
    }
  }

  private static Object[] withoutLock(Method method, Object[] arguments) {
    if (method.getName().equals("prepareStatement")
        && arguments[0] instanceof String sql
        && sql.contains("_slot")) {
      arguments[0] = sql.replaceAll("FOR UPDATE( OF s)?", "");
    }
    return arguments;
  }

  /** How many of those that waited for a receipt that was rolled back ended in a deadlock. */
  private static int deadlocks(Inbox inbox, DataSource consumers) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(WAITERS);
    int deadlocks = 0;
    try {
      for (int round = 0; round < ROUNDS; round++) {
        MessageId id = MessageId.next();
        List<Future<Answer>> waiting = new ArrayList<>();
        try (Connection first = begin(consumers)) {
          inbox.once(first, "mailer", id, transaction -> {});
          Callable<Answer> wait = () -> receive(inbox, consumers, id);
          Stream.generate(() -> wait).limit(WAITERS).forEach(w -> waiting.add(threads.submit(w)));
          assertStillWaiting(waiting.get(WAITERS - 1));
          first.rollback();
        }
        deadlocks += deadlocked(waiting);
      }
    } finally {
      threads.shutdownNow();
    }
    return deadlocks;
  }

  private static Connection begin(DataSource consumers) throws Exception {
    Connection connection = consumers.getConnection();
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    connection.setAutoCommit(false);
    return connection;
  }

  private static Answer receive(Inbox inbox, DataSource consumers, MessageId id) throws Exception {
    try (Connection connection = begin(consumers)) {
      Answer answer = inbox.once(connection, "mailer", id, transaction -> {});
      connection.commit();
      return answer;
    }
  }

  private static void assertStillWaiting(Future<Answer> last) throws Exception {
    try {
      throw new AssertionError("it did not wait: " + last.get(300, TimeUnit.MILLISECONDS));
    } catch (TimeoutException stillWaiting) {
      assertThat(last.isDone()).isFalse();
    }
  }

  private static int deadlocked(List<Future<Answer>> waiting) throws Exception {
    int deadlocks = 0;
    for (Future<Answer> each : waiting) {
      try {
        assertThat(each.get(1, TimeUnit.MINUTES)).isNotNull();
      } catch (ExecutionException e) {
        assertThat(e.getCause()).isInstanceOf(StoreException.class);
        assertThat(e.getCause().getMessage()).contains("eadlock");
        deadlocks++;
      }
    }
    return deadlocks;
  }
}
