package dev.outbox.brokers;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.kafka.KafkaPublisher;
import dev.outbox.message.Message;
import dev.outbox.servers.Database;
import dev.outbox.servers.KafkaServer;
import dev.outbox.servers.Sandbox;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Measures a relay to Kafka against a loop as one writes it by hand, in turns: rounds, messages of
 * many keys, messages of one key; then settings of the relay's producer, as {@code name=value}.
 */
public final class KafkaDrain {
  private static final int READ = 500;
  private static final byte[] PAYLOAD = new byte[200];
  private static final int KEYS = 1000;

  private final KafkaServer server;
  private final Sandbox sandbox;

  private final Map<String, String> config = new HashMap<>();

  private KafkaDrain(KafkaServer server, Sandbox sandbox) {
    this.server = server;
    this.sandbox = sandbox;
    config.put("bootstrap.servers", server.bootstrapServers());
  }

  public static void main(String[] args) throws Exception {
    int rounds = Integer.parseInt(args[0]);
    try (KafkaServer server = KafkaServer.start();
        Sandbox sandbox = Database.POSTGRES.sandbox()) {
      KafkaTopic.create(server, "orders");
      KafkaDrain drain = new KafkaDrain(server, sandbox);
      for (int place = 3; place < args.length; place++) {
        String[] setting = args[place].split("=", 2);
        drain.config.put(setting[0], setting[1]);
      }
      drain.prepare();
      drain.compare("1,000 keys", rounds, Integer.parseInt(args[1]), KEYS);
      drain.compare("one key", rounds, Integer.parseInt(args[2]), 1);
    }
  }

  private void prepare() throws Exception {
    DataSource dataSource = sandbox.dataSource();
    Schema.builder(dataSource).create();
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE hand (id bigserial PRIMARY KEY, key text NOT NULL, payload bytea NOT NULL)");
    }
  }

  /** The first round warms both up and does not count. */
  private void compare(String what, int rounds, int messages, int keys) throws Exception {
    double[] loop = new double[rounds];
    double[] relay = new double[rounds];
    for (int round = -1; round < rounds; round++) {
      double byHand = messages / byHand(messages, keys);
      double ours = messages / ours(messages, keys);
      System.out.printf("%s: loop %.0f/s, relay %.0f/s, %.2f%n", what, byHand, ours, ours / byHand);
      if (round >= 0) {
        loop[round] = byHand;
        relay[round] = ours;
      }
    }
    Arrays.sort(loop);
    Arrays.sort(relay);
    double of = relay[rounds / 2] / loop[rounds / 2];
    System.out.printf(
        "%s: median loop %.0f/s, relay %.0f/s, ratio %.2f%n",
        what, loop[rounds / 2], relay[rounds / 2], of);
  }

  private double byHand(int messages, int keys) throws Exception {
    try (Connection connection = sandbox.open();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "INSERT INTO hand (key, payload) SELECT 'k' || (n %% %d), decode(repeat('00', %d), 'hex') FROM generate_series(1, %d) n"
              .formatted(keys, PAYLOAD.length, messages));
      statement.execute("VACUUM ANALYZE hand");
      try (Producer<byte[], byte[]> producer =
          new KafkaProducer<>(
              Map.of("bootstrap.servers", server.bootstrapServers(), "acks", "all"),
              new ByteArraySerializer(),
              new ByteArraySerializer())) {
        connection.setAutoCommit(false);
        long begun = System.nanoTime();
        while (step(connection, producer, keys == 1)) {
          connection.commit();
        }
        return seconds(begun);
      }
    }
  }

  /** Reads 500, sends them, waits, deletes them. With one key each is waited for. */
  private static boolean step(
      Connection connection, Producer<byte[], byte[]> producer, boolean oneByOne) throws Exception {
    List<Long> ids = new ArrayList<>();
    List<Future<?>> sends = new ArrayList<>();
    try (PreparedStatement select =
            connection.prepareStatement(
                "SELECT id, key, payload FROM hand ORDER BY id LIMIT " + READ + " FOR UPDATE");
        ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        ids.add(rows.getLong(1));
        Future<?> send =
            producer.send(
                new ProducerRecord<>(
                    "orders", KafkaTopic.bytes(rows.getString(2)), rows.getBytes(3)));
        sends.add(send);
        if (oneByOne) {
          producer.flush(); // or each would wait for linger.ms
          send.get();
        }
      }
    }
    producer.flush();
    for (Future<?> send : sends) {
      send.get();
    }
    Array all = connection.createArrayOf("bigint", ids.toArray());
    try (PreparedStatement delete =
        connection.prepareStatement("DELETE FROM hand WHERE id = ANY (?)")) {
      delete.setArray(1, all);
      delete.executeUpdate();
    }
    return !ids.isEmpty();
  }

  private double ours(int messages, int keys) throws Exception {
    DataSource dataSource = sandbox.pool(4);
    JdbcStore store = JdbcStore.create(dataSource);
    Outbox outbox = Outbox.create(store);
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      List<Message> list = new ArrayList<>();
      for (int number = 0; number < messages; number++) {
        list.add(Message.to("orders").key("k" + number % keys).bytes(PAYLOAD));
        if (list.size() == 1000 || number == messages - 1) {
          outbox.enqueue(connection, list);
          list.clear();
        }
      }
      connection.commit();
      connection.setAutoCommit(true);
      statement.execute("VACUUM ANALYZE");
    }
    KafkaPublisher kafka = KafkaPublisher.create(config);
    long begun = System.nanoTime();
    try (Relay relay = Relay.builder(store, kafka).owns(kafka).start()) {
      while (relay.status().counts().delivered() < messages) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
      return seconds(begun);
    }
  }

  private static double seconds(long begun) {
    return (System.nanoTime() - begun) / 1e9;
  }
}
