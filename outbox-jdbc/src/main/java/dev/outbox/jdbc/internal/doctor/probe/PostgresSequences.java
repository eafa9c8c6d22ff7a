package dev.outbox.jdbc.internal.doctor.probe;

import dev.outbox.OutboxException.Finding;
import dev.outbox.jdbc.internal.doctor.base.ExaminedDatabase;
import dev.outbox.jdbc.internal.doctor.base.FindingCode;
import dev.outbox.jdbc.internal.doctor.base.ResultRow;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The sequences that PostgreSQL takes ids from: whether they count up one by one, and whether they
 * are behind ids that were given.
 *
 * <p>Stateless.
 */
final class PostgresSequences {
  private PostgresSequences() {}

  static List<Finding> outOfOrder(ExaminedDatabase examinedDatabase) throws SQLException {
    return examinedDatabase
        .rows(
            """
            SELECT CAST(CAST(s.seqrelid AS regclass) AS text) AS name, s.seqcache AS cached,
              s.seqincrement AS step, s.seqcycle AS cycle
            FROM pg_depend d
            JOIN pg_sequence s
              ON s.seqrelid = d.objid
            WHERE d.classid = CAST('pg_class' AS regclass)
              AND d.refclassid = CAST('pg_class' AS regclass)
              AND d.refobjid = ANY(ARRAY[
                to_regclass('{outbox}'), to_regclass('{delayed}'), to_regclass('{dead}')])
              AND d.deptype IN ('a', 'i')
              AND (s.seqcache > 1 OR s.seqincrement < 1 OR s.seqcycle)
            """)
        .stream()
        .map(
            resultRow ->
                FindingCode.IDS_OUT_OF_ORDER.finding(
                    "sequence %s has CACHE %d, INCREMENT %d%s, so ids do not grow with time and messages of a key overtake each other. Run: ALTER SEQUENCE %s INCREMENT 1 CACHE 1 NO CYCLE;"
                        .formatted(
                            resultRow.text("name"),
                            resultRow.number("cached"),
                            resultRow.number("step"),
                            resultRow.is("cycle") ? ", CYCLE" : "",
                            resultRow.text("name"))))
        .toList();
  }

  // a database that was restored, or promoted behind its primary, gives ids again
  static List<Finding> behind(ExaminedDatabase examinedDatabase) throws SQLException {
    List<Finding> findings = new ArrayList<>();
    for (ResultRow known : knownIds(examinedDatabase)) {
      String name = known.text("name");
      long given =
          examinedDatabase
              .row(
                  "SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END AS given FROM "
                      + name)
              .number("given");
      long shown = known.number("shown");
      findings.addAll(
          FindingCode.IDS_BEHIND.when(
              given < shown,
              "sequence %s has given ids up to %d, but one up to %d is known of this cluster: the database is an older copy, and an id that is given again can stop replication. Before anything writes, look for the highest in all clusters as docs/several-clusters-restore.md says, and run with it: SELECT setval('%s', %s);"
                  .formatted(name, given, shown, name, shown)));
    }
    return findings;
  }

  /** The sequences that may be read, and the highest id of this cluster's that is known of each. */
  private static List<ResultRow> knownIds(ExaminedDatabase examinedDatabase) throws SQLException {
    return examinedDatabase.rows(
        """
        SELECT s.name, s.shown
        FROM (
          SELECT pg_get_serial_sequence('{outbox}', 'id') AS name, GREATEST(
            (SELECT MAX(id) FROM {outbox} WHERE lane BETWEEN :first AND :last),
            (SELECT MAX(id) FROM {parked} WHERE lane BETWEEN :first AND :last),
            (SELECT MAX(id) FROM {dead} WHERE lane BETWEEN :first AND :last),
            (SELECT MAX(id) FROM {takeover} WHERE later = 0 AND lane BETWEEN :first AND :last)) AS shown
          UNION ALL
          SELECT pg_get_serial_sequence('{delayed}', 'id'), GREATEST(
            (SELECT MAX(id) FROM {delayed} WHERE lane BETWEEN :first AND :last),
            (SELECT MAX(id) FROM {takeover} WHERE later = 1 AND lane BETWEEN :first AND :last))
          UNION ALL
          SELECT pg_get_serial_sequence('{dead}', 'dead_id'),
            (SELECT MAX(dead_id) FROM {dead} WHERE lane BETWEEN :first AND :last)) s
        WHERE s.shown IS NOT NULL
          AND has_sequence_privilege(s.name, 'SELECT')
        """);
  }
}
