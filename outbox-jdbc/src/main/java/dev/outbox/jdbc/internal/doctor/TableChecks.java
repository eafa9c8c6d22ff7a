package dev.outbox.jdbc.internal.doctor;

import dev.outbox.Claiming;
import dev.outbox.OutboxException.Finding;
import dev.outbox.jdbc.dialect.Fault;
import dev.outbox.jdbc.internal.doctor.base.Check;
import dev.outbox.jdbc.internal.doctor.base.ExaminedDatabase;
import dev.outbox.jdbc.internal.doctor.base.FindingCode;
import dev.outbox.jdbc.internal.doctor.base.ResultRow;
import dev.outbox.jdbc.internal.schema.Ddl;
import dev.outbox.jdbc.internal.schema.SchemaVersion;
import dev.outbox.spi.Layout;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** What every database is asked about the tables. */
final class TableChecks {
  private TableChecks() {}

  static List<Check> all() {
    return List.of(
        new Check("the tables, columns and indexes", TableChecks::verified).forRelays(),
        new Check("the layout in the meta table", TableChecks::layout),
        new Check("the rows of the lane table", TableChecks::lanes).forRelays(),
        new Check("the lanes of the ready messages", TableChecks::strays).forRelays());
  }

  static Finding missing(ExaminedDatabase examinedDatabase, String table) {
    return FindingCode.TABLES_WRONG.finding(
        "table " + table + " is missing" + create(examinedDatabase));
  }

  private static String create(ExaminedDatabase examinedDatabase) {
    return ". Run Schema.builder(dataSource).create(), or apply dev/outbox/jdbc/ddl/%s/outbox.sql of the jar"
        .formatted(examinedDatabase.dialect().name());
  }

  // what may not be read is seen with the rights: only a relay reads nearly all
  private static List<Finding> verified(ExaminedDatabase examinedDatabase) throws SQLException {
    Ddl ddl =
        Ddl.of(
            examinedDatabase.dialect(),
            examinedDatabase.tables(),
            examinedDatabase.layout(),
            List.of());
    List<Finding> findings = new ArrayList<>();
    List<String> wrongs = ddl.verify(examinedDatabase.connection());
    List<Pattern> unreadable = wrongs.isEmpty() ? List.of() : unreadable(examinedDatabase, ddl);
    List<String> columns = new ArrayList<>();
    for (String wrong : wrongs) {
      if (wrong.startsWith("column ")) {
        columns.add(wrong);
      } else if (unreadable.stream().noneMatch(table -> table.matcher(wrong).find())) {
        boolean hasRemedy = wrong.contains("ALTER TABLE");
        findings.add(
            FindingCode.TABLES_WRONG.finding(hasRemedy ? wrong : wrong + create(examinedDatabase)));
      }
    }
    findings.addAll(
        FindingCode.TABLES_WRONG.when(
            !columns.isEmpty(),
            String.join("; ", columns) + ". " + Ddl.remedy(examinedDatabase.dialect())));
    return findings;
  }

  private static List<Pattern> unreadable(ExaminedDatabase examinedDatabase, Ddl ddl)
      throws SQLException {
    List<Pattern> tables = new ArrayList<>();
    for (String name : ddl.tableNames()) {
      try {
        examinedDatabase.rows("SELECT 1 AS seen FROM " + name + " WHERE 1 = 0");
      } catch (SQLException e) {
        if (examinedDatabase.dialect().faults().of(e) == Fault.DENIED) {
          tables.add(Pattern.compile("\\b" + name + "\\b"));
        }
      }
    }
    return tables;
  }

  private static List<Finding> layout(ExaminedDatabase examinedDatabase) throws SQLException {
    String meta = examinedDatabase.tables().name("meta");
    List<ResultRow> resultRows =
        examinedDatabase.rows(
            "SELECT schema_version, lanes, claiming, clusters, cluster_id FROM {meta}");
    if (resultRows.isEmpty()) {
      return List.of(
          FindingCode.LAYOUT_CHANGED.finding(meta + " is empty" + create(examinedDatabase)));
    }
    ResultRow resultRow = resultRows.get(0);
    List<Finding> findings = new ArrayList<>();
    int version = Math.toIntExact(resultRow.number("schema_version"));
    SchemaVersion.remedy(version, examinedDatabase.dialect(), examinedDatabase.tables())
        .ifPresent(remedy -> findings.add(FindingCode.SCHEMA_VERSION.finding(remedy)));
    Layout cached = examinedDatabase.layout();
    String claiming = resultRow.text("claiming");
    findings.addAll(
        FindingCode.LAYOUT_CHANGED.when(
            resultRow.number("lanes") != cached.lanes()
                || resultRow.number("clusters") != cached.clusters()
                || resultRow.number("cluster_id") != cached.cluster()
                || !claiming.equals(cached.claiming().name())
                || examinedDatabase.usage().claiming() != cached.claiming(),
            "%s says %d lanes, claiming by %s and cluster %d of %d, this process works with %d lanes, by %s and as cluster %d of %d. Stop every writer and relay, then start them again: the layout is changed offline only"
                .formatted(
                    meta,
                    resultRow.number("lanes"),
                    claiming,
                    resultRow.number("cluster_id"),
                    resultRow.number("clusters"),
                    cached.lanes(),
                    examinedDatabase.usage().claiming(),
                    cached.cluster(),
                    cached.clusters())));
    return findings;
  }

  private static List<Finding> lanes(ExaminedDatabase examinedDatabase) throws SQLException {
    if (examinedDatabase.usage().claiming() == Claiming.ROWS
        || !layout(examinedDatabase).isEmpty()) { // by a wrong layout the remedy would be wrong too
      return List.of();
    }
    ResultRow resultRow =
        examinedDatabase.row(
            """
            SELECT COUNT(*) AS found,
              COALESCE(SUM(CASE WHEN lane BETWEEN :first AND :last THEN 1 ELSE 0 END), 0) AS fitting
            FROM {lane}
            """);
    long found = resultRow.number("found");
    int lanes = examinedDatabase.layout().lanes();
    int first = examinedDatabase.layout().firstLane().number();
    return FindingCode.LANES_WRONG.when(
        found != lanes || resultRow.number("fitting") != lanes,
        "%s has %d rows, %d of them for the lanes %d to %d of %d in %s. With all relays stopped run Schema.builder(dataSource).create(), which adds the missing, or DELETE FROM %s WHERE lane >= %s;"
            .formatted(
                examinedDatabase.tables().name("lane"),
                found,
                resultRow.number("fitting"),
                first,
                first + lanes - 1,
                lanes,
                examinedDatabase.tables().name("meta"),
                examinedDatabase.tables().name("lane"),
                first + lanes));
  }

  private static List<Finding> strays(ExaminedDatabase examinedDatabase) throws SQLException {
    ResultRow resultRow =
        examinedDatabase.row(
            """
            SELECT (SELECT MIN(lane) FROM {outbox}) AS lowest, (SELECT MAX(lane) FROM {outbox}) AS highest
            FROM {meta}
            """);
    int lanes = examinedDatabase.layout().lanes() * examinedDatabase.layout().clusters();
    return FindingCode.LANE_UNKNOWN.when(
        resultRow.number("lowest") < 0 || resultRow.number("highest") >= lanes,
        "%s has messages in lanes %d to %d, but there are only lanes 0 to %d: the others are never published. Compute their lanes again as docs/operate-failover.md shows"
            .formatted(
                examinedDatabase.tables().name("outbox"),
                resultRow.number("lowest"),
                resultRow.number("highest"),
                lanes - 1));
  }
}
