package dev.outbox.jdbc.internal.doctor;

import dev.outbox.OutboxException.Finding;
import dev.outbox.jdbc.internal.doctor.base.Check;
import dev.outbox.jdbc.internal.doctor.base.ExaminedDatabase;
import dev.outbox.jdbc.internal.doctor.base.FindingCode;
import dev.outbox.jdbc.internal.doctor.base.ResultRow;
import dev.outbox.jdbc.internal.doctor.probe.Probes;
import dev.outbox.jdbc.sql.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What every database is asked about a session of ours. Each leaves the session as it was. */
final class SessionChecks {
  private static final Duration OFFSET = Duration.ofSeconds(2);
  private static final int SOME_MILLIS = 60_000;

  private SessionChecks() {}

  /** Sets nothing in the session unless it is {@code kept}: others would inherit it. */
  static List<Check> all(Probes probes, InstantSource clock, boolean kept) {
    List<Check> checks = new ArrayList<>();
    checks.add(new Check("whether autocommit can be switched off", SessionChecks::autoCommit));
    checks.add(new Check("whether the connection only reads", SessionChecks::readOnly));
    checks.add(new Check("the network timeout", SessionChecks::networkTimeout));
    checks.add(
        new Check(
            "the database's clock", examinedDatabase -> clock(examinedDatabase, probes, clock)));
    if (kept) {
      checks.add(new Check("the isolation level", SessionChecks::isolation));
      checks.add(
          new Check(
              "the server-side limits of the session",
              examinedDatabase -> limits(examinedDatabase, probes)));
    }
    return checks;
  }

  private static List<Finding> autoCommit(ExaminedDatabase examinedDatabase) throws SQLException {
    Connection connection = examinedDatabase.connection();
    connection.setAutoCommit(false);
    boolean forced = connection.getAutoCommit();
    connection.setAutoCommit(true);
    return FindingCode.AUTOCOMMIT_FORCED.when(
        forced,
        "autocommit stays on after setAutoCommit(false), so no write of the outbox is part of a transaction. Remove the option from the pool, driver or proxy that forces it");
  }

  private static List<Finding> isolation(ExaminedDatabase examinedDatabase) throws SQLException {
    Connection connection = examinedDatabase.connection();
    int before = connection.getTransactionIsolation();
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    int found = connection.getTransactionIsolation();
    connection.setTransactionIsolation(before);
    return FindingCode.ISOLATION_FORCED.when(
        found != Connection.TRANSACTION_READ_COMMITTED,
        "a connection runs at isolation level %d after READ COMMITTED (%d) was set. Remove the override from the pool, driver or proxy"
            .formatted(found, Connection.TRANSACTION_READ_COMMITTED));
  }

  private static List<Finding> readOnly(ExaminedDatabase examinedDatabase) throws SQLException {
    return examinedDatabase.connection().isReadOnly() ? List.of(FindingCode.readOnly()) : List.of();
  }

  private static List<Finding> networkTimeout(ExaminedDatabase examinedDatabase)
      throws SQLException {
    Connection connection = examinedDatabase.connection();
    boolean kept =
        keepsNetworkTimeout(connection) || examinedDatabase.dialect().name().equals("h2");
    return FindingCode.NETWORK_TIMEOUT_MISSING.when(
        !kept,
        "the driver or pool has no setNetworkTimeout, so a dead network hangs the relay until TCP gives up. Use the database's own driver, or set its socket timeout to 15 s in the URL");
  }

  private static boolean keepsNetworkTimeout(Connection connection) throws SQLException {
    try {
      int before = connection.getNetworkTimeout();
      connection.setNetworkTimeout(Runnable::run, SOME_MILLIS);
      boolean kept = connection.getNetworkTimeout() == SOME_MILLIS;
      connection.setNetworkTimeout(Runnable::run, before);
      return kept;
    } catch (SQLFeatureNotSupportedException e) {
      return false;
    }
  }

  private static List<Finding> limits(ExaminedDatabase examinedDatabase, Probes probes)
      throws SQLException {
    if (!examinedDatabase.isRelay() || probes.limits().isEmpty()) {
      return List.of();
    }
    var sql = Statements.of(examinedDatabase.dialect()).limits();
    Map<String, Object> wanted = examinedDatabase.dialect().limits(examinedDatabase.limits());
    ResultRow before = examinedDatabase.settings(sql.read());
    examinedDatabase.set(sql.write(), wanted);
    ResultRow found = examinedDatabase.settings(probes.limits());
    examinedDatabase.set(sql.write(), before.columns());
    List<String> forced =
        wanted.entrySet().stream()
            .filter(limit -> found.number(limit.getKey()) != number(limit.getValue()))
            .map(
                limit ->
                    "%s is %s after %s was set"
                        .formatted(limit.getKey(), found.text(limit.getKey()), limit.getValue()))
            .sorted()
            .toList();
    return FindingCode.LIMITS_FORCED.when(
        !forced.isEmpty(),
        "the session does not keep the limits that end a stuck relay before its lease of %s does: %s. Connect to the server without the pooler, or with one that keeps sessions"
            .formatted(examinedDatabase.usage().lease(), String.join(", ", forced)));
  }

  private static long number(Object value) {
    return Long.parseLong(value.toString());
  }

  private static List<Finding> clock(
      ExaminedDatabase examinedDatabase, Probes probes, InstantSource clock) throws SQLException {
    long before = clock.millis();
    long database = examinedDatabase.row(probes.clock()).number("millis");
    long after = clock.millis();
    long offset = database > after ? database - after : Math.min(0, database - before);
    return FindingCode.CLOCK_OFFSET.when(
        Math.abs(offset) > OFFSET.toMillis(),
        "the database's clock is %d ms %s this machine's. Leases and due times use the database's clock, so times in your logs differ from them; synchronise both by NTP"
            .formatted(Math.abs(offset), offset > 0 ? "ahead of" : "behind"));
  }
}
