package dev.outbox.benchmarks.workload;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.benchmarks.Setting;
import dev.outbox.benchmarks.measure.JavaProcess;
import dev.outbox.benchmarks.report.Report;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Sandbox;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;

/**
 * Drains large backlogs in its own JVM with a small heap: 1,000,000 messages of 1 KiB with 64 MiB,
 * 2,000 of 1 MiB with 128 MiB.
 */
final class Memory implements Workload {
  @Override
  public void run(Setting setting, Report report) throws Exception {
    drain(setting, setting.quick() ? 100_000 : 1_000_000, 1024, "64m");
    drain(setting, setting.quick() ? 300 : 2_000, 1024 * 1024, "128m");
  }

  private static void drain(Setting setting, int count, int bytes, String heap) throws Exception {
    try (Sandbox sandbox = setting.database().sandbox()) {
      Schema.builder(sandbox.dataSource()).create();
      fill(sandbox.pool(2), count, bytes);
      Process drainer =
          JavaProcess.of(
                  heap,
                  Drainer.class,
                  List.of(
                      sandbox.url(), sandbox.user(), sandbox.password(), Integer.toString(count)))
              .inheritIO()
              .start();
      int exit = drainer.waitFor();
      System.out.printf(
          "memory %s: %d messages of %d bytes with -Xmx%s: %s%n",
          setting.database(), count, bytes, heap, exit == 0 ? "drained" : "FAILED, exit " + exit);
    }
  }

  private static void fill(DataSource pool, int count, int bytes) throws Exception {
    Outbox outbox = Outbox.create(JdbcStore.create(pool));
    int atATime = Math.max(1, Math.min(500, 4 * 1024 * 1024 / bytes));
    byte[] payload = new byte[bytes];
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      for (int from = 0; from < count; from += atATime) {
        List<Message> messages = new ArrayList<>();
        for (int number = from; number < Math.min(count, from + atATime); number++) {
          messages.add(Message.to("t").key("k" + number % 1000).bytes(payload));
        }
        outbox.enqueue(connection, messages);
        connection.commit();
      }
    }
  }

  /** The program of the small JVM: URL, user, password, number of messages. */
  static final class Drainer {
    private Drainer() {}

    public static void main(String[] arguments) throws Exception {
      HikariConfig config = new HikariConfig();
      config.setJdbcUrl(arguments[0]);
      config.setUsername(arguments[1]);
      config.setPassword(arguments[2]);
      config.setMaximumPoolSize(3);
      CountDownLatch left = new CountDownLatch(Integer.parseInt(arguments[3]));
      long begun = System.nanoTime();
      try (HikariDataSource pool = new HikariDataSource(config);
          Relay relay =
              Relay.builder(
                      JdbcStore.create(pool), Publisher.blocking(envelope -> left.countDown()))
                  .start()) {
        left.await();
        long millis = (System.nanoTime() - begun) / 1_000_000;
        System.out.printf("drained in %d ms: %s%n", millis, relay.status().counts());
      }
    }
  }
}
