package dev.outbox.internal.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A savepoint in a transaction of a caller, who may have a transaction manager (JTA).
 *
 * <p>It is set and rolled back to in SQL: of JDBC's methods for it XA connections of PostgreSQL and
 * MySQL refuse all, and the pool of Quarkus the rollback. JDBC's are for a connection without
 * statements, as one in memory has none.
 *
 * <p>Used by one thread. To close it ends nothing in the database.
 */
public final class CallerSavepoint implements AutoCloseable {
  /**
   * The numbers of those that are open: two of one transaction need two names, also from two
   * threads, and a name for each transaction would fill the server's statistics of statements.
   */
  private static final BitSet OPEN = new BitSet();

  private final Connection transaction;
  private final int number;
  private final @Nullable Savepoint withoutSql;

  private CallerSavepoint(Connection transaction, int number) throws SQLException {
    this.transaction = transaction;
    this.number = number;
    this.withoutSql = run("SAVEPOINT ") ? null : transaction.setSavepoint();
  }

  public static CallerSavepoint set(Connection transaction) throws SQLException {
    int number = take();
    try {
      return new CallerSavepoint(transaction, number);
    } catch (Throwable t) {
      give(number);
      throw t;
    }
  }

  private static int take() {
    synchronized (OPEN) {
      int number = OPEN.nextClearBit(1);
      OPEN.set(number);
      return number;
    }
  }

  private static void give(int number) {
    synchronized (OPEN) {
      OPEN.clear(number);
    }
  }

  /** Undoes what came after it. */
  public void rollback() throws SQLException {
    if (withoutSql != null) {
      transaction.rollback(withoutSql);
    } else {
      run("ROLLBACK TO SAVEPOINT ");
    }
  }

  /** Keeps what came after it. */
  public void release() throws SQLException {
    if (withoutSql != null) {
      transaction.releaseSavepoint(withoutSql);
    } else if (!transaction.getMetaData().getDatabaseProductName().equals("Oracle")) {
      run("RELEASE SAVEPOINT "); // on Oracle it ends with its transaction
    }
  }

  /** False where the connection has no statements. */
  private boolean run(String command) throws SQLException {
    try (Statement statement = transaction.createStatement()) {
      statement.execute(command + "outbox_" + number);
      return true;
    } catch (SQLFeatureNotSupportedException e) {
      return false;
    }
  }

  @Override
  public void close() {
    give(number);
  }
}
