package dev.outbox.jdbc;

import dev.outbox.StoreException;
import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.Product;
import dev.outbox.jdbc.internal.reference.SourceTable;
import dev.outbox.jdbc.internal.reference.SourceTable.Shape;
import dev.outbox.jdbc.internal.schema.Dialects;
import dev.outbox.jdbc.internal.session.Faults;
import dev.outbox.jdbc.internal.session.Server;
import dev.outbox.message.Payload;
import dev.outbox.message.Reference;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Resolver;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Loads payloads by reference from plain tables, and only from those that it was given: what a
 * message names is looked up in that list, never put into SQL.
 *
 * <p>Immutable, safe for use by many threads. One SELECT per table for a whole flight, by the id
 * column's index; under a transactional publisher in the claim's transaction, else on a connection
 * borrowed for it. A row whose only column is NULL counts as missing.
 *
 * <pre>{@code
 * Resolver resolver =
 *     TableResolver.builder(dataSource)
 *         .column("mail_deliveries", "id", "body")             // its bytes or its text, as they are
 *         .object("orders", "id", "customer", "total")         // {"customer":"acme","total":7}
 *         .build();
 * Relay relay = Relay.builder(store, publisher.resolving(resolver)).start();
 * }</pre>
 */
public final class TableResolver implements Resolver {
  private final DataSource dataSource;
  private final Dialect dialect;
  private final Map<String, SourceTable> tables;

  private TableResolver(DataSource dataSource, Dialect dialect, Map<String, SourceTable> tables) {
    this.dataSource = dataSource;
    this.dialect = dialect;
    this.tables = Map.copyOf(tables);
  }

  /**
   * Begins a resolver over the database in which the tables are: the outbox's own, and no replica
   * of it, which may lag behind. Its pool has connections beside those of the relay: without one
   * nothing is published, nor counted against a message. Default: no tables.
   */
  public static Builder builder(DataSource dataSource) {
    return new Builder(dataSource);
  }

  @Override
  public boolean knows(String table) {
    return tables.containsKey(table);
  }

  @Override
  public Map<Reference, Payload> resolve(Set<Reference> references, @Nullable Connection claim)
      throws SQLException {
    if (claim != null) {
      return read(claim, references);
    }
    try (Connection connection = connection()) {
      try {
        return read(connection, references);
      } finally {
        if (!connection.getAutoCommit()) {
          connection.rollback();
        }
      }
    }
  }

  /** Whatever the pool calls it, the database cannot be asked. */
  private Connection connection() throws SQLTransientConnectionException {
    try {
      return dataSource.getConnection();
    } catch (SQLException e) {
      throw new SQLTransientConnectionException(
          "no connection to load payloads by reference, which needs one beside the relay's own for each thread that publishes: "
              + e.getMessage(),
          e.getSQLState(),
          e);
    }
  }

  /** By the error codes of the database: what may pass is no fault of a message. */
  @Override
  public Ack failure(Throwable thrown) {
    Faults faults = Faults.behind(thrown, dialect);
    return faults != null && faults.mayPass()
        ? Ack.unavailable(thrown)
        : Resolver.super.failure(thrown);
  }

  private Map<Reference, Payload> read(Connection connection, Set<Reference> references)
      throws SQLException {
    Map<String, List<Reference>> byTable =
        references.stream().collect(Collectors.groupingBy(Reference::table));
    Map<Reference, Payload> found = new HashMap<>();
    for (Map.Entry<String, List<Reference>> entry : byTable.entrySet()) {
      SourceTable table = tables.get(entry.getKey());
      if (table == null) {
        throw new IllegalArgumentException(
            "table %s is not allowed; this resolver knows %s"
                .formatted(entry.getKey(), tables.keySet()));
      }
      found.putAll(table.read(connection, entry.getValue()));
    }
    return found;
  }

  /** Collects the tables that may be read. Used by one thread. */
  public static final class Builder {
    private final DataSource dataSource;
    private final Map<String, Shape> shapes = new LinkedHashMap<>();

    private Builder(DataSource dataSource) {
      this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
    }

    /**
     * Allows references to {@code table}: the payload is what {@code column} holds. Bytes are
     * {@code application/octet-stream}, text is UTF-8 and {@code text/plain; charset=utf-8}, a
     * column of a JSON type is {@code application/json}.
     *
     * @throws IllegalArgumentException when a name is no identifier, or the table is named twice
     */
    public Builder column(String table, String id, String column) {
      Objects.requireNonNull(column, "column");
      return allow(new Shape(table, id, List.of(column), null, false));
    }

    /** As {@link #column(String, String, String)}, of your own content type. */
    public Builder column(String table, String id, String column, String contentType) {
      Objects.requireNonNull(column, "column");
      Objects.requireNonNull(contentType, "contentType");
      return allow(new Shape(table, id, List.of(column), contentType, false));
    }

    /**
     * Allows references to {@code table}: the payload is a JSON object of these columns, with their
     * names as they are written here. Numbers and booleans stay such, JSON columns are taken over,
     * times are ISO-8601, bytes are Base64, NULL is null, all else is text.
     *
     * @throws IllegalArgumentException when there are no columns, a name is no identifier, or the
     *     table is named twice
     */
    public Builder object(String table, String id, String... columns) {
      if (Objects.requireNonNull(columns, "columns").length == 0) {
        throw new IllegalArgumentException("object of table " + table + " has no columns");
      }
      return allow(new Shape(table, id, Arrays.asList(columns), null, true));
    }

    private Builder allow(Shape shape) {
      if (shapes.putIfAbsent(shape.table(), shape) != null) {
        throw new IllegalArgumentException("table " + shape.table() + " is allowed twice");
      }
      return this;
    }

    /**
     * Connects once and looks at the tables.
     *
     * @throws IllegalArgumentException when there are no tables, one of them or a column of it is
     *     missing or may not be read, a column is of a type that can be no id or payload, or the
     *     product is not supported
     * @throws StoreException when the database does not answer
     */
    public TableResolver build() {
      if (shapes.isEmpty()) {
        throw new IllegalArgumentException(
            "the resolver has no tables; name at least one with column(..) or object(..)");
      }
      try (Connection connection = dataSource.getConnection()) {
        Dialect dialect = Dialects.of(Product.of(connection.getMetaData()));
        Map<String, SourceTable> tables = new HashMap<>();
        for (Shape shape : shapes.values()) {
          tables.put(shape.table(), SourceTable.find(connection, shape));
        }
        if (!connection.getAutoCommit()) {
          connection.rollback();
        }
        return new TableResolver(dataSource, dialect, tables);
      } catch (SQLException e) {
        throw Server.cannotConnect(e);
      }
    }
  }
}
