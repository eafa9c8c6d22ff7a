package dev.outbox.examples.readme;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import java.sql.Connection;
import java.sql.PreparedStatement;
import javax.sql.DataSource;

/** The code of the README. A test compares the marked regions with the page. */
public final class FirstMessage {
  private FirstMessage() {}

  /** Places an order and its message in one transaction, with a relay that sends it. */
  public static void run(DataSource dataSource, Broker broker, Order order) throws Exception {
    Schema.builder(dataSource).create();
    // tag::example[]
    JdbcStore store = JdbcStore.create(dataSource);
    Outbox outbox = Outbox.create(store);
    Relay relay = Relay.builder(store, Publisher.blocking(broker::send)).start();

    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      insert(connection, order);
      outbox.enqueue(connection, Message.to("orders.placed").key(order.id()).payload(order));
      connection.commit();
    }
    outbox.wake();
    // end::example[]
    relay.close();
  }

  private static void insert(Connection connection, Order order) throws Exception {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO orders (id) VALUES (?)")) {
      insert.setString(1, order.id());
      insert.executeUpdate();
    }
  }

  /** An order. */
  public record Order(String id) {}

  /** A broker's client. */
  public interface Broker {
    void send(dev.outbox.message.Envelope envelope) throws Exception;
  }
}
