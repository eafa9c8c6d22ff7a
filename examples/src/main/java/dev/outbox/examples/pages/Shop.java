package dev.outbox.examples.pages;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.Transactions;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import javax.sql.DataSource;

/** Takes orders, and publishes each one that was committed. */
public final class Shop implements AutoCloseable {
  /** An order, as its message carries it. */
  public record Order(String id, int cents, Instant placedAt) {}

  private final DataSource dataSource;
  private final Outbox outbox;
  private final Relay relay;

  public Shop(DataSource dataSource, Publisher publisher) {
    this.dataSource = dataSource;
    JdbcStore store = JdbcStore.create(dataSource); // one for each data source
    this.outbox = Outbox.create(store);
    this.relay = Relay.builder(store, publisher).name("shop").start();
  }

  /** Commits the order and its message, or neither. */
  public void place(Order order) throws SQLException {
    Transactions.run(
        dataSource,
        outbox,
        connection -> {
          insert(connection, order);
          outbox.enqueue(
              connection,
              Message.to("orders.placed").key(order.id()).header("tenant", "acme").payload(order));
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

  /** Waits for what is in flight. Call it before you close the pool. */
  @Override
  public void close() {
    relay.close();
  }
}
