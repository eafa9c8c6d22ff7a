package dev.outbox.jdbc.internal.doctor.base;

import dev.outbox.Claiming;
import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.Limits;
import dev.outbox.jdbc.internal.session.Tables;
import dev.outbox.spi.Layout;
import dev.outbox.spi.Usage;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.core.statement.TemplateEngine;
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
  private final Handle handle;
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
    this.handle = Jdbi.create(connection).open();
    handle.setTemplateEngine(TemplateEngine.NOP);
    handle.getConfig(SqlStatements.class).setUnusedBindingAllowed(true);
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
    try (var query = handle.createQuery(outbox.tables().render(text, ""))) {
      return bind(query, values).mapToMap().stream().map(ResultRow::new).toList();
    } catch (JdbiException e) {
      throw refusal(e);
    }
  }

  /** A question that is asked over its own handle. */
  public <T> T ask(Function<Handle, T> question) throws SQLException {
    handle.getConfig(SqlStatements.class).setQueryTimeout(secondsLeft());
    try {
      return question.apply(handle);
    } catch (JdbiException e) {
      throw refusal(e);
    } finally {
      handle.getConfig(SqlStatements.class).setQueryTimeout(null);
    }
  }

  /** Runs a statement whose answer does not matter. */
  public void run(String text, Map<String, ? extends @Nullable Object> values) throws SQLException {
    try (var update = handle.createUpdate(outbox.tables().render(text, ""))) {
      bind(update, values).execute();
    } catch (JdbiException e) {
      throw refusal(e);
    }
  }

  /** Reads settings of the session: without a time-out, which on MariaDB would be one of them. */
  public ResultRow settings(String text) throws SQLException {
    try (var query = handle.createQuery(text)) {
      return new ResultRow(query.mapToMap().one());
    } catch (JdbiException e) {
      throw refusal(e);
    }
  }

  /** Changes settings of the session. */
  public void set(String text, Map<String, ? extends @Nullable Object> values) throws SQLException {
    try (var update = handle.createUpdate(text)) {
      values.forEach((name, value) -> update.bind(name, argument(value)));
      update.execute();
    } catch (JdbiException e) {
      throw refusal(e);
    }
  }

  /** Ends the examination; H2 keeps the time-out of a statement for the session. */
  public void leave() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(0);
    }
  }

  private <S extends SqlStatement<S>> S bind(
      S statement, Map<String, ? extends @Nullable Object> values) throws SQLException {
    int seconds = secondsLeft();
    values.forEach((name, value) -> statement.bind(name, argument(value)));
    return statement
        .setQueryTimeout(seconds)
        .bind("schema", outbox.tables().schema())
        .bind("prefix", outbox.tables().prefix())
        .bind("first", outbox.layout().firstLane().number())
        .bind("last", outbox.layout().firstLane().number() + outbox.layout().lanes() - 1);
  }

  private int secondsLeft() throws SQLTimeoutException {
    long left = deadline - System.nanoTime();
    if (left <= 0) {
      throw new SQLTimeoutException("the time for looking ran out");
    }
    return (int) Math.max(1, Duration.ofNanos(left).toSeconds());
  }

  private static Argument argument(@Nullable Object value) {
    return (position, statement, context) -> statement.setObject(position, value);
  }

  private static SQLException refusal(JdbiException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException refusal) {
        return refusal;
      }
    }
    return new SQLException(Objects.toString(e.getMessage(), "no reason given"), e);
  }

  /** The limits that a relay of this need sets. */
  public Limits limits() {
    Duration lease = usage.lease();
    return usage.claiming() == Claiming.ROWS ? Limits.above(lease) : Limits.below(lease);
  }
}
