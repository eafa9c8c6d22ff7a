package dev.outbox.examples.pages;

import dev.outbox.Outbox;
import dev.outbox.Transactions;
import dev.outbox.jdbc.JdbiTransactions;
import dev.outbox.message.Message;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;

/** The code of docs/transactions.md that needs no framework. */
public final class Transacting {
  private Transacting() {}

  /** An order, as its message carries it. */
  public record Order(String id, int cents) {}

  /** By a connection of the caller. */
  public static void byHand(DataSource dataSource, Outbox outbox, Order order) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      insert(connection, order);
      outbox.enqueue(connection, Message.to("orders.placed").key(order.id()).payload(order));
      connection.commit();
      outbox.wake();
    }
  }

  /** By the helper that begins, commits and wakes. */
  public static void byHelper(DataSource dataSource, Outbox outbox, Order order)
      throws SQLException {
    Transactions.run(
        dataSource,
        outbox,
        connection -> {
          insert(connection, order);
          outbox.enqueue(connection, Message.to("orders.placed").key(order.id()).payload(order));
        });
  }

  /** In a transaction of Jdbi. */
  public static void byJdbi(Jdbi jdbi, Outbox outbox, Order order) {
    Message message = Message.to("orders.placed").key(order.id()).payload(order);
    jdbi.useTransaction(
        handle -> {
          handle.execute("INSERT INTO orders (id, cents) VALUES (?, ?)", order.id(), order.cents());
          outbox.join(JdbiTransactions.create(handle)).enqueue(message);
        });
  }

  private static void insert(Connection connection, Order order) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO orders (id, cents) VALUES (?, ?)")) {
      insert.setString(1, order.id());
      insert.setInt(2, order.cents());
      insert.executeUpdate();
    }
  }
}
