package dev.outbox.jdbc.internal.doctor.base;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.time.Duration;

/**
 * A transaction that is open for the server too, and the session that it is in. It waits for one no
 * longer than {@code PATIENCE}, and leaves the connection as it was.
 *
 * <p>Used by one thread.
 */
public final class ProbeTransaction implements AutoCloseable {
  private static final int PATIENCE = Math.toIntExact(Duration.ofSeconds(5).toMillis());

  private final Connection connection;
  private final boolean autoCommit;
  private final int networkTimeout;
  private final String session;

  /** Begins; {@code question} selects the server's number of the session. */
  public ProbeTransaction(Connection connection, String question) throws SQLException {
    this.connection = connection;
    this.autoCommit = connection.getAutoCommit();
    this.networkTimeout = networkTimeout();
    limitNetwork(PATIENCE);
    try {
      connection.setAutoCommit(false);
      this.session = ask(question);
    } catch (SQLException e) {
      restore(e);
      throw e;
    }
  }

  private int networkTimeout() throws SQLException {
    try {
      return connection.getNetworkTimeout();
    } catch (SQLFeatureNotSupportedException e) {
      return 0;
    }
  }

  private void limitNetwork(int millis) throws SQLException {
    try {
      connection.setNetworkTimeout(Runnable::run, millis);
    } catch (SQLFeatureNotSupportedException e) {
      // told by another check
      return;
    }
  }

  private String ask(String question) throws SQLException {
    // not prepared: a driver that prepares it in one session would miss it in the next
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(question)) {
      row.next();
      return row.getString(1);
    }
  }

  private void restore(SQLException cause) {
    try {
      close();
    } catch (SQLException broken) {
      cause.addSuppressed(broken);
    }
  }

  /** Ends one, and says which session it was in. */
  public static String once(Connection connection, String question) throws SQLException {
    try (ProbeTransaction probeTransaction = new ProbeTransaction(connection, question)) {
      return probeTransaction.session();
    }
  }

  public String session() {
    return session;
  }

  @Override
  public void close() throws SQLException {
    try {
      // a pool may force autocommit, which another check tells
      if (!connection.getAutoCommit()) {
        connection.rollback();
      }
    } finally {
      connection.setAutoCommit(autoCommit);
      limitNetwork(networkTimeout);
    }
  }
}
