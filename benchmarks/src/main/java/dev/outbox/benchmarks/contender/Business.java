package dev.outbox.benchmarks.contender;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The business row that an application writes with each message.
 *
 * <p>Stateless.
 */
public final class Business {
  private static final String INSERT =
      "INSERT INTO business (number, customer, total, note) VALUES (?, ?, ?, ?)";

  private Business() {}

  /** Makes its table. */
  public static void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE business (number BIGINT PRIMARY KEY, customer VARCHAR(40) NOT NULL,"
              + " total DECIMAL(12, 2) NOT NULL, note VARCHAR(200))");
    }
  }

  /** Writes the row of message {@code number}. */
  public static void insert(Connection transaction, long number) throws SQLException {
    try (PreparedStatement insert = transaction.prepareStatement(INSERT)) {
      insert.setLong(1, number);
      insert.setString(2, "customer-" + number % 1000);
      insert.setDouble(3, number % 10_000 / 100.0);
      insert.setString(4, "ordered by the benchmark, to be delivered to the usual address");
      insert.executeUpdate();
    }
  }
}
