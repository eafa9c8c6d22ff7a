package dev.outbox.examples.docs.javadoc;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.message.EnqueueObserver;
import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RelayListener;
import dev.outbox.publish.Resolver;
import dev.outbox.publish.SendObserver;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.InMemoryStore;
import dev.outbox.testkit.Kit;
import dev.outbox.testkit.SettableClock;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/** What the examples of Javadoc find around them, under the names that users give it. */
@SuppressWarnings("NullAway.Init")
abstract class Surroundings {
  DataSource dataSource;
  Connection connection;
  Jdbi jdbi;
  Handle handle;
  JdbcStore store;
  Outbox outbox;
  Relay relay;
  Publisher publisher;
  Resolver resolver;
  EnqueueObserver enqueues;
  SendObserver observer;
  RelayListener listener;
  Message message;
  Envelope envelope;
  MessageId id;
  Flight flight;
  Throwable cause;
  Kit kit;
  InMemoryBroker broker;
  InMemoryBroker otherBroker;
  InMemoryStore one;
  InMemoryStore other;
  SettableClock clock;
  Executor executor;
  List<MessageId> enqueued;
  List<Runnable> callbacks;
  Instant monday;
  byte[] content;
  Order order;
  Client client;
  Metrics metrics;
  Tracer tracer;
  Files files;

  abstract String tenant();

  abstract void tryAgainLater(Exception failure);

  abstract void giveUp(Exception failure);

  /** A row of the application. */
  record Order(long id) {
    void insert(Connection connection) {}
  }

  /** A client of some broker. */
  interface Client extends AutoCloseable {
    @Override
    void close();

    void connect(String host, int port);

    void send(String topic, byte[] payload) throws Exception;

    void send(String topic, byte[] payload, long fencingToken) throws Exception;

    CompletionStage<Void> sendAsync(String topic, byte[] payload);

    List<Ack> sendAll(List<Envelope> envelopes) throws Exception;
  }

  interface Metrics {
    void add(String name, int count);
  }

  interface Tracer {
    Span begin(List<Envelope> sent);

    String parentOf(String topic);
  }

  interface Span {
    void note(String text);

    void end();
  }

  interface Files {
    Payload read(String folder, String name);
  }
}
