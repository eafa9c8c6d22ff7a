package dev.outbox.jdbc.internal.doctor.probe;

import dev.outbox.OutboxException.Finding;
import dev.outbox.jdbc.internal.doctor.base.Check;
import dev.outbox.jdbc.internal.doctor.base.ExaminedDatabase;
import dev.outbox.jdbc.internal.doctor.base.FindingCode;
import dev.outbox.jdbc.internal.doctor.base.ResultRow;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/** What must not be where a log reader reads the tables instead of a relay. Stateless. */
final class CapturedTables {
  private CapturedTables() {}

  /** {@code now} is the clock of the database. */
  static List<Check> checks(String now) {
    return List.of(
        new Check(
            "the live relays of captured tables",
            examinedDatabase -> relays(examinedDatabase, now)),
        new Check("the messages that wait for a relay", CapturedTables::waiting));
  }

  private static List<Finding> relays(ExaminedDatabase examinedDatabase, String now)
      throws SQLException {
    String names =
        examinedDatabase
            .rows("SELECT relay FROM {relay} WHERE live_until > " + now + " ORDER BY relay")
            .stream()
            .map(resultRow -> resultRow.text("relay"))
            .collect(Collectors.joining(", "));
    return FindingCode.CAPTURE_AND_RELAY.when(
        !names.isEmpty(),
        "a log reader reads the tables, and so do relays (%s): every message is published twice. Close the relays, or stop the connector and drop its slot; docs/capture.md has both ways"
            .formatted(names));
  }

  private static List<Finding> waiting(ExaminedDatabase examinedDatabase) throws SQLException {
    ResultRow resultRow =
        examinedDatabase.row(
            """
            SELECT CASE WHEN EXISTS (SELECT 1 FROM {delayed}) THEN 1 ELSE 0 END AS later,
              CASE WHEN EXISTS (SELECT 1 FROM {parked}) THEN 1 ELSE 0 END AS parked
            FROM {meta}
            """);
    return FindingCode.CAPTURE_WAITING.when(
        resultRow.is("later") || resultRow.is("parked"),
        "messages wait in %s for a relay, which captured tables do not have. Remove deliverAt and deliverAfter from the code, stop the connector and let a relay publish them"
            .formatted(
                examinedDatabase.tables().name(resultRow.is("later") ? "delayed" : "parked")));
  }
}
