package dev.outbox.jdbc;

import dev.outbox.servers.Database;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/** The rows and next ids of outbox tables, kept in tables beside them. Immutable. */
record TableCopies(DataSource dataSource, Database database, String prefix, boolean archives) {
  private static final List<String> TABLES =
      List.of("", "_lane", "_parked", "_delayed", "_dead", "_relay", "_topic", "_dedupe");

  private static final Map<String, String> IDENTITIES =
      Map.of("", "id", "_delayed", "id", "_dead", "dead_id");

  private static final Pattern AUTO_INCREMENT = Pattern.compile(" AUTO_INCREMENT=(\\d+)");

  private List<String> tables() {
    List<String> tables = new ArrayList<>(TABLES);
    if (archives) {
      tables.add("_archive");
    }
    return tables;
  }

  private String copyOf(String table) {
    return prefix + "_copy" + table;
  }

  private interface Work<T> {
    T run(Statement statement) throws SQLException;
  }

  /** The next ids, by table. */
  record NextIds(Map<String, Long> byTable) {}

  /** Copies what is committed, and waits for nobody. */
  NextIds copy() throws SQLException {
    return inTransaction(
        statement -> {
          for (String table : tables()) {
            statement.execute(
                "CREATE TABLE IF NOT EXISTS %s AS SELECT * FROM %s WHERE 1 = 0"
                    .formatted(copyOf(table), prefix + table));
            replace(statement, copyOf(table), prefix + table);
          }
          Map<String, Long> next = new LinkedHashMap<>();
          for (String table : IDENTITIES.keySet()) {
            next.put(table, nextId(statement, table));
          }
          return new NextIds(next);
        });
  }

  /** Puts back what {@link #copy} found. */
  void putBack(NextIds next) throws SQLException {
    inTransaction(
        statement -> {
          for (String table : tables()) {
            replace(statement, prefix + table, copyOf(table));
          }
          return next;
        });
    inTransaction(
        statement -> {
          for (Map.Entry<String, Long> entry : next.byTable().entrySet()) {
            restart(statement, entry.getKey(), entry.getValue());
          }
          return next;
        });
  }

  private static void replace(Statement statement, String into, String from) throws SQLException {
    statement.executeUpdate("DELETE FROM " + into);
    statement.executeUpdate("INSERT INTO %s SELECT * FROM %s".formatted(into, from));
  }

  private long nextId(Statement statement, String table) throws SQLException {
    String name = prefix + table;
    String column = IDENTITIES.get(table);
    String sql =
        switch (database) {
          case POSTGRES ->
              "SELECT last_value + CASE WHEN is_called THEN 1 ELSE 0 END FROM %s_%s_seq"
                  .formatted(name, column);
          case MYSQL, MARIADB -> "SHOW CREATE TABLE " + name;
          default ->
              "SELECT identity_base FROM information_schema.columns"
                  + " WHERE table_schema = CURRENT_SCHEMA AND LOWER(table_name) = '%s' AND LOWER(column_name) = '%s'"
                      .formatted(name, column);
        };
    try (ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return isMySql() ? autoIncrement(row.getString(2)) : row.getLong(1);
    }
  }

  private static long autoIncrement(String definition) {
    Matcher told = AUTO_INCREMENT.matcher(definition);
    return told.find() ? Long.parseLong(told.group(1)) : 1;
  }

  private void restart(Statement statement, String table, long next) throws SQLException {
    statement.execute(
        isMySql()
            ? "ALTER TABLE %s AUTO_INCREMENT = %d".formatted(prefix + table, next)
            : "ALTER TABLE %s ALTER COLUMN %s RESTART WITH %d"
                .formatted(prefix + table, IDENTITIES.get(table), next));
  }

  private boolean isMySql() {
    return database == Database.MYSQL || database == Database.MARIADB;
  }

  // on InnoDB a copy at a stricter level waits for the rows that a claim has locked
  private <T> T inTransaction(Work<T> work) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      connection.setAutoCommit(false);
      T result = work.run(statement);
      connection.commit();
      return result;
    }
  }
}
