package dev.outbox.brokers;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.MessageProperties;
import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.rabbitmq.RabbitPublisher;
import dev.outbox.servers.Database;
import dev.outbox.servers.RabbitServer;
import dev.outbox.servers.Sandbox;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * Measures a relay to a quorum queue against a loop as one writes it by hand, in turns: rounds,
 * messages of many keys and of none, messages of one key. A relay publishes by the ready publisher,
 * and by {@code Publisher.batch} on a channel that confirms once.
 */
public final class RabbitDrain {
  private static final String QUEUE = "orders";
  private static final int READ = 500;
  private static final byte[] PAYLOAD = new byte[200];
  private static final int MANY = 1000;

  private final ConnectionFactory factory = new ConnectionFactory();
  private final Sandbox sandbox;

  private RabbitDrain(RabbitServer server, Sandbox sandbox) {
    this.sandbox = sandbox;
    factory.setHost("127.0.0.1");
    factory.setPort(server.port());
  }

  /** A relay with one of the two publishers, until so many are delivered. */
  private interface Drain {
    double seconds(JdbcStore store, int messages) throws Exception;
  }

  public static void main(String[] args) throws Exception {
    int rounds = Integer.parseInt(args[0]);
    int many = Integer.parseInt(args[1]);
    try (RabbitServer server = RabbitServer.start();
        Sandbox sandbox = Database.POSTGRES.sandbox()) {
      RabbitDrain drain = new RabbitDrain(server, sandbox);
      drain.prepare();
      drain.compare("1,000 keys", rounds, many, MANY, drain::ready);
      drain.compare("one key", rounds, Integer.parseInt(args[2]), 1, drain::ready);
      drain.compare("batch, 1,000 keys", rounds, many, MANY, drain::batch);
      drain.compare("batch, no keys", rounds, many, 0, drain::batch);
    }
  }

  private void prepare() throws Exception {
    DataSource dataSource = sandbox.dataSource();
    Schema.builder(dataSource).create();
    try (java.sql.Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE hand (id bigserial PRIMARY KEY, key text NOT NULL, payload bytea NOT NULL)");
    }
  }

  /** The first round warms both up and does not count. */
  private void compare(String what, int rounds, int messages, int keys, Drain drain)
      throws Exception {
    double[] loop = new double[rounds];
    double[] relay = new double[rounds];
    for (int round = -1; round < rounds; round++) {
      double byHand = messages / byHand(messages, keys);
      double ours = messages / ours(messages, keys, drain);
      System.out.printf("%s: loop %.0f/s, relay %.0f/s, %.2f%n", what, byHand, ours, ours / byHand);
      if (round >= 0) {
        loop[round] = byHand;
        relay[round] = ours;
      }
    }
    Arrays.sort(loop);
    Arrays.sort(relay);
    System.out.printf(
        "%s: median loop %.0f/s, relay %.0f/s, ratio %.2f%n",
        what, loop[rounds / 2], relay[rounds / 2], relay[rounds / 2] / loop[rounds / 2]);
  }

  /** A queue as the page recommends it, empty. */
  private void renewQueue() throws Exception {
    try (Connection connection = factory.newConnection();
        Channel channel = connection.createChannel()) {
      channel.queueDelete(QUEUE);
      channel.queueDeclare(QUEUE, true, false, false, Map.of("x-queue-type", "quorum"));
    }
  }

  private void requireQueued(int messages) throws Exception {
    try (Connection connection = factory.newConnection();
        Channel channel = connection.createChannel()) {
      long there = channel.messageCount(QUEUE);
      if (there != messages) {
        throw new IllegalStateException(there + " of " + messages + " are in the queue");
      }
    }
  }

  private double byHand(int messages, int keys) throws Exception {
    renewQueue();
    try (java.sql.Connection database = sandbox.open();
        Statement statement = database.createStatement();
        Connection connection = factory.newConnection();
        Channel channel = connection.createChannel()) {
      statement.execute(
          "INSERT INTO hand (key, payload) SELECT 'k' || (n %% %d), decode(repeat('00', %d), 'hex') FROM generate_series(1, %d) n"
              .formatted(Math.max(keys, 1), PAYLOAD.length, messages));
      statement.execute("VACUUM ANALYZE hand");
      channel.confirmSelect();
      database.setAutoCommit(false);
      long begun = System.nanoTime();
      while (step(database, channel, keys == 1)) {
        database.commit();
      }
      double seconds = seconds(begun);
      requireQueued(messages);
      return seconds;
    }
  }

  /** Reads 500, sends them, waits, deletes them. With one key each is waited for. */
  private static boolean step(java.sql.Connection database, Channel channel, boolean oneByOne)
      throws Exception {
    List<Long> ids = new ArrayList<>();
    try (PreparedStatement select =
            database.prepareStatement(
                "SELECT id, key, payload FROM hand ORDER BY id LIMIT " + READ + " FOR UPDATE");
        ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        ids.add(rows.getLong(1));
        AMQP.BasicProperties properties =
            MessageProperties.PERSISTENT_BASIC
                .builder()
                .headers(Map.of("message-key", rows.getString(2)))
                .build();
        channel.basicPublish("", QUEUE, true, properties, rows.getBytes(3));
        if (oneByOne) {
          channel.waitForConfirmsOrDie();
        }
      }
    }
    channel.waitForConfirmsOrDie();
    try (PreparedStatement delete =
        database.prepareStatement("DELETE FROM hand WHERE id = ANY (?)")) {
      delete.setArray(1, database.createArrayOf("bigint", ids.toArray()));
      delete.executeUpdate();
    }
    return !ids.isEmpty();
  }

  private double ours(int messages, int keys, Drain drain) throws Exception {
    renewQueue();
    DataSource dataSource = sandbox.pool(4);
    JdbcStore store = JdbcStore.create(dataSource);
    Outbox outbox = Outbox.create(store);
    try (java.sql.Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      List<Message> list = new ArrayList<>();
      for (int number = 0; number < messages; number++) {
        list.add(
            keys == 0
                ? Message.to(QUEUE).bytes(PAYLOAD)
                : Message.to(QUEUE).key("k" + number % keys).bytes(PAYLOAD));
        if (list.size() == 1000 || number == messages - 1) {
          outbox.enqueue(connection, list);
          list.clear();
        }
      }
      connection.commit();
      connection.setAutoCommit(true);
      statement.execute("VACUUM ANALYZE");
    }
    double seconds = drain.seconds(store, messages);
    requireQueued(messages);
    return seconds;
  }

  private double ready(JdbcStore store, int messages) throws Exception {
    RabbitPublisher rabbit = RabbitPublisher.create(factory);
    long begun = System.nanoTime();
    try (Relay relay = Relay.builder(store, rabbit).owns(rabbit).start()) {
      awaitDelivered(relay, messages);
      return seconds(begun);
    }
  }

  private double batch(JdbcStore store, int messages) throws Exception {
    try (Connection connection = factory.newConnection()) {
      Publisher batch = Publisher.batch(envelopes -> sendAll(connection, envelopes));
      long begun = System.nanoTime();
      try (Relay relay = Relay.builder(store, batch).start()) {
        awaitDelivered(relay, messages);
        return seconds(begun);
      }
    }
  }

  private final ThreadLocal<Channel> channels = new ThreadLocal<>();

  /** A channel for each thread, since channels are not thread-safe. */
  private List<Ack> sendAll(Connection connection, List<Envelope> envelopes) throws Exception {
    Channel channel = channels.get();
    if (channel == null || channel.getConnection() != connection) {
      channel = connection.createChannel();
      channel.confirmSelect();
      channels.set(channel);
    }
    for (Envelope envelope : envelopes) {
      AMQP.BasicProperties properties =
          MessageProperties.PERSISTENT_BASIC.builder().messageId(envelope.id().toString()).build();
      channel.basicPublish("", QUEUE, true, properties, envelope.payload().bytes());
    }
    channel.waitForConfirmsOrDie();
    return Collections.nCopies(envelopes.size(), Ack.delivered());
  }

  private static void awaitDelivered(Relay relay, int messages) throws InterruptedException {
    while (relay.status().counts().delivered() < messages) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  private static double seconds(long begun) {
    return (System.nanoTime() - begun) / 1e9;
  }
}
