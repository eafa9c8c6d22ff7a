package dev.outbox.jdbc.internal.doctor.probe;

import dev.outbox.OutboxException.Finding;
import dev.outbox.jdbc.internal.doctor.base.Check;
import dev.outbox.jdbc.internal.doctor.base.ExaminedDatabase;
import dev.outbox.jdbc.internal.doctor.base.FindingCode;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** What the doctor asks MySQL. */
public final class MySqlProbes extends InnoDbProbes {
  private static final int TRANSACTION_IS_OPEN = 1568;

  public MySqlProbes() {
    super("SET PERSIST");
  }

  @Override
  public String limits() {
    return """
        SELECT @@SESSION.innodb_lock_wait_timeout AS lock_wait,
          @@SESSION.wait_timeout AS idle,
          @@SESSION.max_execution_time AS statement
        """;
  }

  @Override
  Check own() {
    return new Check("whether the server is a member of a group", Membership::ofGroup);
  }

  /** The next transaction's level cannot be set while one is open. */
  @Override
  List<Finding> transaction(ExaminedDatabase examinedDatabase) throws SQLException {
    try {
      examinedDatabase.run("SET TRANSACTION ISOLATION LEVEL READ COMMITTED", Map.of());
      return List.of();
    } catch (SQLException e) {
      if (e.getErrorCode() != TRANSACTION_IS_OPEN) {
        throw e;
      }
      return List.of(FindingCode.lentInTransaction());
    }
  }

  @Override
  String readOnly() {
    return """
        SELECT @@global.read_only OR @@global.super_read_only OR @@global.innodb_read_only
          OR @@session.transaction_read_only AS closed
        """;
  }
}
