package dev.outbox.internal.enqueue;

import dev.outbox.StoreException;
import dev.outbox.Transactions;
import dev.outbox.internal.connection.CallerSavepoint;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;

/**
 * What outbox and inbox ask of a connection that they are given, and work in it that leaves nothing
 * behind when it fails.
 */
public final class CallerTransaction {
  private CallerTransaction() {}

  /**
   * Refuses what is no open transaction.
   *
   * @param closed what to do instead of giving a closed connection
   * @param autoCommit what an autocommit connection would do, and the remedy
   */
  public static void require(Connection connection, String closed, String autoCommit) {
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
   * Calls {@code work}; when it throws, what it wrote is undone and the transaction can go on.
   *
   * @throws StoreException when it cannot be undone alone, because the database has ended the
   *     transaction
   */
  public static <T, E extends Exception> T undoing(
      Connection transaction, Transactions.Call<T, E> work) throws E, SQLException {
    try (CallerSavepoint before = CallerSavepoint.set(transaction)) {
      try {
        T result = work.call(transaction);
        before.release();
        return result;
      } catch (Throwable thrown) {
        undo(before, thrown);
        throw thrown;
      }
    }
  }

  private static void undo(CallerSavepoint before, Throwable why) {
    try {
      before.rollback();
    } catch (SQLException e) {
      if (why instanceof Error) {
        why.addSuppressed(e);
        return;
      }
      // after a deadlock some databases have rolled back all of it, and the savepoint with it
      StoreException over =
          StoreException.passing(
              "roll the transaction back and begin a new one: this one ended too early, by a deadlock or by a commit of the work itself. The work failed with: "
                  + why.getMessage(),
              why);
      over.addSuppressed(e);
      throw over;
    }
  }
}
