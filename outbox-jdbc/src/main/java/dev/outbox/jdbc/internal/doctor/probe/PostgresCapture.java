package dev.outbox.jdbc.internal.doctor.probe;

import dev.outbox.OutboxException.Finding;
import dev.outbox.jdbc.internal.doctor.base.Check;
import dev.outbox.jdbc.internal.doctor.base.ExaminedDatabase;
import dev.outbox.jdbc.internal.doctor.base.FindingCode;
import dev.outbox.jdbc.internal.doctor.base.ResultRow;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Whether PostgreSQL keeps a log for a reader of the table, and how much of it. Stateless. */
final class PostgresCapture {
  /** So much of the log fits on any disk. */
  private static final long BEHIND = 256L * 1024 * 1024;

  private PostgresCapture() {}

  static List<Check> checks() {
    List<Check> checks = new ArrayList<>(CapturedTables.checks("clock_timestamp()"));
    checks.add(new Check("the level of the log", PostgresCapture::level));
    checks.add(new Check("the replication slots", PostgresCapture::slots));
    checks.add(new Check("the publications of the table", PostgresCapture::publications));
    checks.add(new Check("the replica identity of the table", PostgresCapture::identity));
    return checks;
  }

  private static List<Finding> level(ExaminedDatabase examinedDatabase) throws SQLException {
    String level =
        examinedDatabase.row("SELECT current_setting('wal_level') AS level").text("level");
    return FindingCode.CAPTURE_LOG.when(
        !level.equals("logical"),
        "wal_level is %s, a log reader needs logical. Run: ALTER SYSTEM SET wal_level = 'logical'; and restart the server"
            .formatted(level));
  }

  private static List<Finding> slots(ExaminedDatabase examinedDatabase) throws SQLException {
    List<ResultRow> slots =
        examinedDatabase.rows(
            """
            SELECT slot_name AS name, active AS active, wal_status AS status,
              COALESCE(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn), 0) AS behind,
              current_setting('max_slot_wal_keep_size') AS bound
            FROM pg_replication_slots
            WHERE plugin IN ('pgoutput', 'decoderbufs') AND database = current_database()
            ORDER BY slot_name
            """);
    if (slots.isEmpty()) {
      return List.of(
          FindingCode.CAPTURE_SLOT.finding(
              "this database has no logical replication slot of pgoutput, so the log is not kept for a reader: what is committed now is not published. Run: SELECT pg_create_logical_replication_slot('outbox', 'pgoutput');"));
    }
    return slots.stream().flatMap(slot -> slot(slot).stream()).toList();
  }

  private static List<Finding> slot(ResultRow slot) {
    String name = slot.text("name");
    if (slot.text("status").equals("lost")) {
      return List.of(
          FindingCode.CAPTURE_SLOT.finding(
              "slot %s has lost part of the log that its reader had not read (max_slot_wal_keep_size is %s): messages are missing. Drop it, and let a relay publish what is still in the table; docs/capture.md has the steps"
                  .formatted(name, slot.text("bound"))));
    }
    return FindingCode.CAPTURE_SLOT_BEHIND.when(
        slot.number("behind") > BEHIND || !slot.is("active"),
        "slot %s keeps %d bytes of the log, and a reader is %s; max_slot_wal_keep_size is %s (-1: until the disk is full). Start the connector, set its heartbeat.interval.ms, or drop the slot; to bound it, ALTER SYSTEM SET max_slot_wal_keep_size = '10GB', at the price of the slot"
            .formatted(
                name,
                slot.number("behind"),
                slot.is("active") ? "connected" : "not connected",
                slot.text("bound")));
  }

  private static List<ResultRow> published(ExaminedDatabase examinedDatabase) throws SQLException {
    return examinedDatabase.rows(
        """
        SELECT quote_ident(p.pubname) AS name, p.pubinsert AS inserts, p.pubdelete AS deletes,
          p.pubupdate OR p.pubdelete OR p.pubtruncate AS more
        FROM pg_publication p
        JOIN pg_publication_tables t ON t.pubname = p.pubname
        WHERE to_regclass(quote_ident(t.schemaname) || '.' || quote_ident(t.tablename)) = to_regclass('{outbox}')
        ORDER BY p.pubname
        """);
  }

  private static List<Finding> publications(ExaminedDatabase examinedDatabase) throws SQLException {
    List<ResultRow> published = published(examinedDatabase);
    String table = examinedDatabase.tables().name("outbox");
    if (published.stream().noneMatch(publication -> publication.is("inserts"))) {
      return List.of(
          FindingCode.CAPTURE_PUBLICATION.finding(
              "no publication has the inserts of %s, so a reader sees none. Run: CREATE PUBLICATION outbox FOR TABLE %s WITH (publish = 'insert');"
                  .formatted(table, table)));
    }
    return published.stream()
        .filter(publication -> publication.is("more"))
        .map(
            publication ->
                FindingCode.CAPTURE_DELETES.finding(
                    "publication %s has more than the inserts of %s: each delete of a purge is sent to the reader, which drops it. Run: ALTER PUBLICATION %s SET (publish = 'insert');"
                        .formatted(publication.text("name"), table, publication.text("name"))))
        .toList();
  }

  private static List<Finding> identity(ExaminedDatabase examinedDatabase) throws SQLException {
    String identity =
        examinedDatabase
            .row(
                "SELECT relreplident AS identity FROM pg_class WHERE oid = to_regclass('{outbox}')")
            .text("identity");
    String table = examinedDatabase.tables().name("outbox");
    String remedy = ". Run: ALTER TABLE %s REPLICA IDENTITY DEFAULT;".formatted(table);
    if (identity.equals("f")) {
      return List.of(
          FindingCode.CAPTURE_IDENTITY.warning(
              "REPLICA IDENTITY of %s is FULL: each delete writes the whole row to the log again"
                      .formatted(table)
                  + remedy));
    }
    boolean refused =
        identity.equals("n")
            && published(examinedDatabase).stream().anyMatch(each -> each.is("deletes"));
    return FindingCode.CAPTURE_IDENTITY.when(
        refused,
        "REPLICA IDENTITY of %s is NOTHING and a publication has its deletes: the server refuses every delete"
                .formatted(table)
            + remedy);
  }
}
