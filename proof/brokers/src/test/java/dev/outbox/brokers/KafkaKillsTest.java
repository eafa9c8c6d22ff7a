package dev.outbox.brokers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetters;
import dev.outbox.Outbox;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Message;
import dev.outbox.servers.Database;
import dev.outbox.servers.KafkaServer;
import dev.outbox.servers.Sandbox;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Under load, the broker and the relay are killed in turns. Nothing is lost, no key loses its
 * order, and every repeat comes soon after a kill.
 */
@Tag("proof")
class KafkaKillsTest {
  /** So many of the broker, and as many of relays. */
  private static final int KILLS = Integer.getInteger("outbox.brokerkills", 20);

  private static final int KEYS = 50;
  private static final Duration BETWEEN = Duration.ofMillis(5);
  private static final Duration DRAINED = Duration.ofMinutes(2);

  /** A takeover, the retry of what was reported as unavailable, and a busy machine. */
  private static final Duration EXPLAINED =
      RelayMain.LEASE.plus(RelayMain.RENEWAL).plus(RelayMain.DEADLINE).plusSeconds(20);

  @TempDir private Path folder;
  private final Random random = new Random(7);
  private final List<Long> faults = new ArrayList<>();
  private final AtomicInteger[] written = new AtomicInteger[KEYS];
  private volatile boolean writing = true;

  @Test
  void kills_of_broker_and_relay_lose_nothing_and_reorder_nothing() throws Exception {
    try (KafkaServer server = KafkaServer.start();
        Sandbox sandbox = Database.POSTGRES.sandbox()) {
      KafkaTopic topic = KafkaTopic.create(server, "orders");
      DataSource dataSource = sandbox.pool(4);
      Schema.builder(dataSource).create();
      Thread writer = new Thread(() -> write(dataSource), "writer");
      writer.start();
      Process relay = relay(sandbox, server);
      for (int kill = 0; kill < KILLS; kill++) {
        relay = killRelay(relay, sandbox, server);
        killBroker(server);
        System.out.printf("killed both %d times, written %d%n", kill + 1, sum());
      }
      writing = false;
      writer.join();
      drain(dataSource);
      relay.destroyForcibly();
      requireAll(topic.arrived());
    }
  }

  /** About 200 a second: a transaction for each, the keys in turns. */
  private void write(DataSource dataSource) {
    Outbox outbox = Outbox.create(JdbcStore.create(dataSource));
    for (int key = 0; key < KEYS; key++) {
      written[key] = new AtomicInteger();
    }
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      for (int number = 0; writing; number++) {
        int key = number % KEYS;
        String text = String.valueOf(written[key].get());
        outbox.enqueue(connection, Message.to("orders").key("k" + key).text(text));
        connection.commit();
        written[key].incrementAndGet();
        TimeUnit.MILLISECONDS.sleep(BETWEEN.toMillis());
      }
    } catch (Exception e) {
      throw new AssertionError("the writer failed", e);
    }
  }

  private int sum() {
    int sum = 0;
    for (AtomicInteger each : written) {
      sum += each.get();
    }
    return sum;
  }

  private Process relay(Sandbox sandbox, KafkaServer server) throws IOException {
    return new ProcessBuilder(
            ProcessHandle.current().info().command().orElse("java"),
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            RelayMain.class.getName(),
            sandbox.url(),
            sandbox.user(),
            sandbox.password(),
            server.bootstrapServers())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("relays.log").toFile()))
        .start();
  }

  private Process killRelay(Process relay, Sandbox sandbox, KafkaServer server) throws Exception {
    rest(1000, 3000);
    faults.add(System.currentTimeMillis());
    relay.destroyForcibly().waitFor();
    return relay(sandbox, server);
  }

  private void killBroker(KafkaServer server) throws Exception {
    rest(2000, 4000);
    faults.add(System.currentTimeMillis());
    server.kill();
    rest(0, 1500);
    server.restart();
    faults.add(System.currentTimeMillis());
  }

  private void rest(int least, int most) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(random.nextInt(least, most));
  }

  private static void drain(DataSource dataSource) throws Exception {
    JdbcStore store = JdbcStore.create(dataSource);
    long end = System.nanoTime() + DRAINED.toNanos();
    while (store.snapshot(1000).ready() + store.snapshot(1000).parked() > 0) {
      assertThat(System.nanoTime()).as("drained in time").isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(100);
    }
    assertThat(DeadLetters.create(store).page(DeadLetters.Filter.all(), 0, 20))
        .as("dead letters")
        .isEmpty();
  }

  private void requireAll(List<KafkaTopic.Arrived> arrived) {
    int[] next = new int[KEYS];
    int repeats = 0;
    List<KafkaTopic.Arrived> unexplained = new ArrayList<>();
    for (KafkaTopic.Arrived each : arrived) {
      int key = Integer.parseInt(each.key().substring(1));
      int number = Integer.parseInt(each.text());
      assertThat(number).as("key %d after %d", key, next[key] - 1).isLessThanOrEqualTo(next[key]);
      if (number == next[key]) {
        next[key]++;
      } else {
        repeats++;
        if (faults.stream().noneMatch(fault -> isSoonAfter(fault, each.at()))) {
          unexplained.add(each);
        }
      }
    }
    for (int key = 0; key < KEYS; key++) {
      assertThat(next[key]).as("messages of key %d", key).isEqualTo(written[key].get());
    }
    System.out.printf(
        "kills of the broker %d, of relays %d; messages %d, lost 0, reordered 0, repeats %d, unexplained %d%n",
        KILLS, KILLS, arrived.size() - repeats, repeats, unexplained.size());
    assertThat(unexplained).isEmpty();
  }

  private static boolean isSoonAfter(long fault, long at) {
    return at >= fault && at - fault <= EXPLAINED.toMillis();
  }
}
