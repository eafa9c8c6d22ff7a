package dev.outbox;

import java.sql.Connection;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One transaction of plain JDBC on a connection that goes back as it came. Used by one thread. */
record PlainTransaction(Connection connection) {
  private static final Logger log = LoggerFactory.getLogger(PlainTransaction.class);

  <T, E extends Exception> T call(Transactions.Call<T, E> work, Outbox outbox)
      throws E, SQLException {
    boolean autoCommit = connection.getAutoCommit();
    connection.setAutoCommit(false);
    try {
      T result = work.call(connection);
      connection.commit();
      outbox.wake();
      return result;
    } catch (Throwable thrown) {
      rollBack(thrown);
      throw thrown;
    } finally {
      restore(autoCommit);
    }
  }

  /** What the rollback throws must not hide why it was needed. */
  private void rollBack(Throwable why) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      why.addSuppressed(e);
    }
  }

  /** A connection that breaks after the commit must not make committed work look failed. */
  private void restore(boolean autoCommit) {
    try {
      connection.setAutoCommit(autoCommit);
    } catch (SQLException e) {
      log.warn("autocommit={} could not be restored after a transaction", autoCommit, e);
    }
  }
}
