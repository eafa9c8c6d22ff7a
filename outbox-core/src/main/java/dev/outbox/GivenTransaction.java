package dev.outbox;

import dev.outbox.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Savepoint;
import java.util.Objects;

/**
 * What the doors ask of a connection that they are given, and work in it that leaves nothing behind
 * when it fails.
 */
final class GivenTransaction {
  private GivenTransaction() {}

  /**
   * Refuses what is no open transaction.
   *
   * @param closed what to do instead of giving a closed connection
   * @param autoCommit what an autocommit connection would do, and the remedy
   */
  static void require(Connection connection, String closed, String autoCommit) {
    Objects.requireNonNull(connection, "transaction");
    try {
      if (connection.isClosed()) {
        throw new IllegalArgumentException("transaction is a closed connection; " + closed);
      }
      if (connection.getAutoCommit()) {
        throw new IllegalArgumentException(
            "transaction is an autocommit connection, which would commit " + autoCommit);
      }
    } catch (SQLException e) {
      throw StoreException.passing("the connection does not answer: " + e.getMessage(), e);
    }
  }

  /**
   * Calls {@code work}; when it throws, what it wrote is undone and the transaction can go on, if
   * the database lets it.
   */
  static <T, E extends Exception> T undoing(Connection transaction, Transactions.Call<T, E> work)
      throws E, SQLException {
    Savepoint before = transaction.setSavepoint();
    T result;
    try {
      result = work.call(transaction);
    } catch (Throwable thrown) {
      undo(transaction, before, thrown);
      throw thrown;
    }
    release(transaction, before);
    return result;
  }

  private static void undo(Connection transaction, Savepoint before, Throwable why) {
    try {
      transaction.rollback(before);
    } catch (SQLException e) {
      // after a deadlock the whole transaction is gone, and the savepoint with it
      why.addSuppressed(e);
    }
  }

  private static void release(Connection transaction, Savepoint before) throws SQLException {
    try {
      transaction.releaseSavepoint(before);
    } catch (SQLFeatureNotSupportedException e) {
      // Oracle has none: a savepoint ends with its transaction
      return;
    }
  }
}
