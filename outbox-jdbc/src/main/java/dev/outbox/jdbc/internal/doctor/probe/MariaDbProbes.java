package dev.outbox.jdbc.internal.doctor.probe;

import dev.outbox.OutboxException.Finding;
import dev.outbox.jdbc.internal.doctor.base.Check;
import dev.outbox.jdbc.internal.doctor.base.ExaminedDatabase;
import dev.outbox.jdbc.internal.doctor.base.FindingCode;
import java.sql.SQLException;
import java.util.List;

/** What the doctor asks MariaDB. */
public final class MariaDbProbes extends InnoDbProbes {
  public MariaDbProbes() {
    super("SET GLOBAL");
  }

  @Override
  public String limits() {
    return """
        SELECT @@SESSION.innodb_lock_wait_timeout AS lock_wait,
          @@SESSION.idle_transaction_timeout AS idle,
          @@SESSION.idle_write_transaction_timeout AS idle_write,
          @@SESSION.max_statement_time AS statement
        """;
  }

  @Override
  Check own() {
    return new Check("snapshot isolation", MariaDbProbes::snapshotIsolation);
  }

  @Override
  List<Finding> transaction(ExaminedDatabase examinedDatabase) throws SQLException {
    boolean open = examinedDatabase.row("SELECT @@in_transaction AS open").is("open");
    return open ? List.of(FindingCode.lentInTransaction()) : List.of();
  }

  @Override
  String readOnly() {
    return """
        SELECT @@global.read_only <> 'OFF' AND @@global.read_only <> '0' OR @@global.innodb_read_only
          OR @@session.tx_read_only AS closed
        """;
  }

  private static List<Finding> snapshotIsolation(ExaminedDatabase examinedDatabase)
      throws SQLException {
    boolean on =
        examinedDatabase.rows("SHOW SESSION VARIABLES LIKE 'innodb_snapshot_isolation'").stream()
            .anyMatch(resultRow -> resultRow.is("value"));
    return FindingCode.SNAPSHOT_ISOLATION.when(
        on,
        "innodb_snapshot_isolation is ON: transactions that meet a newer row fail with error 1020 and are run again. Run: SET GLOBAL innodb_snapshot_isolation = OFF; and put it into the server's configuration");
  }
}
