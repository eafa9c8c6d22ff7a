package dev.outbox.jdbc.internal.doctor.base;

import dev.outbox.Claiming;
import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.Limits;
import dev.outbox.jdbc.internal.session.NamedSql;
import dev.outbox.jdbc.internal.session.Tables;
import dev.outbox.spi.Layout;
import dev.outbox.spi.Usage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A database under examination: one connection of its pool, and a deadline by which every question
 * must be answered.
 *
 * <p>A text names tables as a dialect's does, and may use {@code :schema}, {@code :prefix} and
 * {@code :first} and {@code :last} lane. Used by one thread.
 */
public final class ExaminedDatabase {
  private final Connection connection;
  private final Outbox outbox;
  private final Usage usage;
  private final long deadline;

  /** The outbox that is examined: its dialect, names, layout, and what its user declares. */
  public record Outbox(Dialect dialect, Tables tables, Layout layout, boolean oneNode) {}

  public ExaminedDatabase(Connection connection, Outbox outbox, Usage usage, Duration patience) {
    this.connection = connection;
    this.outbox = outbox;
    this.usage = usage;
    this.deadline = System.nanoTime() + patience.toNanos();
  }

  public Connection connection() {
    return connection;
  }

  public Dialect dialect() {
    return outbox.dialect();
  }

  public Tables tables() {
    return outbox.tables();
  }

  public Layout layout() {
    return outbox.layout();
  }

  public Usage usage() {
    return usage;
  }

  /** Whether all writers and relays use one node of a cluster of servers, as the user declares. */
  public boolean usesOneNode() {
    return outbox.oneNode();
  }

  public boolean isRelay() {
    return usage.role() == Usage.Role.RELAY;
  }

  public ResultRow row(String text) throws SQLException {
    List<ResultRow> resultRows = rows(text);
    if (resultRows.isEmpty()) {
      throw new SQLException("no answer to: " + text.strip());
    }
    return resultRows.get(0);
  }

  public List<ResultRow> rows(String text) throws SQLException {
    return rows(text, Map.of());
  }

  List<ResultRow> rows(String text, Map<String, ? extends @Nullable Object> values)
      throws SQLException {
    try (PreparedStatement query = prepared(text, values)) {
      return rows(query);
    }
  }

  private static List<ResultRow> rows(PreparedStatement query) throws SQLException {
    try (ResultSet found = query.executeQuery()) {
      ResultSetMetaData metadata = found.getMetaData();
      List<ResultRow> rows = new ArrayList<>();
      while (found.next()) {
        Map<String, @Nullable Object> columns = new LinkedHashMap<>();
        for (int i = 1; i <= metadata.getColumnCount(); i++) {
          columns.put(metadata.getColumnLabel(i).toLowerCase(Locale.ROOT), found.getObject(i));
        }
        rows.add(new ResultRow(columns));
      }
      return rows;
    }
  }

  /** Runs a statement whose answer does not matter. */
  public void run(String text, Map<String, ? extends @Nullable Object> values) throws SQLException {
    try (PreparedStatement update = prepared(text, values)) {
      update.execute();
    }
  }

  /** Reads settings of the session: without a time-out, which on MariaDB would be one of them. */
  public ResultRow settings(String text) throws SQLException {
    try (PreparedStatement query = bound(NamedSql.parse(text), Map.of())) {
      return rows(query).get(0);
    }
  }

  /** Changes settings of the session. */
  public void set(String text, Map<String, ? extends @Nullable Object> values) throws SQLException {
    try (PreparedStatement update = bound(NamedSql.parse(text), values)) {
      update.execute();
    }
  }

  /** Ends the examination; H2 keeps the time-out of a statement for the session. */
  public void leave() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(0);
    }
  }

  private PreparedStatement prepared(String text, Map<String, ? extends @Nullable Object> more)
      throws SQLException {
    int seconds = secondsLeft();
    int first = outbox.layout().firstLane().number();
    Map<String, @Nullable Object> values = new HashMap<>(more);
    values.put("schema", outbox.tables().schema());
    values.put("prefix", outbox.tables().prefix());
    values.put("first", first);
    values.put("last", first + outbox.layout().lanes() - 1);
    PreparedStatement statement = bound(NamedSql.parse(outbox.tables().render(text, "")), values);
    statement.setQueryTimeout(seconds);
    return statement;
  }

  private PreparedStatement bound(NamedSql named, Map<String, ? extends @Nullable Object> values)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(named.text());
    try {
      for (int i = 0; i < named.names().size(); i++) {
        String name = named.names().get(i);
        if (!values.containsKey(name)) {
          throw new IllegalStateException("no value of :" + name + " in: " + named.text());
        }
        statement.setObject(i + 1, values.get(name));
      }
      return statement;
    } catch (SQLException | RuntimeException e) {
      statement.close();
      throw e;
    }
  }

  /**
   * For how long the next statement may run.
   *
   * @throws SQLTimeoutException when the time is over
   */
  public int secondsLeft() throws SQLTimeoutException {
    long left = deadline - System.nanoTime();
    if (left <= 0) {
      throw new SQLTimeoutException("the time for looking ran out");
    }
    return (int) Math.max(1, Duration.ofNanos(left).toSeconds());
  }

  /** The limits that a relay of this need sets. */
  public Limits limits() {
    Duration lease = usage.lease();
    return usage.claiming() == Claiming.ROWS ? Limits.above(lease) : Limits.below(lease);
  }
}
