package dev.outbox.benchmarks.measure;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The database where one run takes place, and how to reach it, from this process or another.
 *
 * <p>Safe for use by many threads.
 */
public record Site(
    Database database, String url, String user, String password, @Nullable RoundTrips counted) {

  public static Site of(Sandbox sandbox) {
    return new Site(
        sandbox.server().database(), sandbox.url(), sandbox.user(), sandbox.password(), null);
  }

  /** The same place, where the round trips of its pools are counted. */
  public Site counting(RoundTrips roundTrips) {
    return new Site(database, url, user, password, roundTrips);
  }

  /** A pool of at most {@code size} connections; closed by the caller. */
  public HikariDataSource pool(int size) {
    HikariConfig config = new HikariConfig();
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(0);
    if (counted == null) {
      config.setJdbcUrl(url);
      config.setUsername(user);
      config.setPassword(password);
    } else {
      config.setDataSource(counted.over(this::open));
    }
    return new HikariDataSource(config);
  }

  /** A new connection, in autocommit mode. */
  public Connection open() throws SQLException {
    return DriverManager.getConnection(url, user, password);
  }

  /** The arguments that {@link #of(List)} reads in another process. */
  public List<String> arguments() {
    return List.of(database.name(), url, user, password);
  }

  /** The site that another process told of. */
  public static Site of(List<String> arguments) {
    return new Site(
        Database.valueOf(arguments.get(0)),
        arguments.get(1),
        arguments.get(2),
        arguments.get(3),
        null);
  }

  /** Runs {@code statement} on its own connection. */
  public void execute(String statement) throws SQLException {
    try (Connection connection = open();
        Statement each = connection.createStatement()) {
      each.execute(statement);
    }
  }

  /** The first number that {@code query} answers. */
  public long number(String query) throws SQLException {
    try (Connection connection = open();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
  }

  /**
   * After much was written: statistics as they would be after a while, and nothing left to the
   * server to do in the middle of a run.
   */
  public void settle(String table) throws SQLException {
    switch (database) {
      case POSTGRES -> {
        execute("VACUUM (ANALYZE) " + table);
        execute("CHECKPOINT");
      }
      case MYSQL, MARIADB -> execute("ANALYZE TABLE " + table);
      default -> execute("ANALYZE");
    }
  }
}
