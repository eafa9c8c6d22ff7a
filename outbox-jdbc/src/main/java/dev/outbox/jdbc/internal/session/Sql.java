package dev.outbox.jdbc.internal.session;

import static java.util.stream.Collectors.joining;

import dev.outbox.StoreException;
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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A store's dialect with its names and clock filled in, and the one way to run it. What the
 * database refuses leaves as a {@link RefusedException}.
 *
 * <p>Safe for use by many threads; connections are not.
 */
/*
 * No jdbi: it caches by its own object, of which each session would need one, its start took a third of a relay's, and
 * half of what a statement cost at a few messages a second was its.
 */
public final class Sql {
  private static final Duration LONGEST = Duration.ofDays(365_000);
  private static final Instant EARLIEST = Instant.parse("1000-01-02T00:00:00Z");
  private static final Instant LATEST = Instant.parse("9999-12-30T00:00:00Z");
  private static final String AROUND = "\u0001";

  /** Reads the row that a result stands at. */
  @FunctionalInterface
  public interface Reader<T> {
    T read(ResultSet row) throws SQLException;

    /** The reader of one result, for one that finds its columns but once. */
    default Reader<T> of(ResultSet rows) throws SQLException {
      return this;
    }
  }

  private final Dialect dialect;
  private final Statements statements;
  private final Tables tables;
  private final @Nullable InstantSource clock;
  final Map<String, String> rendered = new ConcurrentHashMap<>();
  private final Map<String, NamedSql> named = new ConcurrentHashMap<>();
  private final AtomicReference<@Nullable String> home;
  private volatile boolean keepsSessions;

  /** Reads the statements of {@code dialect}. */
  public Sql(Dialect dialect, Tables tables, @Nullable InstantSource clock) {
    this(dialect, Statements.of(dialect), tables, clock, new AtomicReference<>());
  }

  private Sql(
      Dialect dialect,
      Statements statements,
      Tables tables,
      @Nullable InstantSource clock,
      AtomicReference<@Nullable String> home) {
    this.dialect = dialect;
    this.statements = statements;
    this.tables = tables;
    this.clock = clock;
    this.home = home;
  }

  /** The same, for the cluster of {@code layout}. */
  public Sql at(Layout layout) {
    return new Sql(dialect, statements, tables.at(layout), clock, home);
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

  /**
   * A connection finds the tables in schema {@code found}, by their names alone.
   *
   * @throws StoreException when the first one found them elsewhere
   */
  void foundIn(@Nullable String found) {
    if (tables.schema() != null || found == null || home.compareAndSet(null, found)) {
      return;
    }
    if (!found.equals(home.get())) {
      throw StoreException.passing(
          "a connection of the pool is in schema %s, but the tables of the store are in %s. Code that changes the schema of a connection must change it back; or name the schema by JdbcStore.builder(dataSource).schema(..)"
              .formatted(found, home.get()),
          null);
    }
  }

  /** The text with table names and clock in place; the same text gives the same object. */
  public String render(String text) {
    return rendered.computeIfAbsent(text, this::renderOnce);
  }

  /** As {@link #render}, of a text that is not asked for again: it is not kept. */
  public String renderOnce(String text) {
    return tables.render(text, clock == null ? dialect.clock() : dialect.boundClock());
  }

  /** The text with names and clock in place, and the values that it asks for. */
  public NamedSql named(String text) {
    return named.computeIfAbsent(text, raw -> NamedSql.parse(render(raw)));
  }

  public <T> List<T> query(
      Connection connection, Statement statement, Map<String, ?> values, Reader<T> reader) {
    return query(connection, statements.text(statement), values, reader);
  }

  public <T> List<T> query(
      Connection connection, String text, Map<String, ?> values, Reader<T> reader) {
    try {
      return ask(connection, named(text), values, 0, reader);
    } catch (SQLException e) {
      throw new RefusedException(e);
    }
  }

  /** As {@link #query}, behind a comment of this one time, with which the text is not kept. */
  public <T> List<T> queryOnce(
      Connection connection, String comment, String text, Reader<T> reader) {
    try {
      NamedSql named = named(text);
      NamedSql behind = new NamedSql("/* " + comment + " */ " + named.text(), named.names());
      return ask(connection, behind, Map.of(), 0, reader);
    } catch (SQLException e) {
      throw new RefusedException(e);
    }
  }

  /** As {@link #query}, with a time-out; one of zero seconds is none. */
  public <T> List<T> ask(
      Connection connection, String text, Map<String, ?> values, int seconds, Reader<T> reader)
      throws SQLException {
    return ask(connection, named(text), values, seconds, reader);
  }

  private <T> List<T> ask(
      Connection connection, NamedSql named, Map<String, ?> values, int seconds, Reader<T> reader)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(named.text())) {
      bind(statement, 1, named, values);
      if (seconds > 0) {
        statement.setQueryTimeout(seconds);
      }
      try (ResultSet found = statement.executeQuery()) {
        Reader<T> each = reader.of(found);
        List<T> rows = new ArrayList<>();
        while (found.next()) {
          rows.add(each.read(found));
        }
        return rows;
      }
    }
  }

  /** The present by the clock that leases and due times are judged by. */
  public Instant now(Connection connection) {
    return query(
            connection,
            RegistryStatement.NOW,
            Map.of(),
            row -> Objects.requireNonNull(dialect.instant(row, 1)))
        .get(0);
  }

  public int update(Connection connection, Statement statement, Map<String, ?> values) {
    return update(connection, statements.text(statement), values);
  }

  public int update(Connection connection, String text, Map<String, ?> values) {
    NamedSql named = named(text);
    try (PreparedStatement statement = connection.prepareStatement(named.text())) {
      bind(statement, 1, named, values);
      return statement.executeUpdate();
    } catch (SQLException e) {
      throw new RefusedException(e);
    }
  }

  public int[] batch(Connection connection, String text, List<? extends Map<String, ?>> entries) {
    NamedSql named = named(text);
    // without these types MariaDB's driver sends INSERTs in bulk, which its server refuses of
    // INSERT .. SELECT
    try (PreparedStatement statement =
        connection.prepareStatement(
            named.text(), ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY)) {
      for (Map<String, ?> entry : entries) {
        bind(statement, 1, named, entry);
        statement.addBatch();
      }
      return statement.executeBatch();
    } catch (SQLException e) {
      throw new RefusedException(e);
    }
  }

  /**
   * Sets the values that a text asks for, in its order, from {@code first}; returns the next
   * position.
   */
  public int bind(PreparedStatement statement, int first, NamedSql named, Map<String, ?> values)
      throws SQLException {
    int position = first;
    for (String name : named.names()) {
      set(statement, position++, value(values, name));
    }
    return position;
  }

  /** Sets one value. */
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
  private @Nullable Object value(Map<String, ?> values, String name) {
    return name.equals("now") && clock != null ? clock.instant() : values.get(name);
  }

  private @Nullable Object form(@Nullable Object value) {
    if (value instanceof Instant instant) {
      return dialect.bind(storable(instant));
    }
    if (value instanceof MessageId id) {
      return dialect.bind(id);
    }
    if (value instanceof Set<?> topics) {
      return oneText(topics);
    }
    return value instanceof Duration duration ? (Object) micros(duration) : value;
  }

  /** Topics that are held, as the one text in which a statement looks for a row's topic. */
  private static String oneText(Set<?> topics) {
    return topics.stream().map(Object::toString).sorted().collect(joining(AROUND, AROUND, AROUND));
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
