package dev.outbox.brokers;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.SendObserver;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/**
 * Measures how long after its commit a message is acknowledged, at 200 a second, by a relay and by
 * the client's own send after the commit, in turns: broker, rounds, messages of a round. The first
 * second of a round does not count: clients connect, and a relay claims its lanes; nor do the first
 * rounds, {@code -Dwarmup=2}, in which the JVM compiles.
 */
public final class Latency {
  private static final Duration DEADLINE = Duration.ofSeconds(30);
  private static final long PERIOD = TimeUnit.MILLISECONDS.toNanos(5);
  private static final int STARTING = 200;
  private static final int WARMUP = Integer.getInteger("warmup", 2);
  private static final int KEYS = 1000;
  private static final int BYTES = 200;

  private final BrokerKind kind;
  private final TestBroker broker;
  private final DataSource dataSource;

  private Latency(BrokerKind kind, TestBroker broker, DataSource dataSource) {
    this.kind = kind;
    this.broker = broker;
    this.dataSource = dataSource;
  }

  public static void main(String[] args) throws Exception {
    BrokerKind kind = BrokerKind.valueOf(args[0]);
    int rounds = Integer.parseInt(args[1]);
    int messages = Integer.parseInt(args[2]);
    try (TestBroker broker = kind.start();
        Sandbox sandbox = Database.POSTGRES.sandbox()) {
      Latency latency = new Latency(kind, broker, sandbox.pool(6));
      latency.prepare();
      List<List<Long>> byHand = new ArrayList<>();
      List<List<Long>> ours = new ArrayList<>();
      for (int round = -WARMUP; round < rounds; round++) {
        List<Long> hand = latency.byHand(messages);
        List<Long> relay = latency.ours(messages);
        if (round >= 0) {
          byHand.add(hand);
          ours.add(relay);
        }
      }
      latency.print(byHand, ours, 50);
      latency.print(byHand, ours, 99);
    }
  }

  /** Over all rounds together, and the least and the most of single ones. */
  private void print(List<List<Long>> byHand, List<List<Long>> ours, int percent) {
    double hand = at(byHand.stream().flatMap(List::stream).toList(), percent);
    double relay = at(ours.stream().flatMap(List::stream).toList(), percent);
    double[] over =
        IntStream.range(0, ours.size())
            .mapToDouble(round -> at(ours.get(round), percent) - at(byHand.get(round), percent))
            .sorted()
            .toArray();
    System.out.printf(
        "%s, p%d: send after the commit %.2f ms, relay %.2f ms, over it %+.2f ms, in single rounds"
            + " %+.2f to %+.2f ms%n",
        kind, percent, hand, relay, relay - hand, over[0], over[over.length - 1]);
  }

  private static double at(List<Long> nanos, int percent) {
    List<Long> sorted = new ArrayList<>(nanos);
    Collections.sort(sorted);
    return sorted.get(sorted.size() * percent / 100) / 1e6;
  }

  private void prepare() throws Exception {
    Schema.builder(dataSource).create();
    try (Connection connection = dataSource.getConnection()) {
      HandLoop.createTable(connection);
    }
  }

  /** Waits for the next beat; one that is missed is made up for. */
  private static void awaitBeat(long begun, int number) {
    long at = begun + number * PERIOD;
    for (long left = at - System.nanoTime(); left > 0; left = at - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private List<Long> byHand(int messages) throws Exception {
    List<Long> taken = new ArrayList<>();
    try (Connection connection = dataSource.getConnection();
        HandSender sender = broker.handSender();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO hand (message_id, topic, key, content_type, payload) VALUES (?, ?, ?,"
                    + " ?, ?)")) {
      connection.setAutoCommit(false);
      long begun = System.nanoTime();
      for (int number = 0; number < messages; number++) {
        awaitBeat(begun, number);
        HandSender.Row row =
            new HandSender.Row(
                UUID.randomUUID(),
                TestBroker.TOPIC,
                "k" + number % KEYS,
                "application/octet-stream",
                new byte[BYTES]);
        insert.setObject(1, row.id());
        insert.setString(2, row.topic());
        insert.setString(3, row.key());
        insert.setString(4, row.contentType());
        insert.setBytes(5, row.payload());
        insert.executeUpdate();
        connection.commit();
        long committed = System.nanoTime();
        sender.send(row);
        sender.await();
        if (number >= STARTING) {
          taken.add(System.nanoTime() - committed);
        }
      }
    }
    return taken;
  }

  private List<Long> ours(int messages) throws Exception {
    Map<MessageId, Long> committed = new HashMap<>();
    Map<MessageId, Long> answered = new ConcurrentHashMap<>();
    BrokerKind.OwnedPublisher opened = kind.publisher(broker.address(), DEADLINE);
    Publisher watched = opened.publisher().observed(watching(answered));
    JdbcStore store = JdbcStore.create(dataSource);
    Outbox outbox = Outbox.create(store);
    try (Relay relay = Relay.builder(store, watched).owns(opened.owned()).start();
        Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      long begun = System.nanoTime();
      for (int number = 0; number < messages; number++) {
        awaitBeat(begun, number);
        MessageId id =
            outbox.enqueue(
                connection,
                Message.to(TestBroker.TOPIC).key("k" + number % KEYS).bytes(new byte[BYTES]));
        connection.commit();
        if (number >= STARTING) {
          committed.put(id, System.nanoTime());
        }
        outbox.wake();
      }
      while (relay.status().counts().delivered() < messages) {
        TimeUnit.MILLISECONDS.sleep(10);
      }
    }
    return committed.entrySet().stream()
        .map(each -> answered.get(each.getKey()) - each.getValue())
        .toList();
  }

  private static SendObserver watching(Map<MessageId, Long> answered) {
    return envelopes ->
        new SendObserver.Scope() {
          @Override
          public void answered(Envelope envelope, Ack ack) {
            answered.put(envelope.id(), System.nanoTime());
          }

          @Override
          public void close() {
            // the call of the client is not measured
          }
        };
  }
}
