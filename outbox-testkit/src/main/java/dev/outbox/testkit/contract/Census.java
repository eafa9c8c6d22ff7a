package dev.outbox.testkit.contract;

import dev.outbox.store.DeadFilter;
import dev.outbox.testkit.InMemoryStore;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * How many messages stand in each table. Tables of a database are told by their columns, so that
 * any prefix does; tables of one kind are counted together.
 *
 * <p>Immutable.
 */
record Census(long ready, long parked, long delayed, long dead) {
  static final Census EMPTY = new Census(0, 0, 0, 0);

  static Census of(StoreEnvironment environment) throws SQLException {
    if (environment.store() instanceof InMemoryStore memory) {
      return new Census(
          memory.readyCount(),
          memory.parkedCount(),
          memory.delayedCount(),
          memory.deadLetters().count(DeadFilter.all(), Long.MAX_VALUE));
    }
    try (Connection connection = environment.applications().getConnection()) {
      Map<String, Set<String>> tables = tables(connection);
      return new Census(
          count(connection, find(tables, Census::isReady)),
          count(connection, find(tables, Census::isParked)),
          count(connection, find(tables, Census::isDelayed)),
          count(connection, find(tables, columns -> columns.contains("died_at"))));
    }
  }

  /** What has come since {@code earlier}. */
  Census since(Census earlier) {
    return new Census(
        ready - earlier.ready,
        parked - earlier.parked,
        delayed - earlier.delayed,
        dead - earlier.dead);
  }

  /** True when there is no table to run SQL on. */
  static boolean isWithoutSql(StoreEnvironment environment) {
    return environment.store() instanceof InMemoryStore;
  }

  /** Writes headers that are no JSON into all ready messages, as a writer of plain SQL might. */
  static void breakHeaders(StoreEnvironment environment) throws SQLException {
    try (Connection connection = environment.applications().getConnection();
        Statement statement = connection.createStatement()) {
      for (String ready : find(tables(connection), Census::isReady)) {
        statement.executeUpdate("UPDATE " + ready + " SET headers = '{\"broken'");
      }
      if (!connection.getAutoCommit()) {
        connection.commit();
      }
    }
  }

  private static boolean isReady(Set<String> columns) {
    return !columns.contains("due_at")
        && !columns.contains("attempts")
        && !columns.contains("completed_at");
  }

  private static boolean isParked(Set<String> columns) {
    return columns.contains("due_at") && columns.contains("attempts");
  }

  private static boolean isDelayed(Set<String> columns) {
    return columns.contains("due_at") && !columns.contains("attempts");
  }

  /** The tables that hold messages, with their columns in lower case. */
  private static Map<String, Set<String>> tables(Connection connection) throws SQLException {
    DatabaseMetaData data = connection.getMetaData();
    Map<String, Set<String>> tables = new TreeMap<>();
    try (ResultSet columns =
        data.getColumns(connection.getCatalog(), connection.getSchema(), "%", "%")) {
      while (columns.next()) {
        tables
            .computeIfAbsent(columns.getString("TABLE_NAME"), name -> new HashSet<>())
            .add(columns.getString("COLUMN_NAME").toLowerCase(Locale.ROOT));
      }
    }
    tables.values().removeIf(columns -> !columns.contains("msg_key"));
    return tables;
  }

  private static List<String> find(Map<String, Set<String>> tables, Predicate<Set<String>> wanted) {
    return tables.entrySet().stream()
        .filter(table -> wanted.test(table.getValue()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static long count(Connection connection, List<String> tables) throws SQLException {
    if (tables.isEmpty()) {
      throw new AssertionError("a table of messages was not found by its columns");
    }
    long sum = 0;
    try (Statement statement = connection.createStatement()) {
      for (String table : tables) {
        try (ResultSet count = statement.executeQuery("SELECT count(*) FROM " + table)) {
          count.next();
          sum += count.getLong(1);
        }
      }
    }
    return sum;
  }
}
