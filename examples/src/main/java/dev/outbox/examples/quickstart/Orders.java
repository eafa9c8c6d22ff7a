package dev.outbox.examples.quickstart;

import dev.outbox.Outbox;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * An order service: writes an order and its message in one transaction, and sometimes changes its
 * mind.
 */
final class Orders {
  private final DataSource dataSource;
  private final Outbox outbox;

  Orders(DataSource dataSource, Outbox outbox) {
    this.dataSource = dataSource;
    this.outbox = outbox;
  }

  /** The order and its message are committed together. */
  MessageId place(Order order) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      insert(connection, order);
      MessageId id = outbox.enqueue(connection, message(order));
      connection.commit();
      outbox.wake();
      return id;
    }
  }

  /** The order fails at the last moment: neither it nor its message has ever been. */
  void placeAndRollBack(Order order) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      insert(connection, order);
      outbox.enqueue(connection, message(order));
      connection.rollback();
    }
  }

  private static Message message(Order order) {
    return Message.to("orders.placed").key(order.customer()).payload(order);
  }

  private static void insert(Connection connection, Order order) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO orders (number, customer) VALUES (?, ?)")) {
      insert.setInt(1, order.number());
      insert.setString(2, order.customer());
      insert.executeUpdate();
    }
  }

  /** An order of a customer. */
  record Order(int number, String customer) {}
}
