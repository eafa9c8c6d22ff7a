package dev.outbox.jdbc.internal.operate;

import dev.outbox.Claiming;
import dev.outbox.Snapshot;
import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.Fault;
import dev.outbox.jdbc.dialect.Limits;
import dev.outbox.jdbc.internal.session.Faults;
import dev.outbox.jdbc.internal.session.Session;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.sql.DeadStatement;
import dev.outbox.jdbc.sql.RegistryStatement;
import dev.outbox.spi.Purged;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * What a store asks now and then, over connections borrowed call by call.
 *
 * <p>Safe for use by many threads.
 */
public final class StoreQueries {
  private final DataSource dataSource;
  private final Sql sql;
  private final Dialect dialect;
  private final Limits limits;
  private final Claiming claiming;

  public StoreQueries(DataSource dataSource, Sql sql, Limits limits, Claiming claiming) {
    this.dataSource = dataSource;
    this.sql = sql;
    this.dialect = sql.dialect();
    this.limits = limits;
    this.claiming = claiming;
  }

  public Instant now() {
    return Session.once(
        dataSource,
        sql,
        limits,
        "read the clock",
        connection ->
            sql.query(
                    connection,
                    RegistryStatement.NOW,
                    Map.of(),
                    row -> Objects.requireNonNull(dialect.instant(row, 1)))
                .get(0));
  }

  /** What is in the tables, counting no further than {@code bound} in each. */
  public Snapshot snapshot(long bound) {
    Snapshots snapshots = new Snapshots(sql, claiming);
    try (Session session = new Session(dataSource, sql, limits)) {
      return session.read("take a snapshot", connection -> snapshots.take(connection, bound));
    }
  }

  /** Deletes archived messages completed at {@code from} or later; says how far it has come. */
  public Purged purgeArchive(Duration retention, Instant from, int atMost) {
    return Session.once(
        dataSource,
        sql,
        limits,
        "purge archived messages",
        connection -> purgeArchive(connection, retention, from, atMost));
  }

  private Purged purgeArchive(Connection connection, Duration retention, Instant from, int atMost) {
    Map<String, Object> old = Map.of("retention", retention, "from", from, "limit", atMost);
    Instant upTo =
        sql.query(
                connection,
                DeadStatement.OLD_ARCHIVE,
                old,
                row -> Optional.ofNullable(dialect.instant(row, 1)))
            .get(0)
            .orElse(null);
    if (upTo == null) {
      return new Purged(0, from);
    }
    Map<String, Object> batch = Map.of("from", from, "up_to", upTo, "limit", atMost);
    return new Purged(sql.update(connection, DeadStatement.PURGE_ARCHIVE, batch), upTo);
  }

  /** True when there is no table for delivered messages. */
  public boolean isWithoutArchive() {
    return Session.once(
        dataSource,
        sql,
        limits,
        "look for the archive",
        connection -> {
          try {
            sql.query(connection, "SELECT 1 FROM {archive} WHERE 1 = 0", Map.of(), row -> row);
            return false;
          } catch (RuntimeException e) {
            connection.rollback();
            Faults faults = Faults.behind(e, dialect);
            return faults != null && faults.fault() == Fault.MISSING;
          }
        });
  }
}
