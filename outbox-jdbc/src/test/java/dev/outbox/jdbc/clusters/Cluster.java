package dev.outbox.jdbc.clusters;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.Transactions;
import dev.outbox.cluster.Clusters;
import dev.outbox.cluster.Handover;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RelayListener;
import dev.outbox.publish.RetryPolicy;
import dev.outbox.servers.DatabaseServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** One cluster: a database, an outbox, a relay, and what its broker has received. */
final class Cluster implements AutoCloseable {
  static final Duration MAXIMUM_DELAY = Duration.ofSeconds(2);

  private static final Duration LEASE = Duration.ofMillis(1500);

  /** What arrived at a broker. */
  record Arrival(int cluster, String text, int origin, boolean takenOver) {}

  final int id;
  final JdbcStore store;
  private final HikariDataSource pool;
  private final Outbox outbox;
  private final Relay relay;
  private final Queue<Arrival> arrivals;
  private final Set<Integer> unheard = ConcurrentHashMap.newKeySet();
  private volatile boolean brokerIsDown;

  Cluster(DatabaseServer server, int id, int count, Queue<Arrival> arrivals) {
    this.id = id;
    this.arrivals = arrivals;
    this.pool = pool(server);
    Clusters clusters = new Clusters(count, id, MAXIMUM_DELAY);
    Schema.builder(pool).lanes(8).clusters(clusters).create();
    this.store = JdbcStore.create(pool);
    this.outbox = Outbox.builder(store).clusters(clusters).build();
    this.relay =
        Relay.builder(store, Publisher.blocking(this::publish))
            .clusters(clusters)
            .name("cluster-" + id)
            .lease(LEASE, LEASE.dividedBy(3))
            .poll(Duration.ofMillis(100))
            .retry(
                RetryPolicy.exponential(
                    Duration.ofMillis(50), Duration.ofMillis(200), Duration.ofHours(1)))
            .listener(new Ear())
            .start();
  }

  private final class Ear implements RelayListener {
    @Override
    public void returned(Set<Integer> peers) {
      unheard.addAll(peers);
    }
  }

  private static HikariDataSource pool(DatabaseServer server) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(server.url() + "?connectTimeout=2&socketTimeout=10");
    config.setUsername(server.user());
    config.setPassword(server.password());
    config.setMaximumPoolSize(6);
    config.setMinimumIdle(0);
    config.setConnectionTimeout(1000);
    return new HikariDataSource(config);
  }

  private void publish(Envelope envelope) {
    if (brokerIsDown) {
      throw new IllegalStateException("the broker of cluster " + id + " is down");
    }
    arrivals.add(
        new Arrival(
            id,
            new String(envelope.payload().bytes(), StandardCharsets.UTF_8),
            envelope.origin().cluster(),
            envelope.origin().takenOver()));
  }

  void brokerIsDown(boolean down) {
    brokerIsDown = down;
  }

  /** Writes messages of several keys, each in one transaction; returns their texts. */
  List<String> write(String name, int count) throws Exception {
    List<String> texts = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      String text = "%s-%d-%d".formatted(name, id, number);
      Message message = Message.to("t").key(name + "-" + id + "-" + number % 20).text(text);
      Transactions.run(pool, outbox, connection -> outbox.enqueue(connection, message));
      texts.add(text);
    }
    return texts;
  }

  Handover handover() {
    return Handover.create(store);
  }

  /** The clusters from which it has ever not heard what they took over, when it came back. */
  Set<Integer> unheard() {
    return unheard;
  }

  @Override
  public void close() {
    relay.close();
    pool.close();
  }
}
