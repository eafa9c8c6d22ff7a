package dev.outbox.micrometer;

import dev.outbox.Claiming;
import dev.outbox.Outbox;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.IntStream;

/** Tables of an outbox on a real database, and a process that counts what happens there. */
final class Shop implements AutoCloseable {
  final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  final TimedDataSource timed;
  final JdbcStore store;
  final OutboxMetrics metrics;
  private final Sandbox sandbox;
  private final Outbox outbox;

  private Shop(Database database, Claiming claiming) {
    sandbox = database.sandbox();
    Schema.builder(sandbox.dataSource()).claiming(claiming).create();
    timed = TimedDataSource.of(sandbox.pool(8));
    timed.bindTo(registry);
    store = JdbcStore.create(timed);
    metrics = OutboxMetrics.builder(store).topics(3).build();
    metrics.bindTo(registry);
    outbox = Outbox.builder(store).observer(metrics).build();
  }

  static Shop on(Database database) {
    return new Shop(database, Claiming.LANES);
  }

  static Shop byRows(Database database) {
    return new Shop(database, Claiming.ROWS);
  }

  /** Commits so many messages. */
  List<MessageId> enqueue(String topic, int count) {
    try (Connection connection = sandbox.open()) {
      connection.setAutoCommit(false);
      List<Message> messages =
          IntStream.range(0, count).mapToObj(i -> Message.to(topic).text("" + i)).toList();
      List<MessageId> ids = outbox.enqueue(connection, messages);
      connection.commit();
      outbox.wake();
      return ids;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Renames a table, so that statements on it fail. */
  void rename(String table, String name) throws SQLException {
    try (Connection connection = sandbox.open();
        Statement statement = connection.createStatement()) {
      statement.execute("ALTER TABLE " + table + " RENAME TO " + name);
    }
  }

  /** No relay has a lane any more, as if each had lost its leases. */
  void freeLanes() throws SQLException {
    try (Connection connection = sandbox.open();
        Statement statement = connection.createStatement()) {
      statement.execute("UPDATE outbox_lane SET owner = NULL, lease_until = NULL");
    }
  }

  Scrape scrape() {
    return Scrape.of(registry);
  }

  @Override
  public void close() {
    metrics.close();
    sandbox.close();
  }
}
