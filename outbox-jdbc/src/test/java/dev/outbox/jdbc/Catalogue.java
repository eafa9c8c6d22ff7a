package dev.outbox.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a database says of the tables with a prefix: columns, indexes and checks, in words. */
final class Catalogue {
  private final Connection connection;
  private final String prefix;
  private final TreeSet<String> words = new TreeSet<>();

  private Catalogue(Connection connection, String prefix) {
    this.connection = connection;
    this.prefix = prefix;
  }

  static Set<String> of(Connection connection, String prefix) throws SQLException {
    Catalogue catalogue = new Catalogue(connection, prefix);
    DatabaseMetaData metadata = connection.getMetaData();
    try (ResultSet table =
        metadata.getTables(connection.getCatalog(), connection.getSchema(), "%", null)) {
      while (table.next()) {
        String name = table.getString("TABLE_NAME");
        if (name.toLowerCase(Locale.ROOT).matches(prefix + "(_[a-z]+)?")) {
          catalogue.columns(metadata, name);
          catalogue.indexes(metadata, name);
        }
      }
    }
    catalogue.checks();
    return catalogue.words;
  }

  private void columns(DatabaseMetaData metadata, String table) throws SQLException {
    try (ResultSet column =
        metadata.getColumns(connection.getCatalog(), connection.getSchema(), table, "%")) {
      while (column.next()) {
        add(
            "column %s.%s %d %s(%d, %d) nullable=%s default=%s"
                .formatted(
                    table,
                    column.getString("COLUMN_NAME"),
                    column.getInt("ORDINAL_POSITION"),
                    column.getString("TYPE_NAME"),
                    column.getInt("COLUMN_SIZE"),
                    column.getInt("DECIMAL_DIGITS"),
                    column.getString("IS_NULLABLE"),
                    column.getString("COLUMN_DEF")));
      }
    }
  }

  private void indexes(DatabaseMetaData metadata, String table) throws SQLException {
    Map<String, TreeMap<Integer, String>> indexes = new TreeMap<>();
    try (ResultSet row =
        metadata.getIndexInfo(
            connection.getCatalog(), connection.getSchema(), table, false, true)) {
      while (row.next()) {
        if (row.getString("COLUMN_NAME") != null) {
          // H2 numbers the index of a key
          String name = row.getString("INDEX_NAME").replaceAll("PRIMARY_KEY_.*", "PRIMARY");
          String filter = row.getString("FILTER_CONDITION");
          indexes
              .computeIfAbsent(name + " where " + filter, index -> new TreeMap<>())
              .put(row.getInt("ORDINAL_POSITION"), row.getString("COLUMN_NAME"));
        }
      }
    }
    indexes.forEach(
        (name, columns) -> add("index %s %s %s".formatted(table, name, columns.values())));
  }

  private void checks() throws SQLException {
    String schema = connection.getSchema();
    try (var statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT t.constraint_name, c.check_clause"
                    + " FROM information_schema.table_constraints t"
                    + " JOIN information_schema.check_constraints c"
                    + " ON c.constraint_name = t.constraint_name"
                    + " AND c.constraint_schema = t.constraint_schema"
                    + " WHERE LOWER(t.constraint_name) LIKE '"
                    + prefix
                    + "%' AND t.constraint_schema = '"
                    + (schema == null ? connection.getCatalog() : schema)
                    + "'")) {
      while (row.next()) {
        add("check %s %s".formatted(row.getString(1), row.getString(2)));
      }
    } catch (SQLException e) {
      // MySQL has no such table before 8.0.16, and no checks
      if (!connection.getMetaData().getDatabaseProductName().equals("MySQL")) {
        throw e;
      }
    }
  }

  private void add(String fact) {
    words.add(fact.toLowerCase(Locale.ROOT).replaceAll("\\b" + prefix + "(?=_|\\b)", "outbox"));
  }
}
