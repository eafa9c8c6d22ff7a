package dev.outbox.benchmarks;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.benchmarks.Benchmarks.Setting;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.testkit.database.Database;
import dev.outbox.testkit.database.Sandbox;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;

/**
 * A steady load with an old transaction held open beside it: 10,000 messages always waiting, one
 * relay, one feeder, messages per second in each window.
 */
final class OldSnapshot implements Benchmarks.Workload {
  private static final long WAITING = 10_000;
  private static final int WINDOWS = 4;

  /** The transaction that is held open. */
  private enum Old {
    NONE,
    /** Has read, at REPEATABLE READ: dead rows cannot be removed. */
    SNAPSHOT,
    /** Has written to another table and idles. */
    WRITER,
    /** Has enqueued: the floor has to wait for it. */
    ENQUEUE
  }

  @Override
  public void run(Setting setting) throws Exception {
    Duration window = Duration.ofSeconds(setting.quick() ? 3 : 10);
    System.out.printf(
        "snapshot: %s, %d waiting, msg/s in windows of %d s after one of warm-up%n",
        setting.database(), WAITING, window.toSeconds());
    for (Old old : Old.values()) {
      measure(setting.database(), old, window);
    }
  }

  private static void measure(Database database, Old old, Duration window) throws Exception {
    LongAdder published = new LongAdder();
    try (Sandbox sandbox = database.sandbox()) {
      DataSource pool = sandbox.pool(6);
      Schema.of(pool).create();
      JdbcStore store = JdbcStore.create(pool);
      Outbox outbox = Outbox.create(store);
      try (Connection held = hold(sandbox, outbox, old);
          Relay relay =
              Relay.builder(store, Publisher.blocking(envelope -> published.increment())).start();
          Feeder feeder = new Feeder(pool, outbox, "t", WAITING, published::sum)) {
        feeder.start();
        StringBuilder line = new StringBuilder();
        long[] rates = new long[WINDOWS];
        Thread.sleep(window.toMillis());
        for (int number = 0; number < WINDOWS; number++) {
          rates[number] = rate(published, window);
          line.append(" %7d".formatted(rates[number]));
        }
        System.out.printf(
            "snapshot %-9s %s   late=%d%n", old, line, relay.status().counts().foundLate());
        System.out.printf(
            "ratio snapshot %s %s last/first %.2f%n",
            database, old, (double) rates[WINDOWS - 1] / Math.max(1, rates[0]));
        held.rollback();
      }
    }
  }

  private static long rate(LongAdder published, Duration window) throws InterruptedException {
    long before = published.sum();
    long begun = System.nanoTime();
    Thread.sleep(window.toMillis());
    return (published.sum() - before) * 1_000_000_000L / (System.nanoTime() - begun);
  }

  private static Connection hold(Sandbox sandbox, Outbox outbox, Old old) throws Exception {
    Connection connection = sandbox.open();
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE elsewhere (id INT)");
      connection.setAutoCommit(false);
      if (old == Old.SNAPSHOT) {
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        statement.executeQuery("SELECT COUNT(*) FROM outbox").close();
      } else if (old == Old.WRITER) {
        statement.execute("INSERT INTO elsewhere VALUES (1)");
      } else if (old == Old.ENQUEUE) {
        outbox.enqueue(connection, Message.to("t").key("held open").text("late"));
      }
    }
    return connection;
  }
}
