package dev.outbox.benchmarks.workload;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.benchmarks.Setting;
import dev.outbox.benchmarks.report.Report;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Sandbox;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;

/**
 * What a million messages that are due in days cost the present: the speed at which 50,000 fresh
 * ones drain beside them, over their speed alone; the median of five drains each.
 */
final class Delayed implements Workload {
  private static final int AT_A_TIME = 500;
  private static final int DRAINS = 5;

  @Override
  public void run(Setting setting, Report report) throws Exception {
    int delayed = setting.quick() ? 100_000 : 1_000_000;
    int fresh = setting.quick() ? 20_000 : 50_000;
    try (Sandbox sandbox = setting.database().sandbox()) {
      DataSource pool = sandbox.pool(6);
      Schema.builder(pool).create();
      JdbcStore store = JdbcStore.create(pool);
      drain(pool, store, fresh);
      double alone = median(pool, store, fresh);
      delay(pool, Outbox.create(store), delayed);
      double beside = median(pool, store, fresh);
      System.out.printf(
          "delayed %s: alone %.0f, beside %d delayed ones %.0f msg/s%n",
          setting.database(), alone, delayed, beside);
      System.out.printf("ratio delayed %s beside/alone %.2f%n", setting.database(), beside / alone);
    }
  }

  private static double median(DataSource pool, JdbcStore store, int fresh) throws Exception {
    double[] rates = new double[DRAINS];
    for (int drain = 0; drain < DRAINS; drain++) {
      rates[drain] = drain(pool, store, fresh);
    }
    Arrays.sort(rates);
    return rates[DRAINS / 2];
  }

  private static double drain(DataSource pool, JdbcStore store, int count) throws Exception {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      for (int from = 0; from < count; from += AT_A_TIME) {
        Feeder.write(connection, Outbox.create(store), "t", from, AT_A_TIME);
      }
    }
    CountDownLatch left = new CountDownLatch(count);
    Publisher publisher = Publisher.blocking(envelope -> left.countDown());
    long begun = System.nanoTime();
    Relay relay = Relay.builder(store, publisher).start();
    try (relay) {
      left.await();
      return count * 1e9 / (System.nanoTime() - begun);
    }
  }

  private static void delay(DataSource pool, Outbox outbox, int count) throws Exception {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      for (int from = 0; from < count; from += AT_A_TIME) {
        List<Message> messages = new ArrayList<>();
        for (int number = from; number < from + AT_A_TIME; number++) {
          messages.add(
              Message.to("t")
                  .key("k" + number % 1000)
                  .deliverAfter(Duration.ofDays(10).plusSeconds(number))
                  .bytes(new byte[200]));
        }
        outbox.enqueue(connection, messages);
        connection.commit();
      }
    }
  }
}
