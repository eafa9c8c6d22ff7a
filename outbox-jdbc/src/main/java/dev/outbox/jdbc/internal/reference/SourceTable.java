package dev.outbox.jdbc.internal.reference;

import dev.outbox.jdbc.internal.message.IdCodec;
import dev.outbox.jdbc.internal.message.JsonText;
import dev.outbox.message.Payload;
import dev.outbox.message.Reference;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A table of the application's own from which payloads are read by id.
 *
 * <p>Immutable. Its names are identifiers and quoted, written as the database keeps them.
 */
public final class SourceTable {
  private static final int MOST_IDS = 500;
  private static final int LEAST_IDS = 4;
  private static final int PATIENCE_SECONDS = 15;
  private static final String JSON = "application/json";

  private final Shape shape;
  private final String select;
  private final IdCodec ids;
  private final List<ColumnCodec> columnCodecs;

  private SourceTable(Shape shape, String select, IdCodec ids, List<ColumnCodec> columnCodecs) {
    this.shape = shape;
    this.select = select;
    this.ids = ids;
    this.columnCodecs = columnCodecs;
  }

  /**
   * What is read of a table: one column as it is, of {@code contentType} or the column's own, or an
   * object of several.
   */
  public record Shape(
      String table,
      String id,
      List<String> columns,
      @Nullable String contentType,
      boolean isObject) {
    private static final Pattern COLUMN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");

    /**
     * @throws IllegalArgumentException when a name is no identifier
     */
    public Shape {
      Objects.requireNonNull(table, "table");
      Objects.requireNonNull(id, "id");
      columns.forEach(column -> Objects.requireNonNull(column, "column"));
      columns = List.copyOf(columns);
      new Reference(table, "any"); // it checks the name as a message's
      Stream.concat(Stream.of(id), columns.stream()).forEach(Shape::requireIdentifier);
    }

    private static void requireIdentifier(String column) {
      if (!COLUMN.matcher(column).matches()) {
        throw new IllegalArgumentException(
            "column is '%s', it must be 1 to 128 letters, digits and underscores"
                .formatted(column));
      }
    }
  }

  /**
   * Finds the table and its columns, with the names as given or in the case in which the database
   * keeps names that were not quoted.
   *
   * @throws IllegalArgumentException when they are not there, or of types that cannot be read
   */
  public static SourceTable find(Connection connection, Shape shape) throws SQLException {
    DatabaseMetaData database = connection.getMetaData();
    List<SQLException> refusals = new ArrayList<>();
    for (UnaryOperator<String> spelling : spellings(database)) {
      String select = select(shape, spelling, database.getIdentifierQuoteString().trim());
      try (PreparedStatement none = connection.prepareStatement(select + " WHERE 1 = 0");
          ResultSet nothing = none.executeQuery()) {
        return of(shape, select, nothing.getMetaData());
      } catch (SQLException e) {
        refusals.add(e);
        if (!connection.getAutoCommit()) {
          connection.rollback();
        }
      }
    }
    throw new IllegalArgumentException(
        "table %s with the columns %s and %s cannot be read: %s"
            .formatted(shape.table(), shape.id(), shape.columns(), told(refusals)),
        refusals.get(refusals.size() - 1));
  }

  /** With the names as given and as the database keeps them: one of both says what is misspelt. */
  private static String told(List<SQLException> refusals) {
    return refusals.stream()
        .map(refusal -> String.valueOf(refusal.getMessage()))
        .distinct()
        .collect(Collectors.joining("; and in the case of names without quotes: "));
  }

  private static List<UnaryOperator<String>> spellings(DatabaseMetaData database)
      throws SQLException {
    List<UnaryOperator<String>> spellings = new ArrayList<>();
    spellings.add(name -> name);
    if (database.storesUpperCaseIdentifiers()) {
      spellings.add(name -> name.toUpperCase(Locale.ROOT));
    } else if (database.storesLowerCaseIdentifiers()) {
      spellings.add(name -> name.toLowerCase(Locale.ROOT));
    }
    return spellings;
  }

  private static String select(Shape shape, UnaryOperator<String> spelling, String quote) {
    UnaryOperator<String> quoted = name -> quote + spelling.apply(name) + quote;
    return "SELECT "
        + Stream.concat(Stream.of(shape.id()), shape.columns().stream())
            .map(quoted)
            .collect(Collectors.joining(", "))
        + " FROM "
        + Stream.of(shape.table().split("\\.")).map(quoted).collect(Collectors.joining("."));
  }

  private static SourceTable of(Shape shape, String select, ResultSetMetaData columns)
      throws SQLException {
    List<ColumnCodec> columnCodecs = new ArrayList<>();
    for (int i = 0; i < shape.columns().size(); i++) {
      ColumnCodec columnCodec = ColumnCodec.of(columns, i + 2);
      if (columnCodec == null || !(shape.isObject() || columnCodec.isPayload())) {
        throw new IllegalArgumentException(
            "column %s of table %s is of type %s, which cannot be written as %s"
                .formatted(
                    shape.columns().get(i),
                    shape.table(),
                    columns.getColumnTypeName(i + 2),
                    shape.isObject() ? "JSON" : "bytes or text"));
      }
      columnCodecs.add(columnCodec);
    }
    IdCodec ids = IdCodec.of(columns, 1);
    if (ids == null) {
      throw new IllegalArgumentException(
          "column %s of table %s is of type %s; an id is a number, a text, a UUID or one of 16 bytes"
              .formatted(shape.id(), shape.table(), columns.getColumnTypeName(1)));
    }
    String by = " WHERE " + select.substring("SELECT ".length(), select.indexOf(", ")) + " IN (";
    return new SourceTable(shape, select + by, ids, columnCodecs);
  }

  /** The payloads of those references that have a row. */
  public Map<Reference, Payload> read(Connection connection, List<Reference> references)
      throws SQLException {
    Map<Object, List<Reference>> byId = new HashMap<>();
    for (Reference reference : references) {
      Object id = ids.parse(reference.id());
      if (id != null) {
        byId.computeIfAbsent(id, same -> new ArrayList<>()).add(reference);
      }
    }
    Map<Reference, Payload> found = new HashMap<>();
    List<Object> asked = List.copyOf(byId.keySet());
    for (int first = 0; first < asked.size(); first += MOST_IDS) {
      List<Object> part = asked.subList(first, Math.min(asked.size(), first + MOST_IDS));
      read(connection, part, byId, found);
    }
    return found;
  }

  private void read(
      Connection connection,
      List<Object> part,
      Map<Object, List<Reference>> byId,
      Map<Reference, Payload> found)
      throws SQLException {
    int places = places(part.size());
    try (PreparedStatement query =
        connection.prepareStatement(select + "?, ".repeat(places - 1) + "?)")) {
      int patienceBefore = query.getQueryTimeout();
      query.setQueryTimeout(PATIENCE_SECONDS);
      try {
        for (int place = 0; place < places; place++) {
          ids.set(query, place + 1, part.get(Math.min(place, part.size() - 1)));
        }
        read(query, byId, found);
      } finally {
        query.setQueryTimeout(patienceBefore); // H2 keeps it for the connection
      }
    }
  }

  private void read(
      PreparedStatement query, Map<Object, List<Reference>> byId, Map<Reference, Payload> found)
      throws SQLException {
    try (ResultSet row = query.executeQuery()) {
      while (row.next()) {
        Payload payload = payload(row);
        List<Reference> meant = byId.getOrDefault(ids.read(row, 1), List.of());
        if (payload != null) {
          meant.forEach(reference -> found.put(reference, payload));
        }
      }
    }
  }

  /** One of few lengths, so that few texts are prepared; the last id fills the rest. */
  private static int places(int ids) {
    int places = LEAST_IDS;
    while (places < ids) {
      places *= LEAST_IDS;
    }
    return ids == 1 ? 1 : Math.min(places, MOST_IDS);
  }

  private @Nullable Payload payload(ResultSet row) throws SQLException {
    if (shape.isObject()) {
      return new Payload(JSON, object(row).getBytes(StandardCharsets.UTF_8));
    }
    ColumnCodec columnCodec = columnCodecs.get(0);
    byte[] bytes = columnCodec.bytes(row, 2);
    String contentType =
        shape.contentType() == null ? columnCodec.contentType() : shape.contentType();
    return bytes == null ? null : new Payload(contentType, bytes);
  }

  private String object(ResultSet row) throws SQLException {
    StringBuilder json = new StringBuilder("{");
    for (int i = 0; i < columnCodecs.size(); i++) {
      json.append(i == 0 ? "" : ",");
      JsonText.string(json, shape.columns().get(i));
      json.append(':');
      columnCodecs.get(i).json(row, i + 2, json);
    }
    return json.append('}').toString();
  }
}
