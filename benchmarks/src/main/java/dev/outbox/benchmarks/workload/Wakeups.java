package dev.outbox.benchmarks.workload;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.benchmarks.Setting;
import dev.outbox.benchmarks.report.Report;
import dev.outbox.benchmarks.workload.Writers.Committed;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.PostgresWakeup;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.spi.OutboxStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * From the commit to the publisher at 500 messages a second: through an adapter, from a raw
 * connection, and on PostgreSQL from another process. One relay with the defaults, 32 lanes, 1,000
 * keys.
 */
final class Wakeups implements Workload {
  private static final int PER_SECOND = 500;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** What the writers of one way have committed. */
  private interface Writing {
    List<Committed> write(Duration length) throws Exception;
  }

  private record Lengths(Duration warmUp, Duration measured) {
    static Lengths of(Setting setting) {
      return setting.quick()
          ? new Lengths(Duration.ofSeconds(3), Duration.ofSeconds(5))
          : new Lengths(Duration.ofSeconds(10), Duration.ofSeconds(30));
    }
  }

  @Override
  public void run(Setting setting, Report report) throws Exception {
    Lengths lengths = Lengths.of(setting);
    try (Sandbox sandbox = setting.database().sandbox()) {
      Schema.builder(sandbox.dataSource()).create();
      System.out.printf(
          "wakeups: %s, %d msg/s for %d s after %d s of warm-up, ms from commit to publisher%n",
          sandbox.server().source(),
          PER_SECOND,
          lengths.measured().toSeconds(),
          lengths.warmUp().toSeconds());
      System.out.printf(
          "%-14s %8s %24s   %24s   %s%n", "", "", "from its return", "from its call", "target");
      System.out.printf(
          "%-14s %8s %8s%8s%8s   %8s%8s%8s   %s%n",
          "way", "messages", "p50", "p99", "max", "p50", "p99", "max", "p50 / p99");
      inThisProcess(sandbox, lengths);
      if (setting.database() == Database.POSTGRES) {
        fromAnotherProcess(sandbox, lengths);
      }
    }
  }

  private static void inThisProcess(Sandbox sandbox, Lengths lengths) throws Exception {
    DataSource applications = sandbox.pool(8);
    JdbcStore store = JdbcStore.create(sandbox.pool(4));
    Outbox outbox = Outbox.create(store);
    Writers adapter = new Writers(applications, outbox, Writers.Way.ADAPTER);
    Writers raw = new Writers(applications, outbox, Writers.Way.RAW);
    measure("adapter", "1 / 8", store, lengths, length -> adapter.write(PER_SECOND, length));
    measure("raw connection", "5 / 20", store, lengths, length -> raw.write(PER_SECOND, length));
  }

  private static void fromAnotherProcess(Sandbox sandbox, Lengths lengths) throws Exception {
    DataSource pool = sandbox.pool(6);
    try (PostgresWakeup wakeup = PostgresWakeup.create(pool);
        RemoteWriters writers = RemoteWriters.start(sandbox)) {
      JdbcStore store = JdbcStore.builder(pool).wakeup(wakeup).build();
      measure(
          "other process", "5 / -", store, lengths, length -> writers.write(PER_SECOND, length));
    }
  }

  private static void measure(
      String way, String target, OutboxStore store, Lengths lengths, Writing writing)
      throws Exception {
    Map<MessageId, Long> arrivals = new ConcurrentHashMap<>();
    LongAdder repeated = new LongAdder();
    Publisher publisher =
        Publisher.blocking(
            envelope -> {
              if (arrivals.putIfAbsent(envelope.id(), Writers.now()) != null) {
                repeated.increment();
              }
            });
    Relay relay = Relay.builder(store, publisher).start();
    try (relay) {
      await(arrivals, writing.write(lengths.warmUp()));
      List<Committed> committed = writing.write(lengths.measured());
      await(arrivals, committed);
      print(way, target, committed, arrivals);
    }
    if (repeated.sum() > 0) {
      throw new IllegalStateException(repeated + " messages arrived again");
    }
  }

  private static void await(Map<MessageId, Long> arrivals, List<Committed> committed) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!committed.stream().allMatch(each -> arrivals.containsKey(each.id()))) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException("messages are missing after " + PATIENCE);
      }
      LockSupport.parkNanos(10_000_000);
    }
  }

  private static void print(
      String way, String target, List<Committed> committed, Map<MessageId, Long> arrivals) {
    Latencies returned = Latencies.between(committed, Committed::returned, arrivals);
    Latencies called = Latencies.between(committed, Committed::called, arrivals);
    System.out.printf(
        "%-14s %8d %8.2f%8.2f%8.2f   %8.2f%8.2f%8.2f   %s%n",
        way,
        returned.count(),
        returned.millis(0.5),
        returned.millis(0.99),
        returned.millis(1),
        called.millis(0.5),
        called.millis(0.99),
        called.millis(1),
        target);
  }
}
