package dev.outbox.jdbc.internal.schema;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Where PostgreSQL finds a table that is named without a schema: in the first schema of search_path
 * that has one, which may be that of another outbox.
 *
 * <p>Used by one thread.
 */
final class SearchPath {
  private final Connection connection;

  SearchPath(Connection connection) {
    this.connection = connection;
  }

  /** The schema of a table, empty where there is none. */
  String schema(String table) throws SQLException {
    String where =
        "SELECT n.nspname FROM pg_namespace n JOIN pg_class c ON c.relnamespace = n.oid WHERE c.oid = to_regclass('%s')";
    List<String> found = texts(where.formatted(table));
    return found.isEmpty() ? "" : found.get(0);
  }

  /** Those of a table that a CREATE INDEX CONCURRENTLY still builds, or left when it failed. */
  List<String> invalidIndexes(String schema, String table) throws SQLException {
    String invalid = // without to_regclass, which needs rights on the schema
        """
        SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        JOIN pg_class t ON t.oid = i.indrelid JOIN pg_namespace n ON n.oid = t.relnamespace
        WHERE NOT i.indisvalid AND n.nspname = '%s' AND t.relname = '%s'
        """;
    return texts(invalid.formatted(schema.replace("'", "''"), table.replace("'", "''")));
  }

  /** Those of {@code tables} that are in a later schema than {@code meta}: of another outbox. */
  List<String> behind(String meta, List<String> tables) throws SQLException {
    String later =
        """
        SELECT asked.name FROM unnest(ARRAY['%s']) AS asked (name)
        JOIN pg_class c ON c.oid = to_regclass(asked.name)
        JOIN pg_namespace n ON n.oid = c.relnamespace
        JOIN pg_class m ON m.oid = to_regclass('%s')
        JOIN pg_namespace home ON home.oid = m.relnamespace
        WHERE array_position(current_schemas(true), n.nspname)
          > array_position(current_schemas(true), home.nspname)
        """;
    return texts(later.formatted(String.join("', '", tables), meta));
  }

  /** The schema of the first of {@code tables} that is there, to write before a name. */
  String home(List<String> tables) throws SQLException {
    for (String table : tables) {
      String schema = schema(table);
      if (!schema.isEmpty()) {
        return '"' + schema.replace("\"", "\"\"") + "\".";
      }
    }
    return "";
  }

  private List<String> texts(String sql) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (var statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        texts.add(row.getString(1));
      }
    }
    return texts;
  }
}
