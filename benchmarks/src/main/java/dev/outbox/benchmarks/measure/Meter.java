package dev.outbox.benchmarks.measure;

import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the server says that it has done and what processes have used, between two moments. A
 * PostgreSQL session tells what it did when it ends, at the latest: read it before the first of a
 * run begins and after the last has ended.
 *
 * <p>Used by one thread.
 */
public final class Meter {
  private static final String POSTGRES =
      """
      SELECT 'commits', xact_commit FROM pg_stat_database WHERE datname = current_database()
      UNION ALL
      SELECT 'log', CAST(pg_current_wal_insert_lsn() - '0/0' AS bigint)
      """;
  private static final String INNODB =
      """
      SHOW GLOBAL STATUS
      WHERE variable_name IN ('Com_commit', 'Questions', 'Innodb_os_log_written')
      """;

  private final Site site;
  private final Reading begin;
  private @Nullable Cpu worked;

  private Meter(Site site) throws SQLException {
    this.site = site;
    this.begin = new Reading(ask(site), Cpu.now());
  }

  public static Meter start(Site site) throws SQLException {
    return new Meter(site);
  }

  /** What processors do from now on is the measurement's own: a count of what is left, a close. */
  public void workIsOver() {
    worked = Cpu.now();
  }

  /** What was used since the start. */
  public Usage stop() throws SQLException {
    return new Reading(ask(site), worked == null ? Cpu.now() : worked).since(begin);
  }

  private record Cpu(double server, double jvm) {
    static Cpu now() {
      return new Cpu(Children.serverSeconds(), jvmSeconds());
    }
  }

  private record Reading(Map<String, Long> counters, Cpu cpu) {

    Usage since(Reading before) {
      return new Usage(
          difference(before, "commits"),
          difference(before, "statements"),
          difference(before, "log"),
          cpu.server < 0 ? -1 : cpu.server - before.cpu.server,
          cpu.jvm - before.cpu.jvm);
    }

    private long difference(Reading before, String counter) {
      Long now = counters.get(counter);
      Long then = before.counters.get(counter);
      return now == null || then == null ? -1 : now - then;
    }
  }

  private static Map<String, Long> ask(Site site) throws SQLException {
    return switch (site.database()) {
      case POSTGRES -> read(site, POSTGRES);
      case MYSQL, MARIADB -> read(site, INNODB);
      default -> Map.of();
    };
  }

  private static Map<String, Long> read(Site site, String query) throws SQLException {
    Map<String, Long> counters = new HashMap<>();
    try (Connection connection = site.open();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        counters.put(name(rows.getString(1)), rows.getLong(2));
      }
    }
    return counters;
  }

  private static String name(String counter) {
    return switch (counter.toLowerCase(Locale.ROOT)) {
      case "com_commit" -> "commits";
      case "questions" -> "statements";
      case "innodb_os_log_written" -> "log";
      default -> counter;
    };
  }

  private static double jvmSeconds() {
    var system =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return system.getProcessCpuTime() / 1e9 + Children.jvmSeconds();
  }
}
