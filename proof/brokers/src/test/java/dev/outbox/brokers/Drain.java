package dev.outbox.brokers;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * Measures a relay against {@link HandLoop}, in turns: broker, rounds, messages of many keys and of
 * none, messages of one key. A relay publishes by the ready publisher, and by {@code
 * Publisher.batch} around what the loop sends with. {@code -Dlanes=4} is another number of lanes,
 * {@code -Donly=batch} one of the comparisons, {@code -Dwarmup=5} more rounds that do not count.
 */
public final class Drain {
  private static final int BYTES = 200;
  private static final int MANY = 1000;
  private static final int WARMUP = Integer.getInteger("warmup", 4);
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  private final BrokerKind kind;
  private final TestBroker broker;
  private final Sandbox sandbox;
  private final int rounds;

  private Drain(BrokerKind kind, TestBroker broker, Sandbox sandbox, int rounds) {
    this.kind = kind;
    this.broker = broker;
    this.sandbox = sandbox;
    this.rounds = rounds;
  }

  /** A relay with one of the two publishers. */
  private interface Opener {
    BrokerKind.OwnedPublisher open() throws Exception;
  }

  public static void main(String[] args) throws Exception {
    BrokerKind kind = BrokerKind.valueOf(args[0]);
    int many = Integer.parseInt(args[2]);
    try (TestBroker broker = kind.start();
        Sandbox sandbox = Database.POSTGRES.sandbox()) {
      Drain drain = new Drain(kind, broker, sandbox, Integer.parseInt(args[1]));
      drain.prepare();
      drain.compare("1,000 keys", many, MANY, drain::ready);
      drain.compare("one key", Integer.parseInt(args[3]), 1, drain::ready);
      drain.compare("no key", many, 0, drain::ready);
      drain.compare("batch, 1,000 keys", many, MANY, drain::batch);
      drain.compare("batch, no key", many, 0, drain::batch);
    }
  }

  private void prepare() throws Exception {
    DataSource dataSource = sandbox.dataSource();
    Schema.builder(dataSource).lanes(Integer.getInteger("lanes", 32)).create();
    try (Connection connection = dataSource.getConnection()) {
      HandLoop.createTable(connection);
    }
  }

  /** The first rounds do not count: until then the JVM compiles. */
  private void compare(String what, int messages, int keys, Opener opener) throws Exception {
    if (!what.matches(System.getProperty("only", ".*"))) {
      return;
    }
    double[] loop = new double[rounds];
    double[] relay = new double[rounds];
    for (int round = -WARMUP; round < rounds; round++) {
      double byHand = messages / byHand(messages, keys);
      double ours = messages / ours(messages, keys, opener);
      System.out.printf("%s: loop %.0f/s, relay %.0f/s, %.2f%n", what, byHand, ours, ours / byHand);
      if (round >= 0) {
        loop[round] = byHand;
        relay[round] = ours;
      }
    }
    double[] ratios = new double[rounds];
    Arrays.setAll(ratios, round -> relay[round] / loop[round]);
    System.out.printf(
        "%s, %s: median loop %.0f/s, relay %.0f/s, ratio %.2f, of single rounds %.2f to"
            + " %.2f%n",
        kind,
        what,
        median(loop),
        median(relay),
        median(relay) / median(loop),
        Arrays.stream(ratios).min().orElseThrow(),
        Arrays.stream(ratios).max().orElseThrow());
  }

  private static double median(double[] figures) {
    double[] sorted = figures.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private double byHand(int messages, int keys) throws Exception {
    broker.renew();
    try (Connection connection = sandbox.open();
        HandSender sender = broker.handSender()) {
      HandLoop.fill(connection, messages, keys, BYTES);
      long begun = System.nanoTime();
      new HandLoop(connection, sender).run(keys == 1);
      double seconds = seconds(begun);
      requireThere(messages);
      return seconds;
    }
  }

  private double ours(int messages, int keys, Opener opener) throws Exception {
    broker.renew();
    DataSource dataSource = sandbox.pool(4);
    JdbcStore store = JdbcStore.create(dataSource);
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      enqueue(Outbox.create(store), connection, messages, keys);
      connection.commit();
      connection.setAutoCommit(true);
      statement.execute("VACUUM ANALYZE");
    }
    BrokerKind.OwnedPublisher opened = opener.open();
    long begun = System.nanoTime();
    try (Relay relay = Relay.builder(store, opened.publisher()).owns(opened.owned()).start()) {
      while (relay.status().counts().delivered() < messages) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
      double seconds = seconds(begun);
      requireThere(messages);
      return seconds;
    }
  }

  private static void enqueue(Outbox outbox, Connection connection, int messages, int keys) {
    byte[] payload = new byte[BYTES];
    List<Message> list = new ArrayList<>();
    for (int number = 0; number < messages; number++) {
      list.add(
          keys == 0
              ? Message.to(TestBroker.TOPIC).bytes(payload)
              : Message.to(TestBroker.TOPIC).key("k" + number % keys).bytes(payload));
      if (list.size() == 1000 || number == messages - 1) {
        outbox.enqueue(connection, list);
        list.clear();
      }
    }
  }

  private void requireThere(int messages) throws Exception {
    long there = broker.size();
    if (there != messages) {
      throw new IllegalStateException(there + " of " + messages + " are in the broker");
    }
  }

  private BrokerKind.OwnedPublisher ready() throws Exception {
    return kind.publisher(broker.address(), DEADLINE);
  }

  /** A sender for each batch that is on its way, as the loop has one. */
  private BrokerKind.OwnedPublisher batch() {
    Queue<HandSender> free = new ConcurrentLinkedQueue<>();
    Publisher batch =
        Publisher.batch(
            envelopes -> {
              HandSender idle = free.poll();
              HandSender sender = idle == null ? broker.handSender() : idle;
              for (Envelope each : envelopes) {
                sender.send(row(each));
              }
              sender.await();
              free.add(sender);
              return Collections.nCopies(envelopes.size(), Ack.delivered());
            });
    return new BrokerKind.OwnedPublisher(
        batch,
        () -> {
          for (HandSender each : free) {
            each.close();
          }
        });
  }

  private static HandSender.Row row(Envelope envelope) {
    return new HandSender.Row(
        envelope.id().value(),
        envelope.topic(),
        envelope.key() == null ? null : envelope.key().value(),
        envelope.payload().contentType(),
        envelope.payload().bytes());
  }

  private static double seconds(long begun) {
    return (System.nanoTime() - begun) / 1e9;
  }
}
