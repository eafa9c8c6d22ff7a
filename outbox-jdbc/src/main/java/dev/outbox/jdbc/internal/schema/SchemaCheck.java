package dev.outbox.jdbc.internal.schema;

import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.Fault;
import dev.outbox.jdbc.dialect.MariaDbDialect;
import dev.outbox.jdbc.dialect.MySqlDialect;
import dev.outbox.jdbc.dialect.PostgresDialect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compares a database with the DDL: tables, columns, the lengths of texts, the precision of times,
 * indexes.
 *
 * <p>Used by one thread.
 */
final class SchemaCheck {
  static final Pattern TABLE =
      Pattern.compile(
          "CREATE TABLE (?:IF NOT EXISTS )?([\\w.]+) \\(\\n(.*?)\\n\\)", Pattern.DOTALL);
  private static final String UNREADABLE = " may not be read";
  private static final String UNSEEN = " is missing or may not be read";
  private static final String TAKEN =
      "; %s is there, but invalid or on other columns. If it is being built, wait. Else run DROP INDEX %s, then create()";
  private static final Pattern KEY = Pattern.compile("(?:PRIMARY KEY|KEY \\w+) \\(([^)]*)\\)");
  private static final Pattern COLUMN =
      Pattern.compile("([a-z_]+) (\\w+)(?:\\((\\d+)(?: CHAR)?\\))?.*");
  private static final Pattern TEXT = Pattern.compile("varchar|VARCHAR2");
  private static final Pattern TIME = Pattern.compile("timestamp|TIMESTAMP|timestamptz|datetime");

  private final Connection connection;
  private final Dialect dialect;
  private final boolean whole;
  private final SearchPath path;
  private final Set<String> ofAnother = new HashSet<>();
  private final List<String> findings = new ArrayList<>();
  private final List<String> due = new ArrayList<>();
  private @Nullable String home;
  private final Set<String> denied = new HashSet<>();
  private final Map<String, Optional<Map<String, Column>>> columns = new HashMap<>();
  private final Map<String, Map<String, String>> indexes = new HashMap<>();

  private SchemaCheck(Connection connection, Dialect dialect, boolean whole) {
    this.connection = connection;
    this.dialect = dialect;
    this.whole = whole;
    this.path = new SearchPath(connection);
  }

  static SchemaCheck of(Connection connection, Dialect dialect, Ddl ddl) throws SQLException {
    return new SchemaCheck(connection, dialect, true).made(ddl);
  }

  /** Of the columns of those tables that are there and may be read. */
  static SchemaCheck ofColumns(Connection connection, Dialect dialect, Ddl ddl)
      throws SQLException {
    return new SchemaCheck(connection, dialect, false).made(ddl);
  }

  // a missing table would end the transaction, and with it the questions that follow
  private SchemaCheck made(Ddl ddl) throws SQLException {
    boolean autoCommit = connection.getAutoCommit();
    connection.setAutoCommit(true);
    try {
      if (isOnPath(ddl)) {
        ofAnother.addAll(path.behind(meta(ddl), ddl.tableNames()));
      }
      for (String statement : ddl.statements()) {
        statement(statement, ddl);
      }
    } finally {
      connection.setAutoCommit(autoCommit);
    }
    return this;
  }

  /** Whether it says of a table that is there that it may not be read. */
  static boolean isOfUnreadable(String finding) {
    return finding.endsWith(UNREADABLE) && !finding.endsWith(UNSEEN);
  }

  List<String> findings() {
    return List.copyOf(findings);
  }

  /**
   * Those statements that make what is not there, and those that write rows. A missing table is
   * made where the others are, which may be a later schema of PostgreSQL's search_path: the
   * server's own IF NOT EXISTS looks in the first one alone, and waits for whoever writes to the
   * table of an index that is there. A table that only a schema behind theirs has is missing.
   */
  List<String> due() {
    return List.copyOf(due);
  }

  private void statement(String statement, Ddl ddl) throws SQLException {
    Matcher table = TABLE.matcher(statement);
    Matcher index = Indexes.CREATE.matcher(statement);
    if (table.find()) {
      table(table.group(1), table.group(2));
      if (!isThere(table.group(1))) {
        due.add(new StringBuilder(statement).insert(table.start(1), home(ddl)).toString());
      }
    } else if (!index.find() || isDue(index.group(1), index.group(2), index.group(3))) {
      due.add(statement);
    }
  }

  /** True when the index is to be made by its own statement. Reports one that is missing. */
  private boolean isDue(String index, String table, String wanted) throws SQLException {
    if (!isThere(table)) {
      return true;
    }
    boolean isTaken = indexes(table).containsKey(index.toLowerCase(Locale.ROOT));
    if (columns(table).isPresent()) {
      String name = table.substring(0, table.indexOf('.') + 1) + index;
      index(table, wanted, isTaken ? TAKEN.formatted(name, name) : "");
    }
    return !isTaken && !hasIndex(table, wanted);
  }

  boolean isThere(String table) throws SQLException {
    return columns(table).isPresent() || (denied.contains(table) && !deniesWhatIsMissing());
  }

  /** Whether who may not read a table is told so even where there is none. */
  private boolean deniesWhatIsMissing() {
    return dialect instanceof MySqlDialect || dialect instanceof MariaDbDialect;
  }

  /**
   * What to write before the name of a missing table, so that it is made beside the others.
   * Receipts alone are a consumer's, and the outbox that is found may be that of its producer.
   */
  private String home(Ddl ddl) throws SQLException {
    String known = home;
    if (known == null) {
      List<String> tables = Stream.concat(Stream.of(meta(ddl)), ddl.tableNames().stream()).toList();
      known = isOnPath(ddl) && !whole && !isOfConsumer(ddl) ? path.home(tables) : "";
      home = known;
    }
    return known;
  }

  private static boolean isOfConsumer(Ddl ddl) {
    return ddl.tableNames().equals(List.of(ddl.tables().name("receipt")));
  }

  private boolean isOnPath(Ddl ddl) {
    return dialect instanceof PostgresDialect && ddl.tables().schema() == null;
  }

  private static String meta(Ddl ddl) {
    return ddl.tables().name("meta");
  }

  private void table(String name, String body) throws SQLException {
    Optional<Map<String, Column>> found = columns(name);
    if (found.isEmpty()) {
      if (whole) {
        findings.add("table " + name + absence(name));
      }
      return;
    }
    for (String line : body.lines().map(String::strip).toList()) {
      Matcher key = KEY.matcher(line);
      Matcher column = COLUMN.matcher(line);
      if (key.find()) {
        String definition = line.replaceFirst(",$", "");
        index(name, key.group(1), ". Run ALTER TABLE %s ADD %s".formatted(name, definition));
      } else if (column.matches()) {
        column(name, column, found.get().get(column.group(1)));
      }
    }
  }

  private String absence(String table) throws SQLException {
    if (!denied.contains(table)) {
      return " is missing";
    }
    return deniesWhatIsMissing() && !isListed(table) ? UNSEEN : UNREADABLE;
  }

  /** MySQL and MariaDB list a table for whoever has any right on it. */
  private boolean isListed(String table) throws SQLException {
    int dot = table.indexOf('.');
    String schema = dot < 0 ? "DATABASE()" : "'" + table.substring(0, dot) + "'";
    String listed =
        "SELECT 1 FROM information_schema.tables WHERE table_schema = %s AND table_name = '%s'"
            .formatted(schema, table.substring(dot + 1));
    try (var statement = connection.createStatement();
        ResultSet row = statement.executeQuery(listed)) {
      return row.next();
    }
  }

  /** What the database says of a column. */
  private record Column(int length, int scale) {}

  /** Those of a table, asked once; empty where it cannot be seen. */
  private Optional<Map<String, Column>> columns(String table) throws SQLException {
    Optional<Map<String, Column>> known = columns.get(table);
    if (known == null) {
      known = Optional.ofNullable(askedColumns(table));
      columns.put(table, known);
    }
    return known;
  }

  private @Nullable Map<String, Column> askedColumns(String table) throws SQLException {
    if (ofAnother.contains(table)) {
      return null;
    }
    try (var statement = connection.createStatement();
        ResultSet none = statement.executeQuery("SELECT * FROM " + table + " WHERE 1 = 0")) {
      ResultSetMetaData metadata = none.getMetaData();
      Map<String, Column> columns = new HashMap<>();
      for (int i = 1; i <= metadata.getColumnCount(); i++) {
        columns.put(
            metadata.getColumnName(i).toLowerCase(Locale.ROOT),
            new Column(metadata.getPrecision(i), decimals(metadata, i)));
      }
      return columns;
    } catch (SQLException e) {
      Fault fault = dialect.faults().of(e);
      if (fault == Fault.DENIED) {
        denied.add(table);
      } else if (fault != Fault.MISSING) {
        throw e;
      }
      return null;
    }
  }

  // MySQL's driver tells the decimals of a DATETIME only by its length: 19, or 20 and the decimals
  private static int decimals(ResultSetMetaData metadata, int column) throws SQLException {
    return metadata.getColumnTypeName(column).equals("DATETIME")
        ? Math.max(metadata.getScale(column), metadata.getColumnDisplaySize(column) - 20)
        : metadata.getScale(column);
  }

  private void column(String table, Matcher wanted, @Nullable Column found) {
    String name = table + "." + wanted.group(1);
    if (found == null) {
      findings.add("column " + name + " is missing");
      return;
    }
    int size = wanted.group(3) == null ? 0 : Integer.parseInt(wanted.group(3));
    if (TEXT.matcher(wanted.group(2)).matches() && size > 0 && found.length() < size) {
      findings.add(
          "column %s holds %d characters, it must hold %d".formatted(name, found.length(), size));
    }
    if (TIME.matcher(wanted.group(2)).matches() && found.scale() < size) {
      findings.add(
          "column %s keeps %d decimals of a second, it must keep %d"
              .formatted(name, found.scale(), size));
    }
  }

  private void index(String table, String wanted, String remedy) throws SQLException {
    if (whole && !hasIndex(table, wanted)) {
      findings.add("table %s has no index on (%s)%s".formatted(table, wanted, remedy));
    }
  }

  private boolean hasIndex(String table, String wanted) throws SQLException {
    return indexes(table).containsValue(Indexes.columns(wanted));
  }

  /** The columns of each index of a table by its name, asked once. */
  private Map<String, String> indexes(String table) throws SQLException {
    Map<String, String> known = indexes.get(table);
    if (known == null) {
      known = new Indexes(connection, dialect).of(table);
      indexes.put(table, known);
    }
    return known;
  }
}
