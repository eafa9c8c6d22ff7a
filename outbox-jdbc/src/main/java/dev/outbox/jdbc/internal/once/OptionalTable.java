package dev.outbox.jdbc.internal.once;

import dev.outbox.StoreException;
import dev.outbox.internal.connection.CallerSavepoint;
import dev.outbox.jdbc.dialect.Fault;
import dev.outbox.jdbc.internal.session.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * A table that is there only where it is used: looked for in the first transaction that needs it,
 * behind a savepoint, so that its absence is told and harms nothing.
 *
 * <p>Safe for use by many threads.
 */
final class OptionalTable {
  private final Sql sql;
  private final String remedy;
  private volatile boolean seen;

  /**
   * @param remedy what to do when it is not there, which the folder of the DDL is put into
   */
  OptionalTable(Sql sql, String remedy) {
    this.sql = sql;
    this.remedy = remedy;
  }

  /**
   * @param looks SELECTs of all its columns, and those of its slots, and of no row
   * @throws StoreException when the table is missing, or has not the columns that it should have
   */
  void require(Connection transaction, List<String> looks) throws SQLException {
    if (seen) {
      return;
    }
    try (CallerSavepoint before = CallerSavepoint.set(transaction)) {
      try {
        look(transaction, looks);
      } catch (SQLException e) {
        before.rollback();
        if (sql.dialect().faults().of(e) == Fault.MISSING) {
          throw missing(e);
        }
        throw e;
      }
    }
    seen = true;
  }

  private void look(Connection transaction, List<String> looks) throws SQLException {
    try (Statement statement = transaction.createStatement()) {
      for (String look : looks) {
        statement.executeQuery(sql.render(look)).close();
      }
    }
  }

  private StoreException missing(SQLException e) {
    return StoreException.lasting(remedy.formatted(sql.dialect().name()) + e.getMessage(), e);
  }
}
