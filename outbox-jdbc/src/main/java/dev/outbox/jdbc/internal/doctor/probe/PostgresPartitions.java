package dev.outbox.jdbc.internal.doctor.probe;

import dev.outbox.Claiming;
import dev.outbox.OutboxException.Finding;
import dev.outbox.jdbc.internal.doctor.base.ExaminedDatabase;
import dev.outbox.jdbc.internal.doctor.base.FindingCode;
import java.sql.SQLException;
import java.util.List;

/** Claims by rows delete by ctid, which names one row only where a table has no partitions. */
final class PostgresPartitions {
  private PostgresPartitions() {}

  static List<Finding> claimedByRows(ExaminedDatabase examinedDatabase) throws SQLException {
    if (examinedDatabase.usage().claiming() != Claiming.ROWS) {
      return List.of();
    }
    return examinedDatabase
        .rows(
            """
            SELECT DISTINCT CAST(i.inhparent AS regclass) AS name
            FROM pg_inherits i
            WHERE i.inhparent = ANY(ARRAY[to_regclass('{outbox}'), to_regclass('{parked}')])
            ORDER BY 1
            """)
        .stream()
        .map(
            resultRow ->
                FindingCode.TABLES_WRONG.finding(
                    "%s has partitions, and claims by rows would take messages of one partition for those of another: of paused topics too. Make it a table without partitions, or claim by lanes"
                        .formatted(resultRow.text("name"))))
        .toList();
  }
}
