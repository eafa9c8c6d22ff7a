package dev.outbox.programs;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.Transactions;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Sandbox;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import javax.sql.DataSource;

/** JDBC and a pool, nothing else. */
class PlainJdbcProgramTest extends ProgramCases {
  @Override
  protected Program start(Sandbox sandbox, Publisher broker) {
    return new PlainJdbcProgram(sandbox.pool(5), broker);
  }

  private static final class PlainJdbcProgram implements Program {
    private final DataSource dataSource;
    private final Outbox outbox;
    private final Relay relay;

    PlainJdbcProgram(DataSource dataSource, Publisher broker) {
      this.dataSource = dataSource;
      Schema.builder(dataSource).create();
      JdbcStore store = JdbcStore.create(dataSource);
      this.outbox = Outbox.create(store);
      this.relay = Relay.builder(store, broker).name("orders").start();
    }

    @Override
    public void place(Order order) throws SQLException {
      Transactions.run(dataSource, outbox, connection -> write(connection, order));
    }

    @Override
    public void placeAndRefuse(Order order) throws SQLException {
      Transactions.run(
          dataSource,
          outbox,
          connection -> {
            write(connection, order);
            throw new RefusedException();
          });
    }

    @Override
    public void placeWithoutTransaction(Order order) throws SQLException {
      try (Connection connection = dataSource.getConnection()) {
        outbox.enqueue(connection, message(order));
      }
    }

    private void write(Connection connection, Order order) throws SQLException {
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO orders VALUES (?, ?, ?)")) {
        insert.setString(1, order.id());
        insert.setInt(2, order.cents());
        insert.setTimestamp(3, Timestamp.from(order.placedAt()));
        insert.executeUpdate();
      }
      outbox.enqueue(connection, message(order));
    }

    private static Message message(Order order) {
      return Message.to("orders.placed").key(order.id()).payload(order);
    }

    @Override
    public void close() {
      relay.close(); // before its pool
    }
  }
}
