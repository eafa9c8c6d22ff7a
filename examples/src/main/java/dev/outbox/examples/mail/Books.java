package dev.outbox.examples.mail;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** The tables of the shop: its orders, and what became of their mails. */
final class Books {
  private Books() {}

  static String urlIn(Path folder) {
    return "jdbc:h2:" + folder.resolve("shop").toAbsolutePath() + ";AUTO_SERVER=TRUE";
  }

  static HikariDataSource at(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(4);
    config.setAutoCommit(false);
    return new HikariDataSource(config);
  }

  static void create(DataSource dataSource) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE orders (number INT PRIMARY KEY, customer VARCHAR(40))");
      statement.execute(
          "CREATE TABLE mail_deliveries ("
              + "number INT PRIMARY KEY, status VARCHAR(20) NOT NULL, sent_times INT NOT NULL)");
      connection.commit();
    }
  }

  /** An order, and the wish that its customer gets a mail. */
  static void place(Connection transaction, int number) throws SQLException {
    update(transaction, "INSERT INTO orders (number, customer) VALUES (?, 'somebody')", number);
    update(
        transaction,
        "INSERT INTO mail_deliveries (number, status, sent_times) VALUES (?, 'REQUESTED', 0)",
        number);
  }

  /** The effect that happens once: a second time would be seen in {@code sent_times}. */
  static void markSent(Connection transaction, int number) throws SQLException {
    update(
        transaction,
        "UPDATE mail_deliveries SET status = 'SENT', sent_times = sent_times + 1 WHERE number = ?",
        number);
  }

  /** It is unknown whether it was sent: a person decides. */
  static void putAside(Connection transaction, int number) throws SQLException {
    update(transaction, "UPDATE mail_deliveries SET status = 'TOO_OLD' WHERE number = ?", number);
  }

  private static void update(Connection transaction, String sql, int number) throws SQLException {
    try (PreparedStatement statement = transaction.prepareStatement(sql)) {
      statement.setInt(1, number);
      if (statement.executeUpdate() != 1) {
        throw new SQLException("there is no order " + number);
      }
    }
  }

  static int count(DataSource dataSource, String what) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT " + what)) {
      row.next();
      return row.getInt(1);
    }
  }
}
