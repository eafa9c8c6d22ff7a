package dev.outbox.jdbc.internal.doctor.probe;

import dev.outbox.Claiming;
import dev.outbox.OutboxException.Finding;
import dev.outbox.jdbc.internal.doctor.base.Check;
import dev.outbox.jdbc.internal.doctor.base.ExaminedDatabase;
import dev.outbox.jdbc.internal.doctor.base.FindingCode;
import dev.outbox.jdbc.internal.doctor.base.ResultRow;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

/** What the doctor asks PostgreSQL. */
public final class PostgresProbes implements Probes {

  @Override
  public String session() {
    return """
        SELECT pg_backend_pid() AS session
        """;
  }

  @Override
  public String limits() {
    return """
        SELECT MAX(CASE name WHEN 'lock_timeout' THEN setting END) AS lock_wait,
          MAX(CASE name WHEN 'idle_in_transaction_session_timeout' THEN setting END) AS idle,
          MAX(CASE name WHEN 'statement_timeout' THEN setting END) AS statement
        FROM pg_settings
        """;
  }

  @Override
  public String clock() {
    return """
        SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS bigint) AS millis
        """;
  }

  @Override
  public String user() {
    return """
        SELECT quote_ident(current_user) AS name
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
    return PostgresCapture.checks();
  }

  @Override
  public List<Check> checks() {
    return List.of(
        new Check("whether the session is inside a transaction", this::transaction),
        new Check("whether the server is a standby", this::standby),
        new Check("the schema of the tables", this::schema),
        new Check("the sequences of the ids", PostgresSequences::outOfOrder),
        new Check("the ids that other clusters know of", Check.NOTHING, PostgresSequences::behind)
            .forRelays(),
        new Check("row security of the tables", this::rowSecurity),
        new Check("whether the tables are logged", this::unlogged),
        new Check("the partitions of the tables", PostgresPartitions::claimedByRows).forRelays(),
        new Check("whether commits wait for the log", this::durability),
        new Check("the precision of the times", this::precision),
        new Check("the collation of topics and keys", this::collation),
        new Check("the encoding of the database", this::encoding),
        new Check("the time-outs of the role", this::timeouts).forRelays());
  }

  // a transaction has one now(), two statements on their own have two
  private List<Finding> transaction(ExaminedDatabase examinedDatabase) throws SQLException {
    String text = "SELECT CAST(now() AS text) AS began";
    boolean same =
        examinedDatabase.row(text).text("began").equals(examinedDatabase.row(text).text("began"));
    return same ? List.of(FindingCode.lentInTransaction()) : List.of();
  }

  private List<Finding> standby(ExaminedDatabase examinedDatabase) throws SQLException {
    ResultRow resultRow =
        examinedDatabase.row(
            """
            SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only') AS closed
            """);
    return resultRow.is("standby") || resultRow.is("closed")
        ? List.of(FindingCode.readOnly())
        : List.of();
  }

  private List<Finding> schema(ExaminedDatabase examinedDatabase) throws SQLException {
    ResultRow resultRow =
        examinedDatabase.row(
            """
            SELECT COALESCE(has_schema_privilege(to_regnamespace(CAST(:schema AS text)), 'USAGE'), true) AS usable,
              quote_ident(current_user) AS name
            """);
    String schema = examinedDatabase.tables().schema();
    return FindingCode.GRANTS_MISSING.when(
        !resultRow.is("usable"),
        "%s may not look into the schema %s. Run as its owner: GRANT USAGE ON SCHEMA %s TO %s;"
            .formatted(resultRow.text("name"), schema, schema, resultRow.text("name")));
  }

  private List<Finding> rowSecurity(ExaminedDatabase examinedDatabase) throws SQLException {
    return examinedDatabase
        .rows(
            """
            SELECT CAST(c.oid AS regclass) AS name, quote_ident(current_user) AS role
            FROM pg_class c
            WHERE c.oid = ANY(ARRAY[to_regclass('{outbox}'), to_regclass('{lane}'),
                to_regclass('{parked}'), to_regclass('{delayed}'), to_regclass('{dead}')])
              AND row_security_active(c.oid)
            ORDER BY 1
            """)
        .stream()
        .map(
            resultRow ->
                FindingCode.ROWS_HIDDEN.finding(
                    "row security hides rows of %s from %s, and what is hidden is never published. Run: ALTER TABLE %s DISABLE ROW LEVEL SECURITY; or as a superuser: ALTER ROLE %s BYPASSRLS;"
                        .formatted(
                            resultRow.text("name"),
                            resultRow.text("role"),
                            resultRow.text("name"),
                            resultRow.text("role"))))
        .toList();
  }

  private List<Finding> unlogged(ExaminedDatabase examinedDatabase) throws SQLException {
    return examinedDatabase
        .rows(
            """
            SELECT CAST(c.oid AS regclass) AS name
            FROM pg_class c
            WHERE c.oid = ANY(ARRAY[to_regclass('{outbox}'), to_regclass('{lane}'),
                to_regclass('{parked}'), to_regclass('{delayed}'), to_regclass('{dead}')])
              AND c.relpersistence <> 'p'
            ORDER BY 1
            """)
        .stream()
        .map(
            resultRow ->
                FindingCode.TABLES_UNLOGGED.finding(
                    "%s is unlogged or temporary: a crash of the server empties it. Run: ALTER TABLE %s SET LOGGED;"
                        .formatted(resultRow.text("name"), resultRow.text("name"))))
        .toList();
  }

  private List<Finding> durability(ExaminedDatabase examinedDatabase) throws SQLException {
    ResultRow resultRow =
        examinedDatabase.row(
            """
            SELECT current_setting('synchronous_commit') AS waits, quote_ident(session_user) AS name,
              quote_ident(current_database()) AS base
            """);
    return FindingCode.notDurable(
        resultRow.text("waits").equals("off"),
        "synchronous_commit",
        "off",
        "Run: ALTER ROLE %s IN DATABASE %s SET synchronous_commit = on; and reconnect. If the URL or the pool's init SQL sets it, remove it there"
            .formatted(resultRow.text("name"), resultRow.text("base")));
  }

  private List<Finding> precision(ExaminedDatabase examinedDatabase) throws SQLException {
    return examinedDatabase
        .rows(
            """
            SELECT CAST(a.attrelid AS regclass) AS name, a.attname AS attribute,
              format_type(a.atttypid, a.atttypmod) AS type
            FROM pg_attribute a
            WHERE a.attrelid = ANY(ARRAY[to_regclass('{outbox}'), to_regclass('{lane}'),
                to_regclass('{parked}'), to_regclass('{delayed}'), to_regclass('{dead}'),
                to_regclass('{relay}')])
              AND a.attnum > 0
              AND (a.atttypid = CAST('timestamp' AS regtype)
                OR (a.atttypid = CAST('timestamptz' AS regtype) AND a.atttypmod BETWEEN 0 AND 5))
            ORDER BY 1, 2
            """)
        .stream()
        .map(
            resultRow ->
                FindingCode.TIME_PRECISION.finding(
                    "%s.%s is %s, leases and due times need timestamptz(6). Run: ALTER TABLE %s ALTER COLUMN %s TYPE timestamptz(6);"
                        .formatted(
                            resultRow.text("name"),
                            resultRow.text("attribute"),
                            resultRow.text("type"),
                            resultRow.text("name"),
                            resultRow.text("attribute"))))
        .toList();
  }

  private List<Finding> collation(ExaminedDatabase examinedDatabase) throws SQLException {
    return examinedDatabase
        .rows(
            """
            SELECT CAST(a.attrelid AS regclass) AS name, a.attname AS attribute, c.collname AS collation
            FROM pg_attribute a
            JOIN pg_collation c
              ON c.oid = a.attcollation
            WHERE a.attrelid = ANY(ARRAY[to_regclass('{outbox}'), to_regclass('{parked}')])
              AND a.attname IN ('topic', 'msg_key')
              AND NOT c.collisdeterministic
            ORDER BY 1, 2
            """)
        .stream()
        .map(
            resultRow ->
                FindingCode.COLLATION_NOT_BINARY.finding(
                    "%s.%s has collation %s, under which different keys are equal. Run: ALTER TABLE %s ALTER COLUMN %s TYPE varchar(255) COLLATE \"C\";"
                        .formatted(
                            resultRow.text("name"),
                            resultRow.text("attribute"),
                            resultRow.text("collation"),
                            resultRow.text("name"),
                            resultRow.text("attribute"))))
        .toList();
  }

  private List<Finding> encoding(ExaminedDatabase examinedDatabase) throws SQLException {
    String encoding =
        examinedDatabase
            .row("SELECT current_setting('server_encoding') AS encoding")
            .text("encoding");
    return FindingCode.ENCODING_NOT_UTF8.when(
        !encoding.equals("UTF8"),
        "the database's encoding is %s, which refuses part of what a key or header may hold. Make the tables in a database created with ENCODING 'UTF8'"
            .formatted(encoding));
  }

  private List<Finding> timeouts(ExaminedDatabase examinedDatabase) throws SQLException {
    ResultRow resultRow =
        examinedDatabase.row(
            """
            SELECT COALESCE(MAX(CASE name WHEN 'transaction_timeout' THEN setting END), '0') AS whole,
              COALESCE(MAX(CASE name WHEN 'idle_session_timeout' THEN setting END), '0') AS idle,
              quote_ident(current_user) AS name
            FROM pg_settings
            """);
    long lease = examinedDatabase.usage().lease().toMillis();
    long statement = examinedDatabase.limits().statement().toMillis();
    long longest =
        examinedDatabase.usage().claiming() == Claiming.ROWS ? Long.MAX_VALUE : statement;
    return Stream.concat(
            shorter("transaction_timeout", resultRow.number("whole"), longest, resultRow).stream(),
            shorter("idle_session_timeout", resultRow.number("idle"), lease, resultRow).stream())
        .toList();
  }

  private static List<Finding> shorter(
      String setting, long millis, long needed, ResultRow resultRow) {
    return FindingCode.TIMEOUT_SHORT.when(
        millis > 0 && millis < needed,
        "%s is %d ms, and ends sessions of a relay, which sets limits of its own. Run: ALTER ROLE %s SET %s = 0;"
            .formatted(setting, millis, resultRow.text("name"), setting));
  }
}
