package dev.outbox.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConnectionFactory;
import dev.outbox.servers.Database;
import dev.outbox.servers.KafkaServer;
import dev.outbox.servers.RabbitServer;
import dev.outbox.servers.Sandbox;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code examples/spring-boot} on PostgreSQL and Kafka, under load, killed and terminated. */
@Tag("proof")
class ShopTest {
  private static final int WRITERS = 4;
  private static final int KILLS = 3;

  private KafkaServer kafka;
  private static Path jar;
  @TempDir static Path home;

  private Sandbox database;
  private Topic topic;
  private final List<Shop> shops = new ArrayList<>();

  @BeforeAll
  static void build() throws Exception {
    jar =
        ShopJar.build(
            Path.of("../../examples/spring-boot"), home.resolve("shop"), pom -> pom, "package");
  }

  @BeforeEach
  void open() throws Exception {
    kafka = KafkaServer.start();
    database = Database.POSTGRES.sandbox();
    topic = Topic.create(kafka, "orders.placed");
  }

  @AfterEach
  void close() {
    shops.forEach(Shop::close);
    database.close();
    kafka.close();
  }

  private Shop start() throws Exception {
    return start("kafka", "KAFKA", kafka.bootstrapServers());
  }

  private Shop start(String profile, String broker, String address) throws Exception {
    Map<String, String> environment = Map.of("SPRING_PROFILES_ACTIVE", profile, broker, address);
    Shop shop = Shop.start(jar, database, environment);
    shops.add(shop);
    return shop;
  }

  @Test
  void a_commit_arrives_once_and_a_rollback_never() throws Exception {
    Shop shop = start();
    for (int order = 1; order <= 100; order++) {
      int status = shop.place("order-" + order, order % 5 == 0 ? 0 : order);
      assertThat(status).isEqualTo(order % 5 == 0 ? 400 : 200);
    }

    awaitDrained();
    assertThat(topic.keys()).doesNotHaveDuplicates().hasSize(80);
    assertThat(Set.copyOf(topic.keys())).isEqualTo(orders());
  }

  @Test
  void with_the_other_profile_it_arrives_in_RabbitMQ() throws Exception {
    RabbitServer.whyNot().ifPresent(Assumptions::abort);
    try (RabbitServer rabbit = RabbitServer.start()) {
      ConnectionFactory factory = new ConnectionFactory();
      factory.setPort(rabbit.port());
      try (com.rabbitmq.client.Connection connection = factory.newConnection();
          Channel channel = connection.createChannel()) {
        Shop shop = start("rabbitmq", "RABBITMQ", "127.0.0.1:" + rabbit.port());
        assertThat(shop.place("order-1", 7)).isEqualTo(200);
        assertThat(shop.place("order-2", 0)).isEqualTo(400);

        awaitDrained();
        assertThat(channel.messageCount("orders.placed")).isEqualTo(1);
      }
    }
  }

  @Test
  void a_kill_in_mid_flight_loses_nothing() throws Exception {
    try (Load load = new Load()) {
      for (int kill = 0; kill < KILLS; kill++) {
        Shop shop = start();
        load.to(shop);
        load.awaitPlaced(300);
        shop.kill();
      }
      load.to(start());
      load.awaitPlaced(100);
    }

    awaitDrained();
    Set<String> orders = orders();
    assertThat(orders).hasSizeGreaterThan(KILLS * 300);
    assertThat(new HashSet<>(topic.keys())).isEqualTo(orders);
    System.out.printf(
        "%d orders, %d records in Kafka after %d kills%n",
        orders.size(), topic.keys().size(), KILLS);
  }

  @Test
  void SIGTERM_under_load_repeats_and_loses_nothing() throws Exception {
    try (Load load = new Load()) {
      for (int round = 0; round < KILLS; round++) {
        Shop shop = start();
        load.to(shop);
        load.awaitPlaced(300);
        assertThat(shop.terminate()).isEqualTo(143);
        assertThat(shop.log()).contains("closed").doesNotContain("ERROR");
      }
      load.to(start());
      load.awaitPlaced(100);
    }

    awaitDrained();
    assertThat(topic.keys()).doesNotHaveDuplicates();
    assertThat(Set.copyOf(topic.keys())).isEqualTo(orders());
  }

  /** Writers that go on until they are closed, whatever becomes of the shop. */
  private static final class Load implements AutoCloseable {
    private final AtomicInteger ids = new AtomicInteger();
    private final AtomicInteger placed = new AtomicInteger();
    private final AtomicBoolean over = new AtomicBoolean();
    private final List<CompletableFuture<Void>> writers = new ArrayList<>();
    private volatile Shop shop;

    void to(Shop next) {
      shop = next;
      placed.set(0);
      while (writers.size() < WRITERS) {
        writers.add(CompletableFuture.runAsync(this::write));
      }
    }

    private void write() {
      try {
        while (!over.get()) {
          if (shop.place("order-" + ids.incrementAndGet(), 7) == 200) {
            placed.incrementAndGet();
          } else {
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    void awaitPlaced(int count) {
      await(() -> placed.get() >= count, "placed orders");
    }

    @Override
    public void close() {
      over.set(true);
      writers.forEach(CompletableFuture::join);
    }
  }

  private void awaitDrained() {
    await(() -> count("select count(*) from outbox") == 0, "an empty outbox");
  }

  private Set<String> orders() throws SQLException {
    Set<String> ids = new HashSet<>();
    try (Connection connection = database.open();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select id from orders")) {
      while (rows.next()) {
        ids.add(rows.getString(1));
      }
    }
    return ids;
  }

  private int count(String sql) {
    try (Connection connection = database.open();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getInt(1);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  private static void await(BooleanSupplier condition, String what) {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("no " + what + " within 60 s");
      }
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
  }
}
