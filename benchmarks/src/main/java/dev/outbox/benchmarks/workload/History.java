package dev.outbox.benchmarks.workload;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.benchmarks.Setting;
import dev.outbox.benchmarks.report.Report;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Sandbox;
import java.sql.Connection;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;

/**
 * What it costs to keep delivered messages: the speed at which a backlog drains into an archive
 * that grows, over the speed at which it is deleted, medians of interleaved drains in one run; and
 * the last drains into the archive over the first, beside the same of those without one.
 */
final class History implements Workload {
  private static final int AT_A_TIME = 500;

  @Override
  public void run(Setting setting, Report report) throws Exception {
    int count = setting.quick() ? 20_000 : 50_000;
    int drains = setting.quick() ? 3 : 9;
    try (Sandbox sandbox = setting.database().sandbox()) {
      DataSource pool = sandbox.pool(6);
      Schema.builder(pool).create();
      Schema.builder(pool).tablePrefix("kept").with(Schema.Part.ARCHIVE).create();
      JdbcStore deleting = JdbcStore.create(pool);
      JdbcStore keeping = JdbcStore.builder(pool).tablePrefix("kept").archive().build();
      drain(pool, deleting, count);
      drain(pool, keeping, count);
      double[] deleted = new double[drains];
      double[] kept = new double[drains];
      for (int drain = 0; drain < drains; drain++) {
        deleted[drain] = drain(pool, deleting, count);
        kept[drain] = drain(pool, keeping, count);
      }
      double without = median(deleted, 0, drains);
      double with = median(kept, 0, drains);
      System.out.printf(
          "history %s: deleted %.0f, archived %.0f msg/s, the archive at %d messages%n",
          setting.database(), without, with, (drains + 1) * count);
      System.out.printf(
          "ratio history %s archived/deleted %.2f%n", setting.database(), with / without);
      System.out.printf(
          "ratio history %s last/first third, archived %.2f, deleted %.2f%n",
          setting.database(), growth(kept), growth(deleted));
    }
  }

  private static double growth(double[] rates) {
    int third = rates.length / 3;
    return median(rates, rates.length - third, rates.length) / median(rates, 0, third);
  }

  private static double median(double[] rates, int from, int to) {
    double[] sorted = Arrays.copyOfRange(rates, from, to);
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
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
    }
    return count * 1e9 / (System.nanoTime() - begun);
  }
}
