package dev.outbox.jdbc.internal.wakeup;

import dev.outbox.internal.connection.CutConnection;
import dev.outbox.jdbc.internal.session.NetworkTimeout;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

/**
 * Our own connection out of the user's data source, in autocommit mode and with a limit for the
 * network.
 *
 * <p>Used by one thread; {@link #cut} may be called from any.
 */
final class WakeupConnection {
  private static final int PATIENCE_MILLIS = Math.toIntExact(Duration.ofSeconds(5).toMillis());

  private final Connection connection;
  private final boolean autoCommit;
  private final int networkTimeout;
  private final AtomicBoolean ended = new AtomicBoolean();

  private WakeupConnection(Connection connection) throws SQLException {
    this.connection = connection;
    this.autoCommit = connection.getAutoCommit();
    this.networkTimeout = NetworkTimeout.of(connection);
  }

  static WakeupConnection open(DataSource dataSource) throws SQLException {
    Connection connection = dataSource.getConnection();
    try {
      WakeupConnection wakeupConnection = new WakeupConnection(connection);
      wakeupConnection.setUp();
      return wakeupConnection;
    } catch (Throwable t) {
      CutConnection.cut(connection);
      throw t;
    }
  }

  private void setUp() throws SQLException {
    if (!autoCommit) {
      connection.rollback();
      connection.setAutoCommit(true);
    }
    NetworkTimeout.set(connection, PATIENCE_MILLIS);
  }

  Connection connection() {
    return connection;
  }

  /** Returns the connection as it came. */
  void giveBack() throws SQLException {
    NetworkTimeout.set(connection, networkTimeout);
    connection.setAutoCommit(autoCommit);
    if (ended.compareAndSet(false, true)) {
      connection.close();
    }
  }

  /** Breaks the connection, whatever it is doing; its pool does not lend it again. */
  void cut() {
    if (ended.compareAndSet(false, true)) {
      CutConnection.cut(connection);
    }
  }
}
