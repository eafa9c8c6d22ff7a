package dev.outbox.cli;

import dev.outbox.DeadLetters;
import dev.outbox.Outbox;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.ManualRelay;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** A store with messages to operate on, and the environment that names it to the command line. */
final class Shop implements AutoCloseable {
  final Sandbox sandbox;
  final JdbcStore store;
  final InMemoryBroker broker = InMemoryBroker.create();
  private final DataSource dataSource;

  Shop(Database database) {
    this.sandbox = database.server().sandbox();
    this.dataSource = sandbox.pool(4);
    Schema.builder(dataSource).with(Schema.Part.ARCHIVE).create();
    this.store = JdbcStore.create(dataSource);
  }

  Map<String, String> variables() {
    return Map.of(
        "OUTBOX_URL", sandbox.url(),
        "OUTBOX_USER", sandbox.user(),
        "OUTBOX_PASSWORD", sandbox.password());
  }

  Called call(String... arguments) {
    return Called.by(variables(), arguments);
  }

  Called callWith(String answer, String... arguments) {
    return Called.with(answer, variables(), arguments);
  }

  /** Commits that many messages of a topic, with one key. */
  List<MessageId> enqueue(String topic, String key, int count) throws Exception {
    return enqueue(
        IntStream.range(0, count)
            .mapToObj(i -> Message.to(topic).key(key).json("{\"n\":" + i + "}"))
            .map(Message.class::cast)
            .toList());
  }

  private List<MessageId> enqueue(List<Message> messages) throws Exception {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      List<MessageId> ids = Outbox.create(store).enqueue(connection, messages);
      connection.commit();
      return ids;
    }
  }

  void run(String statement) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement run = connection.createStatement()) {
      run.execute(statement);
    }
  }

  /** Every try fails, so that messages wait for another one however long the drain takes. */
  void drainFailing(String error) {
    broker.fail(envelope -> true, new IllegalStateException(error));
    drain();
    broker.heal();
  }

  /** A relay delivers, parks and buries what there is. */
  void drain() {
    try (ManualRelay relay = ManualRelay.of(store, broker.publisher())) {
      relay.drainNow();
    }
  }

  /** Dead letters of a topic. */
  void die(String topic, String key, int count, String error) throws Exception {
    enqueue(topic, key, count);
    die(error);
  }

  /** Makes a dead letter of it. */
  void bury(String error, Message message) throws Exception {
    enqueue(List.of(message));
    die(error);
  }

  private void die(String error) {
    broker.rejectIf(envelope -> true, error);
    drain();
    broker.heal();
  }

  long dead() {
    return DeadLetters.create(store).count(1_000_000);
  }

  /** Locks a dead letter in another session: the next one after the first {@code after}. */
  AutoCloseable lockDead(int after) throws SQLException {
    Connection connection = sandbox.open();
    connection.setAutoCommit(false);
    try (Statement lock = connection.createStatement()) {
      lock.execute(
          "SELECT dead_id FROM outbox_dead WHERE dead_id = (SELECT dead_id FROM outbox_dead"
              + " ORDER BY dead_id LIMIT 1 OFFSET %d) FOR UPDATE".formatted(after));
    }
    return connection;
  }

  @Override
  public void close() {
    sandbox.close();
  }
}
