package dev.outbox.jdbc.internal.schema;

import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.PostgresDialect;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The indexes that a database has.
 *
 * <p>Used by one thread.
 */
record Indexes(Connection connection, Dialect dialect) {
  /** A statement that makes an index: its name, its table, its columns. */
  static final Pattern CREATE =
      Pattern.compile(
          "CREATE INDEX (?:IF NOT EXISTS )?(?:\\w+\\.)?(\\w+) ON ([\\w.]+) \\(([^)]*)\\)");

  /**
   * The columns of each index of a table, by its name, both in lower case; none of one that
   * PostgreSQL still builds, or did not build to its end, because no query uses it.
   */
  Map<String, String> of(String table) throws SQLException {
    DatabaseMetaData metadata = connection.getMetaData();
    int dot = table.indexOf('.');
    String schema = dot < 0 ? schema(table) : stored(metadata, table.substring(0, dot));
    String name = stored(metadata, table.substring(dot + 1));
    // to MySQL and MariaDB a schema is a catalog
    boolean inCatalog = dot >= 0 && !metadata.supportsSchemasInTableDefinitions();
    String catalog = inCatalog ? schema : connection.getCatalog();
    Map<String, String> indexes = of(metadata, catalog, inCatalog ? null : schema, name);
    if (dialect instanceof PostgresDialect) {
      new SearchPath(connection)
          .invalidIndexes(schema, name)
          .forEach(index -> indexes.put(index.toLowerCase(Locale.ROOT), ""));
    }
    return indexes;
  }

  /** Columns as the DDL lists them, in the form of {@link #of}. */
  static String columns(String listed) {
    return listed.replace(" ", "").toLowerCase(Locale.ROOT);
  }

  /** Where a table without a schema is; on PostgreSQL that may be a later one of search_path. */
  private String schema(String table) throws SQLException {
    return dialect instanceof PostgresDialect
        ? new SearchPath(connection).schema(table)
        : connection.getSchema();
  }

  private static Map<String, String> of(
      DatabaseMetaData metadata, String catalog, @Nullable String schema, String table)
      throws SQLException {
    Map<String, TreeMap<Integer, String>> indexes = new HashMap<>();
    try (ResultSet row = metadata.getIndexInfo(catalog, schema, table, false, true)) {
      while (row.next()) {
        String column = row.getString("COLUMN_NAME");
        if (column != null) {
          indexes
              .computeIfAbsent(row.getString("INDEX_NAME"), index -> new TreeMap<>())
              .put(row.getInt("ORDINAL_POSITION"), column);
        }
      }
    }
    return indexes.entrySet().stream()
        .collect(
            Collectors.toMap(
                index -> index.getKey().toLowerCase(Locale.ROOT),
                index -> columns(String.join(",", index.getValue().values())),
                (one, other) -> one,
                HashMap::new));
  }

  private static String stored(DatabaseMetaData metadata, String name) throws SQLException {
    if (metadata.storesLowerCaseIdentifiers()) {
      return name.toLowerCase(Locale.ROOT);
    }
    return metadata.storesUpperCaseIdentifiers() ? name.toUpperCase(Locale.ROOT) : name;
  }
}
