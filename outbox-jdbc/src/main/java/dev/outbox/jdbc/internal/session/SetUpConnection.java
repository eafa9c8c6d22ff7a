package dev.outbox.jdbc.internal.session;

import dev.outbox.StoreException;
import dev.outbox.internal.connection.CutConnection;
import dev.outbox.jdbc.dialect.Limits;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

/**
 * A connection out of the user's pool, set up for our use, with what is needed to return it as it
 * came. Where a pooler may lend the server's session to others, nothing is set for longer than a
 * transaction.
 *
 * <p>Used by one thread, but for {@link #discard}.
 */
final class SetUpConnection {
  private static final int VALID_SECONDS = 5;

  private final Connection connection;
  private final Sql sql;
  private final Limits limits;
  private final Before before;
  private final boolean local;
  private final AtomicBoolean ended = new AtomicBoolean();
  private long usedAt = System.nanoTime();

  /** The settings that we change. */
  private record Before(
      boolean autoCommit, int isolation, int networkTimeout, Map<String, Object> limits) {}

  private SetUpConnection(Connection connection, Sql sql, Limits limits, Before before)
      throws SQLException {
    this.connection = connection;
    this.sql = sql;
    this.limits = limits;
    this.before = before;
    this.local = mayBeLentToOthers();
  }

  static SetUpConnection from(DataSource dataSource, Sql sql, Limits limits) throws SQLException {
    Connection connection = lent(dataSource);
    try {
      return setUp(connection, sql, limits);
    } catch (Throwable t) {
      CutConnection.cut(connection);
      throw t;
    }
  }

  private static Connection lent(DataSource dataSource) throws SQLException {
    try {
      return dataSource.getConnection();
    } catch (SQLException e) {
      throw ClosedPoolException.of(e);
    } catch (IllegalStateException e) {
      throw ClosedPoolException.of(e);
    }
  }

  private static SetUpConnection setUp(Connection connection, Sql sql, Limits limits)
      throws SQLException {
    boolean autoCommit = connection.getAutoCommit();
    if (!autoCommit) {
      connection.rollback();
      connection.setAutoCommit(true);
    }
    int networkTimeout = NetworkTimeout.of(connection);
    NetworkTimeout.set(connection, Math.toIntExact(Math.max(1, limits.network().toMillis())));
    Before before =
        new Before(
            autoCommit,
            connection.getTransactionIsolation(),
            networkTimeout,
            readLimits(connection, sql));
    Object home = before.limits().get("home");
    sql.foundIn(home == null ? null : home.toString());
    SetUpConnection setUpConnection = new SetUpConnection(connection, sql, limits, before);
    setUpConnection.limitSession();
    connection.setAutoCommit(false);
    return setUpConnection;
  }

  private boolean mayBeLentToOthers() throws SQLException {
    if (sql.statements().limits().local().isEmpty() || sql.keepsSessions()) {
      return false;
    }
    Object session = Objects.requireNonNull(before.limits().get("session"));
    return Pooler.mayStandBefore(connection, Long.parseLong(session.toString()));
  }

  private void limitSession() throws SQLException {
    if (local) {
      return;
    }
    readCommitted(connection);
    writeLimits(sql.statements().limits().write(), sql.dialect().limits(limits));
  }

  private static void readCommitted(Connection connection) throws SQLException {
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    int isolation = connection.getTransactionIsolation();
    if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
      throw StoreException.lasting(
          "the connection runs at isolation level %d after READ COMMITTED (%d) was set; no pool or proxy may override it"
              .formatted(isolation, Connection.TRANSACTION_READ_COMMITTED),
          null);
    }
  }

  private static Map<String, Object> readLimits(Connection connection, Sql sql)
      throws SQLException {
    String read = sql.statements().limits().read();
    return sql.ask(connection, read, Map.of(), 0, SetUpConnection::columns).get(0);
  }

  private static Map<String, Object> columns(ResultSet row) throws SQLException {
    Map<String, Object> values = new HashMap<>();
    ResultSetMetaData metadata = row.getMetaData();
    for (int i = 1; i <= metadata.getColumnCount(); i++) {
      values.put(metadata.getColumnLabel(i).toLowerCase(Locale.ROOT), row.getObject(i));
    }
    return values;
  }

  // PostgreSQL sets by SELECT, the others by SET
  private void writeLimits(String text, Map<String, Object> values) throws SQLException {
    NamedSql write = sql.named(text);
    try (var statement = connection.prepareStatement(write.text())) {
      sql.bind(statement, 1, write, values);
      statement.execute();
    }
  }

  Connection connection() {
    return connection;
  }

  /** The connection, for statements that need no limits in their transaction. */
  Connection use() {
    usedAt = System.nanoTime();
    return connection;
  }

  /** True when the limits of a transaction have to be set in it. */
  boolean isLocal() {
    return local;
  }

  /** The connection for a new transaction. */
  Connection begin() throws SQLException {
    usedAt = System.nanoTime();
    if (local) {
      writeLimits(sql.statements().limits().local(), sql.dialect().limits(limits));
    }
    return connection;
  }

  /** True when it rested so long that the server may have ended it, and it does not answer. */
  boolean isStale() throws SQLException {
    boolean rested = System.nanoTime() - usedAt > limits.idle().toNanos() / 2;
    return rested && !connection.isValid(VALID_SECONDS);
  }

  void giveBack() throws SQLException {
    connection.rollback();
    connection.setAutoCommit(true);
    if (!local) {
      writeLimits(sql.statements().limits().write(), before.limits());
      connection.setTransactionIsolation(before.isolation());
    }
    NetworkTimeout.set(connection, before.networkTimeout());
    connection.setAutoCommit(before.autoCommit());
    if (ended.compareAndSet(false, true)) {
      connection.close();
    }
  }

  /** Ends it, from any thread; a call that another one is making fails. */
  void discard() {
    if (ended.compareAndSet(false, true)) {
      CutConnection.cut(connection);
    }
  }
}
