package dev.outbox.jdbc.internal.schema;

import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.Fault;
import dev.outbox.jdbc.internal.session.Faults;
import dev.outbox.jdbc.internal.session.Tables;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** The version of the tables that this library works with, and what to do with another. */
public final class SchemaVersion {
  /** Of the DDL in this jar. */
  public static final int CURRENT = 3;

  private SchemaVersion() {}

  /** What the tables of version {@code found} need, or nothing when they are right. */
  public static Optional<String> remedy(int found, Dialect dialect, Tables tables) {
    if (found == CURRENT) {
      return Optional.empty();
    }
    String remedy =
        found > CURRENT
            ? "Deploy the library of that version"
            : "Close all relays, then run Schema.builder(dataSource).build().upgrade(), or apply "
                + files(found, dialect);
    return Optional.of(
        "%s has schema version %d, this library works with %d. %s"
            .formatted(tables.name("meta"), found, CURRENT, remedy));
  }

  private static String files(int found, Dialect dialect) {
    return IntStream.rangeClosed(found + 1, CURRENT)
        .mapToObj(step -> "dev/outbox/jdbc/ddl/%s/upgrade-%s.sql".formatted(dialect.name(), step))
        .collect(Collectors.joining(" and "));
  }

  /** The version that the tables record, or empty when there are none. */
  public static OptionalInt of(DataSource dataSource, Dialect dialect, Tables tables) {
    try (Connection connection = dataSource.getConnection()) {
      boolean autoCommit = connection.getAutoCommit();
      connection.setAutoCommit(true);
      OptionalInt version;
      try {
        version = of(connection, dialect, tables);
      } catch (Throwable t) {
        restore(connection, autoCommit, t);
        throw t;
      }
      connection.setAutoCommit(autoCommit);
      return version;
    } catch (SQLException e) {
      throw Objects.requireNonNull(Faults.behind(e, dialect))
          .toException("read the schema version");
    }
  }

  private static void restore(Connection connection, boolean autoCommit, Throwable failure) {
    try {
      connection.setAutoCommit(autoCommit);
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }

  /** The same, in the transaction of {@code connection}. */
  static OptionalInt of(Connection connection, Dialect dialect, Tables tables) throws SQLException {
    try (var statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT schema_version FROM " + tables.name("meta"))) {
      return row.next() ? OptionalInt.of(row.getInt(1)) : OptionalInt.empty();
    } catch (SQLException e) {
      if (dialect.faults().of(e) == Fault.MISSING) {
        return OptionalInt.empty();
      }
      throw e;
    }
  }
}
