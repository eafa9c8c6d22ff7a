package dev.outbox.jdbc.internal.doctor.probe;

import dev.outbox.OutboxException.Finding;
import dev.outbox.jdbc.internal.doctor.base.Check;
import dev.outbox.jdbc.internal.doctor.base.ExaminedDatabase;
import dev.outbox.jdbc.internal.doctor.base.FindingCode;
import java.sql.SQLException;
import java.util.List;

/** What the doctor asks H2. */
public final class H2Probes implements Probes {

  @Override
  public String session() {
    return """
        SELECT SESSION_ID() AS session
        """;
  }

  @Override
  public String limits() {
    return """
        SELECT LOCK_TIMEOUT() AS lock_wait
        """;
  }

  @Override
  public String clock() {
    return """
        SELECT DATEDIFF(MILLISECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00',
          CURRENT_TIMESTAMP(6)) AS millis
        """;
  }

  @Override
  public String user() {
    return """
        SELECT CURRENT_USER AS name
        """;
  }

  @Override
  public String select() {
    return """
        SELECT {column} FROM {table} WHERE 1 = 0
        """;
  }

  @Override
  public String insert() {
    return """
        INSERT INTO {table} ({column}) SELECT NULL WHERE 1 = 0
        """;
  }

  @Override
  public String update() {
    return """
        UPDATE {table} SET {column} = NULL WHERE 1 = 0
        """;
  }

  @Override
  public String delete() {
    return """
        DELETE FROM {table} WHERE 1 = 0
        """;
  }

  @Override
  public String lock() {
    return """
        SELECT {column} FROM {table} WHERE 1 = 0 FOR UPDATE
        """;
  }

  @Override
  public List<Check> capture() {
    return List.of(
        new Check(
            "the log",
            examinedDatabase ->
                List.of(
                    FindingCode.CAPTURE_LOG.finding(
                        "H2 has no log that can be read; let a relay publish the messages"))));
  }

  @Override
  public List<Check> checks() {
    return List.of(
        new Check("whether the database is open for writing", this::readOnly),
        new Check("whether commits wait for the file", this::durability),
        new Check("the precision of the times", this::precision),
        new Check("the collation of topics and keys", this::collation));
  }

  private List<Finding> readOnly(ExaminedDatabase examinedDatabase) throws SQLException {
    return examinedDatabase.row("SELECT READONLY() AS closed").is("closed")
        ? List.of(FindingCode.readOnly())
        : List.of();
  }

  // one row is in force, the other is what was set before and not kept
  private List<Finding> durability(ExaminedDatabase examinedDatabase) throws SQLException {
    long delay =
        examinedDatabase
            .row(
                """
                SELECT MAX(CAST(setting_value AS int)) AS delay
                FROM information_schema.settings
                WHERE setting_name = 'WRITE_DELAY' AND DATABASE_PATH() IS NOT NULL
                """)
            .number("delay");
    return FindingCode.notDurable(
        delay != 0,
        "WRITE_DELAY",
        delay + " ms",
        "Add ;WRITE_DELAY=0 to the URL: what SET writes is forgotten when the file is closed");
  }

  private List<Finding> precision(ExaminedDatabase examinedDatabase) throws SQLException {
    return examinedDatabase
        .rows(
            """
            SELECT table_name AS name, column_name AS attribute, data_type AS type,
              datetime_precision AS digits
            FROM information_schema.columns
            WHERE table_schema = COALESCE(UPPER(CAST(:schema AS varchar)), CURRENT_SCHEMA)
              AND UPPER(table_name) IN (UPPER(:prefix), UPPER(:prefix) || '_LANE',
                UPPER(:prefix) || '_PARKED', UPPER(:prefix) || '_DELAYED', UPPER(:prefix) || '_DEAD',
                UPPER(:prefix) || '_RELAY')
              AND data_type LIKE 'TIMESTAMP%'
              AND datetime_precision < 6
            ORDER BY 1, 2
            """)
        .stream()
        .map(
            resultRow ->
                FindingCode.TIME_PRECISION.finding(
                    "%s.%s is %s(%d), leases and due times need microseconds. Run: ALTER TABLE %s ALTER COLUMN %s SET DATA TYPE TIMESTAMP(6) WITH TIME ZONE;"
                        .formatted(
                            resultRow.text("name"),
                            resultRow.text("attribute"),
                            resultRow.text("type"),
                            resultRow.number("digits"),
                            resultRow.text("name"),
                            resultRow.text("attribute"))))
        .toList();
  }

  private List<Finding> collation(ExaminedDatabase examinedDatabase) throws SQLException {
    return examinedDatabase
        .rows(
            """
            SELECT table_name AS name, column_name AS attribute, data_type AS type,
              COALESCE(collation_name, 'none') AS collation
            FROM information_schema.columns
            WHERE table_schema = COALESCE(UPPER(CAST(:schema AS varchar)), CURRENT_SCHEMA)
              AND UPPER(table_name) IN (UPPER(:prefix), UPPER(:prefix) || '_PARKED')
              AND UPPER(column_name) IN ('TOPIC', 'MSG_KEY')
              AND (data_type = 'VARCHAR_IGNORECASE' OR COALESCE(collation_name, 'OFF') <> 'OFF')
            ORDER BY 1, 2
            """)
        .stream()
        .map(
            resultRow ->
                FindingCode.COLLATION_NOT_BINARY.finding(
                    "%s.%s is %s with collation %s, under which different keys are equal. Remove IGNORECASE and SET COLLATION from the database, then run: ALTER TABLE %s ALTER COLUMN %s SET DATA TYPE VARCHAR(255);"
                        .formatted(
                            resultRow.text("name"),
                            resultRow.text("attribute"),
                            resultRow.text("type"),
                            resultRow.text("collation"),
                            resultRow.text("name"),
                            resultRow.text("attribute"))))
        .toList();
  }
}
