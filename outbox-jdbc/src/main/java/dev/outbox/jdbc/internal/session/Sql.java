package dev.outbox.jdbc.internal.session;

import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.sql.RegistryStatement;
import dev.outbox.jdbc.sql.Statement;
import dev.outbox.jdbc.sql.Statements;
import dev.outbox.message.MessageId;
import dev.outbox.spi.Layout;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.core.statement.TemplateEngine;
import org.jspecify.annotations.Nullable;

/**
 * A store's dialect with its names and clock filled in, and the one way to run it.
 *
 * <p>Safe for use by many threads; handles are not.
 */
public final class Sql {
  private static final Duration LONGEST = Duration.ofDays(365_000);
  private static final Instant EARLIEST = Instant.parse("1000-01-02T00:00:00Z");
  private static final Instant LATEST = Instant.parse("9999-12-30T00:00:00Z");

  /** Reads the row that a result stands at. */
  @FunctionalInterface
  public interface Reader<T> {
    T read(ResultSet row) throws SQLException;
  }

  private final Dialect dialect;
  private final Statements statements;
  private final Tables tables;
  private final @Nullable InstantSource clock;
  private final Map<String, String> rendered = new ConcurrentHashMap<>();
  private final Map<String, NamedSql> named = new ConcurrentHashMap<>();
  private final NamedParameters texts = new NamedParameters();
  private volatile boolean keepsSessions;

  /** Reads the statements of {@code dialect}. */
  public Sql(Dialect dialect, Tables tables, @Nullable InstantSource clock) {
    this(dialect, Statements.of(dialect), tables, clock);
  }

  private Sql(
      Dialect dialect, Statements statements, Tables tables, @Nullable InstantSource clock) {
    this.dialect = dialect;
    this.statements = statements;
    this.tables = tables;
    this.clock = clock;
  }

  /** The same, for the cluster of {@code layout}. */
  public Sql at(Layout layout) {
    return new Sql(dialect, statements, tables.at(layout), clock);
  }

  public Dialect dialect() {
    return dialect;
  }

  public Statements statements() {
    return statements;
  }

  public Tables tables() {
    return tables;
  }

  /** Whether the doctor saw that every connection keeps its session, whatever is between. */
  boolean keepsSessions() {
    return keepsSessions;
  }

  public void keepsSessions(boolean seen) {
    keepsSessions = seen;
  }

  /** The text with table names and clock in place; the same text gives the same object. */
  public String render(String text) {
    return rendered.computeIfAbsent(
        text, raw -> tables.render(raw, clock == null ? dialect.clock() : dialect.boundClock()));
  }

  /** The text with names and clock in place, for a statement that bypasses jdbi. */
  public NamedSql named(String text) {
    return named.computeIfAbsent(text, raw -> NamedSql.parse(render(raw)));
  }

  /** A handle whose end leaves the connection open. */
  public Handle handle(Connection connection) {
    Handle handle = Jdbi.create(connection).open();
    handle.setTemplateEngine(TemplateEngine.NOP);
    handle.getConfig(SqlStatements.class).setUnusedBindingAllowed(true).setSqlParser(texts);
    return handle;
  }

  public <T> List<T> query(
      Handle handle, Statement statement, Map<String, ?> values, RowMapper<T> mapper) {
    return query(handle, statements.text(statement), values, mapper);
  }

  public <T> List<T> query(Handle handle, String text, Map<String, ?> values, RowMapper<T> mapper) {
    return queryRendered(handle, render(text), values, mapper);
  }

  /** The first {@code most} rows. */
  <T> List<T> first(
      Handle handle, String text, Map<String, ?> values, int most, RowMapper<T> mapper) {
    try (var query = handle.createQuery(render(text))) {
      return bind(query, values).setMaxRows(most).map(mapper).list();
    }
  }

  /** As {@link #query}, of a text whose names are in place. */
  public <T> List<T> queryRendered(
      Handle handle, String text, Map<String, ?> values, RowMapper<T> mapper) {
    try (var query = handle.createQuery(text)) {
      return bind(query, values).map(mapper).list();
    }
  }

  /**
   * As {@link #query}, without jdbi, whose own start takes longer than most starts of applications
   * may wait. A time-out of zero seconds is none.
   */
  public <T> List<T> ask(
      Connection connection, String text, Map<String, ?> values, int seconds, Reader<T> reader)
      throws SQLException {
    NamedSql named = named(text);
    try (PreparedStatement statement = connection.prepareStatement(named.text())) {
      for (int i = 0; i < named.names().size(); i++) {
        set(statement, i + 1, value(values, named.names().get(i)));
      }
      if (seconds > 0) {
        statement.setQueryTimeout(seconds);
      }
      try (ResultSet found = statement.executeQuery()) {
        List<T> rows = new ArrayList<>();
        while (found.next()) {
          rows.add(reader.read(found));
        }
        return rows;
      }
    }
  }

  /** The present by the clock that leases and due times are judged by. */
  public Instant now(Handle handle) {
    return query(
            handle,
            RegistryStatement.NOW,
            Map.of(),
            (row, context) -> Objects.requireNonNull(dialect.instant(row, 1)))
        .get(0);
  }

  public int update(Handle handle, Statement statement, Map<String, ?> values) {
    return update(handle, statements.text(statement), values);
  }

  public int update(Handle handle, String text, Map<String, ?> values) {
    try (var update = handle.createUpdate(render(text))) {
      return bind(update, values).execute();
    }
  }

  public int[] batch(Handle handle, String text, List<? extends Map<String, ?>> entries) {
    try (PreparedBatch batch = handle.prepareBatch(render(text))) {
      for (Map<String, ?> entry : entries) {
        bind(batch, entry).add();
      }
      return batch.execute();
    }
  }

  /** Sets one value of a statement that bypasses jdbi. */
  public void set(PreparedStatement statement, int position, @Nullable Object value)
      throws SQLException {
    Object form = form(value);
    if (form instanceof byte[] bytes) {
      statement.setBytes(position, bytes);
    } else if (form instanceof String text && text.length() > dialect.longestString()) {
      statement.setClob(position, new StringReader(text), text.length());
    } else {
      statement.setObject(position, form);
    }
  }

  /** The value of a name, the store's own clock included. */
  @Nullable
  public Object value(Map<String, ?> values, String name) {
    return name.equals("now") && clock != null ? clock.instant() : values.get(name);
  }

  private <S extends SqlStatement<S>> S bind(S statement, Map<String, ?> values) {
    values.forEach((name, value) -> statement.bind(name, argument(value)));
    if (clock != null) {
      statement.bind("now", argument(clock.instant()));
    }
    return statement;
  }

  private Argument argument(@Nullable Object value) {
    return (position, statement, context) -> set(statement, position, value);
  }

  private @Nullable Object form(@Nullable Object value) {
    if (value instanceof Instant instant) {
      return dialect.bind(storable(instant));
    }
    if (value instanceof MessageId id) {
      return dialect.bind(id);
    }
    return value instanceof Duration duration ? (Object) micros(duration) : value;
  }

  /** Microseconds; what is longer than any database's calendar counts as 1000 years. */
  public static long micros(Duration duration) {
    Duration counted = duration.compareTo(LONGEST) > 0 ? LONGEST : duration;
    return counted.getSeconds() * 1_000_000L + counted.getNano() / 1000;
  }

  private static Instant storable(Instant instant) {
    if (instant.isAfter(LATEST)) {
      return LATEST;
    }
    return instant.isBefore(EARLIEST) ? EARLIEST : instant;
  }
}
