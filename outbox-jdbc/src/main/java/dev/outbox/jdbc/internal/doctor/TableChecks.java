package dev.outbox.jdbc.internal.doctor;

import dev.outbox.jdbc.dialect.Fault;
import dev.outbox.jdbc.internal.doctor.base.Check;
import dev.outbox.jdbc.internal.doctor.base.Patient;
import dev.outbox.jdbc.internal.doctor.base.Row;
import dev.outbox.jdbc.internal.doctor.base.Symptom;
import dev.outbox.jdbc.internal.schema.Ddl;
import dev.outbox.jdbc.internal.schema.SchemaVersion;
import dev.outbox.store.Claiming;
import dev.outbox.store.Finding;
import dev.outbox.store.Layout;
import dev.outbox.store.Need;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** What every database is asked about the tables. */
final class TableChecks {
  private static final List<String> TABLES =
      List.of("outbox", "lane", "parked", "delayed", "dead", "meta", "relay", "topic");
  private static final List<String> OF_CLUSTERS = List.of("beat", "takeover");

  private TableChecks() {}

  static List<Check> all() {
    return List.of(
        new Check("the tables, columns and indexes", TableChecks::verified),
        new Check("the layout in the meta table", TableChecks::layout),
        new Check("the rows of the lane table", TableChecks::lanes),
        new Check("the lanes of the ready messages", TableChecks::strays));
  }

  static Finding missing(Patient patient, String table) {
    return Symptom.TABLES_WRONG.finding("table " + table + " is missing" + create(patient));
  }

  private static String create(Patient patient) {
    return ". Run Schema.of(dataSource).create(), or apply dev/outbox/jdbc/ddl/%s/outbox.sql of the jar"
        .formatted(patient.dialect().name());
  }

  // what may not be read is seen with the rights: only a relay reads nearly all
  private static List<Finding> verified(Patient patient) throws SQLException {
    if (!patient.isRelay()) {
      return List.of();
    }
    Ddl ddl = Ddl.of(patient.dialect(), patient.tables(), patient.layout(), List.of());
    List<Finding> findings = new ArrayList<>();
    List<Pattern> unreadable = unreadable(patient);
    for (String wrong : ddl.verify(patient.connection())) {
      if (unreadable.stream().noneMatch(table -> table.matcher(wrong).find())) {
        findings.add(Symptom.TABLES_WRONG.finding(wrong + create(patient)));
      }
    }
    return findings;
  }

  private static List<Pattern> unreadable(Patient patient) throws SQLException {
    List<Pattern> tables = new ArrayList<>();
    List<String> asked = new ArrayList<>(TABLES);
    if (patient.layout().hasPeers()) {
      asked.addAll(OF_CLUSTERS);
    }
    for (String table : asked) {
      String name = patient.tables().name(table);
      try {
        patient.rows("SELECT 1 AS seen FROM " + name + " WHERE 1 = 0");
      } catch (SQLException e) {
        if (patient.dialect().faults().of(e) == Fault.DENIED) {
          tables.add(Pattern.compile("\\b" + name + "\\b"));
        }
      }
    }
    return tables;
  }

  private static List<Finding> layout(Patient patient) throws SQLException {
    String meta = patient.tables().name("meta");
    List<Row> rows =
        patient.rows("SELECT schema_version, lanes, claiming, clusters, cluster_id FROM {meta}");
    if (rows.isEmpty()) {
      return List.of(Symptom.LAYOUT_CHANGED.finding(meta + " is empty" + create(patient)));
    }
    Row row = rows.get(0);
    List<Finding> findings = new ArrayList<>();
    int version = Math.toIntExact(row.number("schema_version"));
    SchemaVersion.remedy(version, patient.dialect(), patient.tables())
        .ifPresent(remedy -> findings.add(Symptom.SCHEMA_VERSION.finding(remedy)));
    Layout cached = patient.layout();
    String claiming = row.text("claiming");
    findings.addAll(
        Symptom.LAYOUT_CHANGED.when(
            row.number("lanes") != cached.lanes()
                || row.number("clusters") != cached.clusters()
                || row.number("cluster_id") != cached.cluster()
                || !claiming.equals(cached.claiming().name())
                || patient.need().claiming() != cached.claiming(),
            "%s says %d lanes, claiming by %s and cluster %d of %d, this process works with %d lanes, by %s and as cluster %d of %d. The layout is changed offline only: stop every writer and relay, then start them anew"
                .formatted(
                    meta,
                    row.number("lanes"),
                    claiming,
                    row.number("cluster_id"),
                    row.number("clusters"),
                    cached.lanes(),
                    patient.need().claiming(),
                    cached.cluster(),
                    cached.clusters())));
    return findings;
  }

  private static List<Finding> lanes(Patient patient) throws SQLException {
    if (!patient.isRelay() || patient.need().claiming() == Claiming.ROWS) {
      return List.of();
    }
    Row row =
        patient.row(
            """
            SELECT COUNT(*) AS found,
              COALESCE(SUM(CASE WHEN lane BETWEEN :first AND :last THEN 1 ELSE 0 END), 0) AS fitting
            FROM {lane}
            """);
    long found = row.number("found");
    int lanes = patient.layout().lanes();
    int first = patient.layout().firstLane().number();
    return Symptom.LANES_WRONG.when(
        found != lanes || row.number("fitting") != lanes,
        "%s has %d rows, %d of them for the lanes %d to %d of %d in %s. With all relays stopped run Schema.of(dataSource).create(), which adds the missing, or DELETE FROM %s WHERE lane >= %d;"
            .formatted(
                patient.tables().name("lane"),
                found,
                row.number("fitting"),
                first,
                first + lanes - 1,
                lanes,
                patient.tables().name("meta"),
                patient.tables().name("lane"),
                first + lanes));
  }

  private static List<Finding> strays(Patient patient) throws SQLException {
    if (patient.need().role() != Need.Role.RELAY) {
      return List.of();
    }
    Row row =
        patient.row(
            """
            SELECT (SELECT MIN(lane) FROM {outbox}) AS lowest, (SELECT MAX(lane) FROM {outbox}) AS highest
            FROM {meta}
            """);
    int lanes = patient.layout().lanes() * patient.layout().clusters();
    return Symptom.LANE_UNKNOWN.when(
        row.number("lowest") < 0 || row.number("highest") >= lanes,
        "%s has messages in lanes %d to %d, but there are only lanes 0 to %d: the others are never published. Compute their lanes anew as docs/operations.md shows"
            .formatted(
                patient.tables().name("outbox"),
                row.number("lowest"),
                row.number("highest"),
                lanes - 1));
  }
}
