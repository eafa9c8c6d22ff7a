package dev.outbox.jdbc.internal.session;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import javax.sql.DataSource;

/**
 * What HikariCP says of a pool. The only class that needs HikariCP's; others load without it.
 * Stateless.
 */
public final class HikariPool {
  private HikariPool() {}

  /** What it hands to its driver beside the URL; empty for another pool, which may have some. */
  public static Properties properties(DataSource dataSource) {
    return ask(dataSource, () -> of(dataSource).getDataSourceProperties())
        .orElseGet(Properties::new);
  }

  /** The most connections that it lends at a time; empty for another pool. */
  public static OptionalInt maximum(DataSource dataSource) {
    return ask(dataSource, () -> of(dataSource).getMaximumPoolSize())
        .map(OptionalInt::of)
        .orElseGet(OptionalInt::empty);
  }

  /** True when it was closed; false for another pool. */
  static boolean isClosed(DataSource dataSource) {
    return ask(dataSource, () -> of(dataSource).isClosed()).orElse(false);
  }

  private interface Question<T> {
    T ask() throws SQLException;
  }

  private static <T> Optional<T> ask(DataSource dataSource, Question<T> question) {
    try {
      return dataSource.isWrapperFor(HikariDataSource.class)
          ? Optional.of(question.ask())
          : Optional.empty();
    } catch (SQLException | RuntimeException | LinkageError e) {
      // not HikariCP's, or it is not here
      return Optional.empty();
    }
  }

  private static HikariDataSource of(DataSource dataSource) throws SQLException {
    return dataSource.unwrap(HikariDataSource.class);
  }
}
