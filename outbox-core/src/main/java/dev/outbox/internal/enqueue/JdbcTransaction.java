package dev.outbox.internal.enqueue;

import dev.outbox.Transactions;
import dev.outbox.internal.connection.CutConnection;
import java.sql.Connection;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One transaction of plain JDBC on a connection that goes back as it came. Used by one thread. */
public record JdbcTransaction(Connection connection, CommitWakeups commitWakeups) {
  private static final Logger log = LoggerFactory.getLogger(JdbcTransaction.class);

  public <T, E extends Exception> T call(Transactions.Call<T, E> work) throws E, SQLException {
    boolean autoCommit = connection.getAutoCommit();
    connection.setAutoCommit(false);
    commitWakeups.begun(connection);
    T result;
    try {
      result = work.call(connection);
      connection.commit();
    } catch (Throwable thrown) {
      commitWakeups.rolledBack(connection);
      undo(thrown, autoCommit);
      throw thrown;
    }
    commitWakeups.committed(connection);
    restore(autoCommit);
    return result;
  }

  /**
   * Rolls back. A connection that refuses is thrown away as it is: to switch autocommit on would
   * commit what is in it. What is thrown here must not hide why it was needed.
   */
  private void undo(Throwable why, boolean autoCommit) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      why.addSuppressed(e);
      CutConnection.cut(connection);
      return;
    }
    restore(autoCommit);
  }

  /** A connection that breaks after the commit must not make committed work look failed. */
  private void restore(boolean autoCommit) {
    try {
      connection.setAutoCommit(autoCommit);
    } catch (SQLException e) {
      log.warn("could not restore autocommit={} after a transaction", autoCommit, e);
    }
  }
}
