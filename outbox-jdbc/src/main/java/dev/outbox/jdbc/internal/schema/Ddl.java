package dev.outbox.jdbc.internal.schema;

import dev.outbox.StoreException;
import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.Fault;
import dev.outbox.jdbc.dialect.OracleDialect;
import dev.outbox.jdbc.internal.session.ClusterScope;
import dev.outbox.jdbc.internal.session.Faults;
import dev.outbox.jdbc.internal.session.NetworkTimeout;
import dev.outbox.jdbc.internal.session.Tables;
import dev.outbox.spi.Layout;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * The DDL of the jar with names and layout filled in.
 *
 * <p>Immutable.
 */
public record Ddl(Dialect dialect, Tables tables, String text) {
  private static final int ATTEMPTS = 20;
  private static final int JITTER_MILLIS = 100;
  private static final int UNLOCKED_MILLIS = 5000;
  private static final Due ALWAYS = (connection, sql) -> true;

  /**
   * The core tables, with those that several clusters need where the layout has several, and those
   * of {@code parts}, named as their files.
   */
  public static Ddl of(Dialect dialect, Tables tables, Layout layout, List<String> parts) {
    Stream<String> core = layout.hasPeers() ? Stream.of("outbox", "clusters") : Stream.of("outbox");
    return ofParts(dialect, tables, layout, Stream.concat(core, parts.stream()).toList());
  }

  /** The tables of {@code parts} alone. */
  public static Ddl ofParts(Dialect dialect, Tables tables, Layout layout, List<String> parts) {
    String text =
        parts.stream()
            .map(part -> resource(dialect, part.toLowerCase(Locale.ROOT)))
            .map(raw -> fill(raw, layout))
            .map(raw -> render(dialect, tables, raw))
            .collect(Collectors.joining("\n"));
    return new Ddl(dialect, tables, text);
  }

  /** What makes tables of version {@code step} of those of the version before. */
  public static Ddl upgrade(Dialect dialect, Tables tables, int step) {
    String text = render(dialect, tables, resource(dialect, "upgrade-" + step));
    return new Ddl(dialect, tables, text);
  }

  // Oracle makes an index in the schema of the user; elsewhere it lies with its table
  private static String render(Dialect dialect, Tables tables, String raw) {
    String text = tables.renderDdl(raw);
    return tables.schema() != null && dialect instanceof OracleDialect
        ? text.replace("CREATE INDEX ", "CREATE INDEX " + tables.schema() + ".")
        : text;
  }

  private static String resource(Dialect dialect, String part) {
    String name = "/dev/outbox/jdbc/ddl/" + dialect.name() + "/" + part + ".sql";
    try (InputStream resource = Objects.requireNonNull(Ddl.class.getResourceAsStream(name), name)) {
      return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String fill(String ddl, Layout layout) {
    // %d writes the digits of the user's language
    String meta =
        "%s, '%s', %s, %s"
            .formatted(layout.lanes(), layout.claiming(), layout.clusters(), layout.cluster());
    return ClusterScope.of(layout).fillDdl(ddl.replace("32, 'LANES', 1, 0", meta));
  }

  /** The full names of the tables that this makes. */
  public List<String> tableNames() {
    return SchemaCheck.TABLE.matcher(text).results().map(table -> table.group(1)).toList();
  }

  /** The statements, without comments and semicolons. */
  public List<String> statements() {
    String bare =
        text.lines().filter(line -> !line.startsWith("--")).collect(Collectors.joining("\n"));
    return Arrays.stream(bare.split(";\\s*(\n|$)"))
        .map(String::strip)
        .filter(statement -> !statement.isEmpty())
        .toList();
  }

  /** What to do about a table that has wrong columns. */
  public static String remedy(Dialect dialect) {
    return "create() does not change a table that exists: if it is another program's, give Schema and JdbcStore another tablePrefix(..); else change it to match dev/outbox/jdbc/ddl/%s"
        .formatted(dialect.name());
  }

  /**
   * Runs what makes something missing, as {@link #apply}; {@code ofTables} first if there are any.
   *
   * @throws IllegalStateException when a table is there with wrong columns; nothing is made then
   */
  public void create(DataSource dataSource, Work ofTables) {
    run(
        dataSource,
        connection -> {
          SchemaCheck check = SchemaCheck.ofColumns(connection, dialect, this);
          List<String> wrong = check.findings();
          if (!wrong.isEmpty()) {
            throw new IllegalStateException(String.join("; ", wrong) + ". " + remedy(dialect));
          }
          if (check.isThere(tables.name("meta"))) {
            ofTables.on(connection);
          }
          apply(connection, check.due(), ALWAYS);
        });
  }

  /** Runs the statements; again from the start when another process runs them meanwhile. */
  public void apply(DataSource dataSource) {
    apply(dataSource, ALWAYS);
  }

  /** The same with those statements that are due when their turn comes. */
  void apply(DataSource dataSource, Due due) {
    run(dataSource, connection -> apply(connection, statements(), due));
  }

  /** Whether a statement is still to be run. */
  @FunctionalInterface
  interface Due {
    boolean is(Connection connection, String sql) throws SQLException;
  }

  /** What is done over a connection. */
  public interface Work {
    void on(Connection connection) throws SQLException;
  }

  private void run(DataSource dataSource, Work work) {
    for (int attempt = 1; ; attempt++) {
      try (Connection connection = dataSource.getConnection()) {
        work.on(connection);
        return;
      } catch (SQLException e) {
        Faults faults = Objects.requireNonNull(Faults.behind(e, dialect));
        if (attempt == ATTEMPTS || faults.fault() == Fault.DENIED) {
          throw refusal(faults);
        }
        pause();
      }
    }
  }

  private StoreException refusal(Faults faults) {
    String what = "create the tables";
    return switch (faults.fault()) {
      case DENIED ->
          faults.toException(
              what,
              "the database user may not create tables there; run it, or the files in dev/outbox/jdbc/ddl/%s, as a user who may"
                  .formatted(dialect.name()));
      case MISSING ->
          faults.toException(
              what,
              "the schema, or a table that these need, is not there; create the schema first, and the outbox's own tables before its optional ones");
      case RETRY,
          CONNECTION,
          PASSING,
          SLOW,
          ABORTED,
          CLOSED,
          READ_ONLY,
          EXISTS,
          DUPLICATE,
          REFUSED ->
          faults.toException(what);
    };
  }

  /** Without a limit of the driver's: an index of a large table takes its time. */
  private void apply(Connection connection, List<String> statements, Due due) throws SQLException {
    boolean autoCommit = connection.getAutoCommit();
    int networkTimeout = NetworkTimeout.of(connection);
    connection.setAutoCommit(true); // which ends a transaction that is open
    connection.setAutoCommit(false);
    NetworkTimeout.set(connection, 0);
    try {
      for (String sql : statements) {
        execute(connection, sql, due);
      }
    } finally {
      NetworkTimeout.set(connection, networkTimeout);
      connection.setAutoCommit(autoCommit);
    }
  }

  private void execute(Connection connection, String sql, Due due) throws SQLException {
    for (int attempt = 1; !isDone(connection, sql, due, attempt == ATTEMPTS); attempt++) {
      if (LockWait.of(dialect).briefly().isEmpty()) {
        pause(UNLOCKED_MILLIS); // Oracle refused at once, and lets writers go on
      } else {
        pause();
      }
    }
  }

  // Oracle has no IF NOT EXISTS before 23ai, MySQL none for columns
  private boolean isDone(Connection connection, String sql, Due due, boolean isLast)
      throws SQLException {
    try {
      if (isDue(connection, sql, due)) {
        executeBriefly(connection, sql);
      }
      return true;
    } catch (SQLException e) {
      Faults faults = Objects.requireNonNull(Faults.behind(e, dialect));
      boolean isLocked = faults.fault() == Fault.RETRY;
      if (isLocked && isLast) {
        throw faults.toException(
            sql.lines().findFirst().orElse(sql),
            "open transactions kept it waiting, %d times in a row. If one is another upgrade that builds an index, let that end. End others that are long, or wait until they end, and run this again; it goes on with this statement"
                .formatted(ATTEMPTS));
      }
      if (!isLocked && faults.fault() != Fault.EXISTS) {
        throw e;
      }
      return !isLocked;
    }
  }

  // what was read is let go: a statement may need that table for itself
  private static boolean isDue(Connection connection, String sql, Due due) throws SQLException {
    try {
      return due.is(connection, sql);
    } finally {
      connection.rollback();
    }
  }

  private void executeBriefly(Connection connection, String sql) throws SQLException {
    LockWait wait = LockWait.of(dialect);
    try (var statement = connection.createStatement()) {
      for (String setting : wait.briefly()) {
        statement.execute(setting);
      }
      try {
        statement.execute(sql);
        connection.commit();
      } catch (SQLException e) {
        connection.rollback();
        throw e;
      } finally {
        for (String setting : wait.asBefore()) {
          statement.execute(setting);
        }
      }
    }
  }

  private static void pause() {
    pause(ThreadLocalRandom.current().nextInt(1, JITTER_MILLIS));
  }

  static void pause(int millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw StoreException.passing("create the tables: interrupted", e);
    }
  }

  /** What of this is missing or different in the database of {@code connection}. */
  public List<String> verify(Connection connection) throws SQLException {
    return SchemaCheck.of(connection, dialect, this).findings();
  }

  /** What of this is missing or different in the database. */
  public List<String> verify(DataSource dataSource) {
    try (Connection connection = dataSource.getConnection()) {
      return verify(connection);
    } catch (SQLException e) {
      throw Objects.requireNonNull(Faults.behind(e, dialect)).toException("verify the tables");
    }
  }
}
