package dev.outbox.benchmarks.databases;

import dev.outbox.benchmarks.Setting;
import dev.outbox.benchmarks.measure.Measures;
import dev.outbox.benchmarks.measure.Samples;
import dev.outbox.benchmarks.measure.Times;
import dev.outbox.benchmarks.report.Report;
import dev.outbox.benchmarks.report.Variant;
import dev.outbox.benchmarks.workload.Workload;
import dev.outbox.servers.Database;
import dev.outbox.servers.DatabaseServer;
import dev.outbox.servers.Sandbox;
import dev.outbox.testkit.network.TcpProxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Ten databases behind one process, which share publisher and publish threads. One of them falls
 * silent, is killed, or has a long backlog. The time from commit to publisher of the other nine,
 * over that just before.
 */
public final class Neighbours implements Workload {
  private static final int NEIGHBOURS = 9;
  private static final int PER_SECOND = 200;
  private static final int BACKLOG = 200_000;

  /** What is done to the one database. */
  private enum Fault {
    /** Its server answers nothing any more. */
    SILENT,
    /** Its server is killed. */
    KILLED,
    /** It has a long backlog. */
    BUSY
  }

  @Override
  public void run(Setting setting, Report report) throws Exception {
    if (setting.database() != Database.POSTGRES) {
      throw new IllegalArgumentException("neighbours runs on postgres only; leave out --db");
    }
    DatabaseServer healthy = DatabaseServer.postgres();
    DatabaseServer victim = DatabaseServer.postgres();
    try {
      for (Fault fault : Fault.values()) {
        Samples samples = new Samples();
        for (int round = 0; round < setting.roundsOr(3); round++) {
          samples.add(measure(setting, healthy, victim, fault));
        }
        Variant variant = Variant.NONE.with("one of ten is", fault.name().toLowerCase(Locale.ROOT));
        report.medians(variant, "outbox", samples);
        report.ratio(variant, "p99 of the nine", samples.median("p99 ratio"));
      }
    } finally {
      healthy.stop();
      victim.stop();
    }
  }

  private static Measures measure(
      Setting setting, DatabaseServer healthy, DatabaseServer victim, Fault fault)
      throws Exception {
    Duration length = Duration.ofSeconds(setting.count(30, 2));
    long most = PER_SECOND * (3 * length.toSeconds() + 30) + BACKLOG;
    Sandbox sandbox = victim.sandbox();
    try (TcpProxy proxy = TcpProxy.before(sandbox.url());
        Shards shards = new Shards(most, true)) {
      shards.add(sandbox, proxy.through(sandbox.url()));
      shards.add(healthy, NEIGHBOURS);
      shards.start(Duration.ofSeconds(1));
      List<Shard> nine = shards.all().subList(1, NEIGHBOURS + 1);
      shards.paced(PER_SECOND, length.dividedBy(3), shards.all());
      Times.Quantiles before = shards.paced(PER_SECOND, length, nine);
      strike(fault, proxy, victim, shards);
      Times.Quantiles during = shards.paced(PER_SECOND, length, nine);
      heal(fault, proxy, victim);
      shards.await();
      return new Measures()
          .put("p50 before", "ms", before.millis(0.5))
          .put("p50", "ms", during.millis(0.5))
          .put("p99 before", "ms", before.millis(0.99))
          .put("p99", "ms", during.millis(0.99))
          .put("p99 ratio", "", during.millis(0.99) / before.millis(0.99));
    }
  }

  private static void strike(Fault fault, TcpProxy proxy, DatabaseServer victim, Shards shards)
      throws SQLException {
    switch (fault) {
      case SILENT -> proxy.silence();
      case KILLED -> victim.kill();
      case BUSY -> shards.fill(shards.all().get(0), BACKLOG);
    }
  }

  private static void heal(Fault fault, TcpProxy proxy, DatabaseServer victim) {
    switch (fault) {
      case SILENT -> proxy.restore();
      case KILLED -> victim.start();
      case BUSY -> {} // it drains
    }
  }
}
