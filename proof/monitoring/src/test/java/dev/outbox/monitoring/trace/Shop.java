package dev.outbox.monitoring.trace;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.brokers.BrokerKind;
import dev.outbox.brokers.BrokerKind.OwnedPublisher;
import dev.outbox.brokers.TestBroker;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.EnqueueObserver;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/**
 * Takes orders by HTTP, commits each with its message, and writes an invoice when that has come
 * back from the broker. What traces it is put around its parts.
 */
final class Shop implements AutoCloseable {
  private final DataSource dataSource;
  private final Outbox outbox;
  private final Relay relay;
  private final Orders orders;
  private final HttpServer server;

  /** What traces a shop. */
  record Traced(
      EnqueueObserver observer,
      UnaryOperator<Publisher> publisher,
      UnaryOperator<HttpHandler> requests,
      UnaryOperator<Orders.Handler> orders) {}

  Shop(BrokerKind kind, String address, DataSource dataSource, Traced traced) throws Exception {
    this.dataSource = dataSource;
    createTables();
    JdbcStore store = JdbcStore.create(dataSource);
    outbox = Outbox.builder(store).observer(traced.observer()).build();
    OwnedPublisher publisher = kind.publisher(address, Duration.ofSeconds(30));
    relay =
        Relay.builder(store, traced.publisher().apply(publisher.publisher()))
            .owns(publisher.owned())
            .start();
    orders = Orders.receive(kind, address, traced.orders().apply(this::invoice));
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/orders", traced.requests().apply(this::request));
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  private void createTables() throws SQLException {
    Schema.builder(dataSource).create();
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE orders (item text)");
      statement.execute("CREATE TABLE invoice (item text)");
    }
  }

  private void request(HttpExchange exchange) throws IOException {
    try (exchange) {
      String item = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      placeOrder(item);
      exchange.sendResponseHeaders(204, -1);
    } catch (SQLException e) {
      throw new IOException("the order is not placed", e);
    }
  }

  private void placeOrder(String item) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      insert(connection, "INSERT INTO orders VALUES (?)", item);
      outbox.enqueue(connection, Message.to(TestBroker.TOPIC).key("customer-7").text(item));
      connection.commit();
      outbox.wake();
    }
  }

  private void invoice(String topic, Map<String, String> headers, String item) {
    try (Connection connection = dataSource.getConnection()) {
      insert(connection, "INSERT INTO invoice VALUES (?)", item);
    } catch (SQLException e) {
      throw new IllegalStateException("no invoice for " + item, e);
    }
  }

  private static void insert(Connection connection, String sql, String item) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, item);
      statement.executeUpdate();
    }
  }

  @Override
  public void close() {
    server.stop(0);
    relay.close();
    orders.close();
  }
}
