package dev.outbox.jdbc.internal.doctor.probe;

import dev.outbox.OutboxException.Finding;
import dev.outbox.jdbc.internal.doctor.base.Check;
import dev.outbox.jdbc.internal.doctor.base.ExaminedDatabase;
import dev.outbox.jdbc.internal.doctor.base.FindingCode;
import dev.outbox.jdbc.internal.doctor.base.ResultRow;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Whether the log of MySQL and MariaDB has what its reader needs. Stateless. */
final class BinlogCapture {
  private BinlogCapture() {}

  /** {@code set} is how an administrator changes a setting. */
  static List<Check> checks(String set) {
    List<Check> checks = new ArrayList<>(CapturedTables.checks("UTC_TIMESTAMP(6)"));
    checks.add(new Check("the binary log", examinedDatabase -> log(examinedDatabase, set)));
    return checks;
  }

  private static List<Finding> log(ExaminedDatabase examinedDatabase, String set)
      throws SQLException {
    ResultRow resultRow =
        examinedDatabase.row(
            """
            SELECT @@global.log_bin AS logs, @@global.binlog_format AS format,
              @@global.binlog_row_image AS image
            """);
    if (!resultRow.is("logs")) {
      return List.of(
          FindingCode.CAPTURE_LOG.finding(
              "log_bin is OFF, so there is no log to read. Set log_bin and server_id in the server's configuration, and restart it"));
    }
    List<Finding> findings = new ArrayList<>();
    findings.addAll(wrong("binlog_format", resultRow.text("format"), "ROW", set));
    findings.addAll(wrong("binlog_row_image", resultRow.text("image"), "FULL", set));
    return findings;
  }

  private static List<Finding> wrong(String setting, String found, String needed, String set) {
    return FindingCode.CAPTURE_LOG.when(
        !found.equals(needed),
        "%s is %s, a log reader needs %s: rows would be missing, or columns of them. Run: %s %s = '%s'; and reconnect every writer"
            .formatted(setting, found, needed, set, setting, needed));
  }
}
