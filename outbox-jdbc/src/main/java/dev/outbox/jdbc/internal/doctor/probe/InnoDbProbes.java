package dev.outbox.jdbc.internal.doctor.probe;

import dev.outbox.OutboxException.Finding;
import dev.outbox.jdbc.dialect.Fault;
import dev.outbox.jdbc.internal.doctor.base.Check;
import dev.outbox.jdbc.internal.doctor.base.ExaminedDatabase;
import dev.outbox.jdbc.internal.doctor.base.FindingCode;
import dev.outbox.jdbc.internal.doctor.base.ResultRow;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** What the doctor asks MySQL and MariaDB in the same words. */
abstract class InnoDbProbes implements Probes {
  /** Two payloads of 1 MiB as the driver escapes them. */
  private static final long PACKET = 4L * 1024 * 1024;

  private final String set;

  /** {@code set} is the server's command for a setting that is to last. */
  InnoDbProbes(String set) {
    this.set = set;
  }

  abstract List<Finding> transaction(ExaminedDatabase examinedDatabase) throws SQLException;

  /** Selects as {@code closed} whether nothing can be written here. */
  abstract String readOnly();

  /** What the other server does not know. */
  abstract Check own();

  @Override
  public final String session() {
    return """
        SELECT CONNECTION_ID() AS session
        """;
  }

  @Override
  public final String clock() {
    return """
        SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) DIV 1000 AS millis
        """;
  }

  @Override
  public final String user() {
    return """
        SELECT CONCAT(QUOTE(SUBSTRING_INDEX(CURRENT_USER(), '@', 1)), '@',
          QUOTE(SUBSTRING_INDEX(CURRENT_USER(), '@', -1))) AS name
        """;
  }

  @Override
  public final String select() {
    return """
        SELECT {column} FROM {table} WHERE 1 = 0
        """;
  }

  @Override
  public final String insert() {
    return """
        INSERT IGNORE INTO {table} ({column}) SELECT 0 FROM DUAL WHERE 1 = 0
        """;
  }

  @Override
  public final String update() {
    return """
        UPDATE {table} SET {column} = 0 WHERE 1 = 0
        """;
  }

  @Override
  public final String delete() {
    return """
        DELETE FROM {table} WHERE 1 = 0
        """;
  }

  @Override
  public final String lock() {
    return """
        SELECT {column} FROM {table} WHERE 1 = 0 FOR UPDATE
        """;
  }

  @Override
  public final List<Check> capture() {
    return BinlogCapture.checks(set);
  }

  @Override
  public final List<Check> checks() {
    return List.of(
        new Check("whether the session is inside a transaction", this::transaction),
        new Check("whether the server is a replica", this::readOnly),
        IdIncrement.check(set),
        new Check("whether Galera replicates the tables", Membership::ofGalera),
        own(),
        new Check("the format of the binary log", this::binlog),
        new Check("whether commits wait for the log", this::durability),
        new Check("the engine of the tables", this::engine),
        new Check("the precision of the times", this::precision),
        new Check("the collation and character set of texts", this::texts),
        new Check("the largest packet and the character set of the connection", this::sent),
        new Check("the PROCESS privilege", this::process).forRelays());
  }

  private List<Finding> readOnly(ExaminedDatabase examinedDatabase) throws SQLException {
    return examinedDatabase.row(readOnly()).is("closed")
        ? List.of(FindingCode.readOnly())
        : List.of();
  }

  private List<Finding> binlog(ExaminedDatabase examinedDatabase) throws SQLException {
    ResultRow resultRow =
        examinedDatabase.row("SELECT @@global.log_bin AS logs, @@session.binlog_format AS format");
    return FindingCode.BINLOG_STATEMENT.when(
        resultRow.is("logs") && resultRow.text("format").equals("STATEMENT"),
        "binlog_format is STATEMENT, with which the server refuses writes at READ COMMITTED (error 1665). Run: %s binlog_format = 'ROW'; and reconnect"
            .formatted(set));
  }

  // MariaDB's 3 flushes at each commit too
  private List<Finding> durability(ExaminedDatabase examinedDatabase) throws SQLException {
    long flush =
        examinedDatabase
            .row("SELECT @@global.innodb_flush_log_at_trx_commit AS flush")
            .number("flush");
    return FindingCode.notDurable(
        flush == 0 || flush == 2,
        "innodb_flush_log_at_trx_commit",
        flush,
        "Run: %s innodb_flush_log_at_trx_commit = 1;".formatted(set));
  }

  private List<Finding> engine(ExaminedDatabase examinedDatabase) throws SQLException {
    return examinedDatabase
        .rows(
            """
            SELECT table_name AS name, engine AS engine
            FROM information_schema.tables
            WHERE table_schema = COALESCE(:schema, DATABASE())
              AND table_name IN (:prefix, CONCAT(:prefix, '_lane'), CONCAT(:prefix, '_parked'),
                CONCAT(:prefix, '_delayed'), CONCAT(:prefix, '_dead'), CONCAT(:prefix, '_meta'),
                CONCAT(:prefix, '_relay'), CONCAT(:prefix, '_topic'))
              AND engine <> 'InnoDB'
            ORDER BY table_name
            """)
        .stream()
        .map(
            resultRow ->
                FindingCode.ENGINE_NOT_INNODB.finding(
                    "%s has engine %s, which has no transactions. Run: ALTER TABLE %s ENGINE = InnoDB;"
                        .formatted(
                            resultRow.text("name"),
                            resultRow.text("engine"),
                            resultRow.text("name"))))
        .toList();
  }

  private List<Finding> precision(ExaminedDatabase examinedDatabase) throws SQLException {
    return examinedDatabase
        .rows(
            """
            SELECT table_name AS name, column_name AS attribute, column_type AS type
            FROM information_schema.columns
            WHERE table_schema = COALESCE(:schema, DATABASE())
              AND table_name IN (:prefix, CONCAT(:prefix, '_lane'), CONCAT(:prefix, '_parked'),
                CONCAT(:prefix, '_delayed'), CONCAT(:prefix, '_dead'), CONCAT(:prefix, '_relay'))
              AND data_type IN ('datetime', 'timestamp')
              AND column_type <> 'datetime(6)'
            ORDER BY table_name, column_name
            """)
        .stream()
        .map(
            resultRow ->
                FindingCode.TIME_PRECISION.finding(
                    "%s.%s is %s, leases and due times need datetime(6). Run: ALTER TABLE %s MODIFY %s datetime(6); with the NOT NULL and DEFAULT of the DDL"
                        .formatted(
                            resultRow.text("name"),
                            resultRow.text("attribute"),
                            resultRow.text("type"),
                            resultRow.text("name"),
                            resultRow.text("attribute"))))
        .toList();
  }

  private List<Finding> texts(ExaminedDatabase examinedDatabase) throws SQLException {
    return examinedDatabase
        .rows(
            """
            SELECT table_name AS name, column_name AS attribute, collation_name AS collation
            FROM information_schema.columns
            WHERE table_schema = COALESCE(:schema, DATABASE())
              AND table_name IN (:prefix, CONCAT(:prefix, '_parked'), CONCAT(:prefix, '_delayed'),
                CONCAT(:prefix, '_dead'))
              AND (character_set_name <> 'utf8mb4'
                OR (column_name IN ('topic', 'msg_key') AND RIGHT(collation_name, 4) <> '_bin'))
            ORDER BY table_name, column_name
            """)
        .stream()
        .map(InnoDbProbes::text)
        .toList();
  }

  private static Finding text(ResultRow resultRow) {
    String table = resultRow.text("name");
    boolean utf8 = resultRow.text("collation").startsWith("utf8mb4");
    String remedy =
        "Run: ALTER TABLE %s CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;"
            .formatted(table);
    return utf8
        ? FindingCode.COLLATION_NOT_BINARY.finding(
            "%s.%s has collation %s, under which different keys are equal. %s"
                .formatted(table, resultRow.text("attribute"), resultRow.text("collation"), remedy))
        : FindingCode.ENCODING_NOT_UTF8.finding(
            "%s.%s has collation %s, whose character set refuses part of what a message may hold. %s"
                .formatted(
                    table, resultRow.text("attribute"), resultRow.text("collation"), remedy));
  }

  private List<Finding> sent(ExaminedDatabase examinedDatabase) throws SQLException {
    ResultRow row =
        examinedDatabase.row(
            "SELECT @@max_allowed_packet AS bytes, @@character_set_client AS encoding");
    List<Finding> findings = new ArrayList<>(packet(row.number("bytes")));
    findings.addAll(encoding(row.text("encoding")));
    return findings;
  }

  private List<Finding> packet(long bytes) {
    return FindingCode.PACKET_SMALL.when(
        bytes < PACKET,
        "max_allowed_packet is %d bytes; a payload of 1 MiB, escaped by the driver, needs %d. Run: %s max_allowed_packet = 67108864; and reconnect"
            .formatted(bytes, PACKET, set));
  }

  /** A character that the connection does not know is sent as a question mark. */
  private static List<Finding> encoding(String encoding) {
    return FindingCode.ENCODING_NOT_UTF8.when(
        !encoding.equals("utf8mb4"),
        "the connection's character set is %s: keys with other characters are not found again, and their messages wait for good. Leave characterEncoding out of the URL, and SET NAMES out of the pool"
            .formatted(encoding));
  }

  private List<Finding> process(ExaminedDatabase examinedDatabase) throws SQLException {
    try {
      examinedDatabase.rows("SELECT trx_id FROM information_schema.innodb_trx LIMIT 1");
      return List.of();
    } catch (SQLException e) {
      // 1227: one of these privileges is needed
      if (e.getErrorCode() != 1227 && examinedDatabase.dialect().faults().of(e) != Fault.DENIED) {
        throw e;
      }
      return List.of(
          FindingCode.PROCESS_MISSING.finding(
              "without the PROCESS privilege a relay cannot see open transactions: it waits for its grace only, and a message that is committed later is found late and perhaps published out of order. Run as an administrator: GRANT PROCESS ON *.* TO %s;"
                  .formatted(examinedDatabase.row(user()).text("name"))));
    }
  }
}
