package dev.outbox.jdbc.internal.ids;

import dev.outbox.jdbc.dialect.Limits;
import dev.outbox.jdbc.internal.ids.IdCounters.Behind;
import dev.outbox.jdbc.internal.ids.IdCounters.Counter;
import dev.outbox.jdbc.internal.session.Faults;
import dev.outbox.jdbc.internal.session.NetworkTimeout;
import dev.outbox.jdbc.internal.session.Session;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.shape.NextIdSql;
import dev.outbox.jdbc.sql.IdStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/**
 * Raises what lies behind, and every epoch.
 *
 * <p>Used by one thread. One connection holds a lock, so that of two operators the second looks at
 * what the first has raised; another one works, because DDL ends a transaction on most databases.
 */
public final class RaisedIds {
  /** The connection with the lock rests for as long as the other one works. */
  private static final Limits LIMITS =
      new Limits(Duration.ofHours(1), Duration.ofDays(1), Duration.ofHours(1), Duration.ofHours(1));

  private final DataSource dataSource;
  private final Sql sql;
  private final IdCounters ids;

  private RaisedIds(DataSource dataSource, Sql sql) {
    this.dataSource = dataSource;
    this.sql = sql;
    this.ids = new IdCounters(sql);
  }

  /** Looks at every dead letter. Returns the statements that it ran. */
  public static List<String> raise(DataSource dataSource, Sql sql) {
    try {
      return new RaisedIds(dataSource, sql).underLock();
    } catch (SQLException | RuntimeException e) {
      Faults faults = Faults.behind(e, sql.dialect());
      if (faults == null) {
        throw new IllegalStateException("raise the ids: " + e.getMessage(), e);
      }
      throw faults.toException("raise the ids");
    }
  }

  // a session gives back its connection without an exception, also one that is lost by then
  private List<String> underLock() throws SQLException {
    String lock = sql.statements().text(IdStatement.LOCK_RAISING);
    try (Session session = new Session(dataSource, sql, LIMITS)) {
      session.begin("raise the ids", connection -> sql.ask(connection, lock, Map.of(), 0, r -> r));
      return alone();
    }
  }

  /** Without a limit of the driver's: a look at all dead letters takes its time. */
  private List<String> alone() throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      boolean autoCommit = connection.getAutoCommit();
      int networkTimeout = NetworkTimeout.of(connection);
      connection.setAutoCommit(true);
      NetworkTimeout.set(connection, 0);
      try {
        return raise(connection);
      } finally {
        NetworkTimeout.set(connection, networkTimeout);
        connection.setAutoCommit(autoCommit);
      }
    }
  }

  private List<String> raise(Connection connection) throws SQLException {
    refuseUntold(connection);
    List<String> statements = new ArrayList<>();
    try (Statement statement = connection.createStatement()) {
      for (Behind behind : ids.behind(connection, Integer.MAX_VALUE)) {
        raise(statement, behind.raise());
        statements.add(behind.raise());
      }
      String epochs = ids.raiseEpochs();
      statement.execute(epochs);
      statements.add(epochs);
    }
    return statements;
  }

  private void refuseUntold(Connection connection) throws SQLException {
    for (Counter counter : Counter.values()) {
      if (ids.next(connection, counter).isEmpty()) {
        throw new IllegalStateException(
            "the database does not show the next id of %s. Run this as the owner of the tables"
                .formatted(ids.name(counter)));
      }
    }
  }

  private void raise(Statement statement, String raise) throws SQLException {
    if (!(sql.statements().nextId() instanceof NextIdSql.Shown shown)) {
      statement.execute(raise);
      return;
    }
    statement.execute(shown.waitBriefly());
    try {
      statement.execute(raise);
    } finally {
      statement.execute(shown.waitAsBefore());
    }
  }
}
