package dev.outbox.jdbc.proof;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.RelayStatus.Health;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.testkit.network.TcpProxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * A network that loses its state, as a firewall that is restarted: what was connected is silent for
 * ever, a login begun meanwhile is never answered, and later ones are. Driver and pool are set as
 * docs/settings.md says, the pool's size is HikariCP's default.
 */
@OneAtATime
class LostStateTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration BOUND = Duration.ofSeconds(30);

  @TestFactory
  Stream<DynamicTest> a_relay_is_up_again_soon_after_a_network_that_lost_its_state_is_back() {
    return Proof.together(Proof.SERVERS, (database, random) -> loseState(database, random));
  }

  private static void loseState(Database database, Random random) throws Exception {
    AtomicInteger published = new AtomicInteger();
    try (Sandbox sandbox = database.sandbox()) {
      Schema.builder(sandbox.dataSource()).create();
      Outbox outbox = Outbox.create(JdbcStore.create(sandbox.dataSource()));
      try (TcpProxy network = TcpProxy.before(sandbox.url());
          HikariDataSource pool =
              pool(sandbox, withTimeouts(network.through(sandbox.url()), database));
          Relay relay =
              Relay.builder(
                      JdbcStore.create(pool),
                      Publisher.blocking(envelope -> published.incrementAndGet()))
                  .start()) {
        Await.until("up", PATIENCE, () -> relay.health() == Health.UP);
        enqueue(sandbox, outbox);
        Await.until("the first is published", PATIENCE, () -> published.get() == 1);
        network.silence();
        Await.until("down", PATIENCE, () -> relay.health() == Health.DOWN);
        int before = network.unanswered();
        Await.until("one more login", PATIENCE, () -> network.unanswered() > before);
        Await.pause(Duration.ofMillis(random.nextInt(2_000)));
        network.restore();
        long back = System.nanoTime();
        enqueue(sandbox, outbox);
        Duration up = Await.since(back, "up again", BOUND, () -> relay.health() == Health.UP);
        Await.since(back, "the second is published", BOUND, () -> published.get() >= 2);
        assertThat(published).hasValue(2);
        Proof.tell("%s: up again %s after the network was back".formatted(database, up));
      }
    }
  }

  private static void enqueue(Sandbox sandbox, Outbox outbox) throws Exception {
    try (Connection connection = sandbox.open()) {
      connection.setAutoCommit(false);
      outbox.enqueue(connection, Message.to("t").text("p"));
      connection.commit();
    }
  }

  private static String withTimeouts(String url, Database database) {
    String parameters =
        switch (database) {
          case POSTGRES -> "connectTimeout=5&loginTimeout=10&socketTimeout=60&tcpKeepAlive=true";
          default -> "connectTimeout=5000&socketTimeout=15000";
        };
    return url + (url.contains("?") ? "&" : "?") + parameters;
  }

  private static HikariDataSource pool(Sandbox sandbox, String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setUsername(sandbox.user());
    config.setPassword(sandbox.password());
    // each of its ten dead connections is found out by one of these, one after the other
    config.setValidationTimeout(1_000);
    return new HikariDataSource(config);
  }
}
