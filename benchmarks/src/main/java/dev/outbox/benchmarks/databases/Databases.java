package dev.outbox.benchmarks.databases;

import dev.outbox.benchmarks.Setting;
import dev.outbox.benchmarks.measure.Measures;
import dev.outbox.benchmarks.measure.Meter;
import dev.outbox.benchmarks.measure.Samples;
import dev.outbox.benchmarks.measure.Site;
import dev.outbox.benchmarks.measure.Usage;
import dev.outbox.benchmarks.report.Report;
import dev.outbox.benchmarks.report.Variant;
import dev.outbox.benchmarks.workload.Workload;
import dev.outbox.servers.Database;
import dev.outbox.servers.DatabaseServer;
import java.lang.management.ManagementFactory;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * 1, 10 and 100 databases on one PostgreSQL server, each with its own relay in this process: what
 * they cost at rest, how fast they drain 100,000 messages, and the time from commit to publisher at
 * 200 messages a second over all.
 */
public final class Databases implements Workload {
  private static final int PER_SECOND = 200;
  private static final String COMMITS =
      "SELECT SUM(xact_commit) FROM pg_stat_database WHERE datname LIKE 'outbox\\_%'";
  private static final String SESSIONS =
      "SELECT COUNT(*) FROM pg_stat_activity WHERE datname LIKE 'outbox\\_%'";

  @Override
  public void run(Setting setting, Report report) throws Exception {
    if (setting.database() != Database.POSTGRES) {
      throw new IllegalArgumentException("databases runs on postgres only; leave out --db");
    }
    List<Integer> counts = setting.numbers("databases", List.of(1, 10, 100), List.of(1, 4));
    DatabaseServer server = DatabaseServer.postgres("max_connections=800");
    try {
      for (int count : counts) {
        for (Variant variant : variants(count)) {
          Samples samples = new Samples();
          for (int round = 0; round < setting.roundsOr(3); round++) {
            samples.add(measure(setting, server, variant));
          }
          report.medians(variant, "outbox", samples);
        }
      }
    } finally {
      server.stop();
    }
    report.bars("p99", "Commit to publisher, p99 (databases / publish threads / poll in s)", "p99");
    report.bars("drain", "Drain (databases / publish threads / poll in s)", "drain");
    report.bars(
        "cpu", "Processor of relays at rest (databases / publish threads / poll in s)", "JVM CPU");
  }

  private static List<Variant> variants(int count) {
    Variant own = Variant.NONE.with("databases", count).with("threads", "own").with("poll", 1);
    return List.of(
        own, own.with("threads", "shared"), own.with("threads", "shared").with("poll", 5));
  }

  private static Measures measure(Setting setting, DatabaseServer server, Variant variant)
      throws Exception {
    boolean shares = variant.text("threads").equals("shared");
    int backlog = setting.count(100_000, 2_000);
    Duration length = Duration.ofSeconds(setting.count(20, 2));
    Measures measures = new Measures();
    try (Shards shards = new Shards(backlog + PER_SECOND * (2 * length.toSeconds() + 2), shares)) {
      shards.add(server, variant.number("databases"));
      shards.fill(backlog);
      Site site = new Site(server.database(), server.url(), server.user(), server.password(), null);
      long heap = heap();
      long begun = System.nanoTime();
      shards.start(Duration.ofSeconds(variant.number("poll")));
      shards.await();
      measures.put("drain", "msg/s", backlog * 1e9 / (System.nanoTime() - begun));
      rest(setting, site, measures);
      measures.put("heap", "MiB more", (heap() - heap) / 1024.0 / 1024.0);
      shards.paced(PER_SECOND, length.dividedBy(4), shards.all());
      shards.paced(PER_SECOND, length, shards.all()).tell(measures);
    }
    return measures;
  }

  private static void rest(Setting setting, Site site, Measures measures) throws Exception {
    Duration length = Duration.ofSeconds(setting.count(20, 3));
    Thread.sleep(Duration.ofSeconds(setting.count(35, 2)).toMillis()); // publish threads end
    Meter meter = Meter.start(site);
    long before = site.number(COMMITS);
    Thread.sleep(length.toMillis());
    long commits = site.number(COMMITS) - before;
    Usage usage = meter.stop();
    measures
        .put("threads", "of relays", threads())
        .put("sessions", "in all", sessions(site))
        .put("transactions", "a second", (double) commits / length.toSeconds())
        .put("JVM CPU", "ms a second", usage.jvmSeconds() * 1e3 / length.toSeconds())
        .put("server CPU", "ms a second", usage.serverSeconds() * 1e3 / length.toSeconds());
  }

  private static double threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("outbox-"))
        .count();
  }

  private static double sessions(Site site) throws SQLException {
    return site.number(SESSIONS);
  }

  private static long heap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
