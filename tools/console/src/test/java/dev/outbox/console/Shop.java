package dev.outbox.console;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.Outbox;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Message;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.ManualRelay;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A store with messages that a console shows. */
final class Shop implements AutoCloseable {
  final HikariDataSource dataSource = new HikariDataSource();
  final JdbcStore store;
  final InMemoryBroker broker = InMemoryBroker.create();

  Shop() {
    dataSource.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID());
    dataSource.setMaximumPoolSize(12);
    Schema.builder(dataSource).create();
    store = JdbcStore.create(dataSource);
  }

  void enqueue(Message... messages) throws Exception {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      Outbox.create(store).enqueue(connection, List.of(messages));
      connection.commit();
    }
  }

  /** Dead letters of a topic, with one error. */
  void die(String topic, int count, String error) throws Exception {
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      messages.add(Message.to(topic).key("k" + i).json("{\"n\":" + i + "}"));
    }
    die(error, messages.toArray(new Message[0]));
  }

  void die(String error, Message... messages) throws Exception {
    enqueue(messages);
    broker.rejectIf(envelope -> true, error);
    drain();
    broker.heal();
  }

  /** Every try fails, so that messages wait for another one however long the drain takes. */
  void drainFailing(String error) {
    broker.fail(envelope -> true, new IllegalStateException(error));
    drain();
    broker.heal();
  }

  void drain() {
    try (ManualRelay relay = ManualRelay.of(store, broker.publisher())) {
      relay.drainNow();
    }
  }

  long dead() {
    return store.deadLetters().count(Filter.all(), 1_000_000);
  }

  void execute(String sql) throws Exception {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() {
    dataSource.close();
  }
}
