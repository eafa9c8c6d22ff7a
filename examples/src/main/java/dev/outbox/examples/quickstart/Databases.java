package dev.outbox.examples.quickstart;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;

/**
 * The embedded database: a file in a temporary folder, shared by the processes of the quickstart.
 */
final class Databases {
  private Databases() {}

  static String urlIn(Path folder) {
    return "jdbc:h2:" + folder.resolve("orders").toAbsolutePath() + ";AUTO_SERVER=TRUE";
  }

  static HikariDataSource at(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(4);
    config.setAutoCommit(false);
    return new HikariDataSource(config);
  }
}
