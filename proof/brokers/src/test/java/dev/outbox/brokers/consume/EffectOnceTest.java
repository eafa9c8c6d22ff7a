package dev.outbox.brokers.consume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Inbox;
import dev.outbox.brokers.BrokerKind;
import dev.outbox.brokers.HandSender;
import dev.outbox.brokers.RelayMain;
import dev.outbox.brokers.TestBroker;
import dev.outbox.brokers.judge.Load;
import dev.outbox.jdbc.JdbcInbox;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.MessageId;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * From the outbox over a broker to an effect: relays, consumers and the broker are killed, and each
 * effect happens once. {@code -Doutbox.effectkills=5} is the dose of a soak.
 */
@Tag("proof")
@Order(2)
class EffectOnceTest {
  private static final int KILLS = Integer.getInteger("outbox.effectkills", 2);
  private static final Duration STANDSTILL = Duration.ofMinutes(2);

  @TempDir private Path folder;
  private final Random random = new Random(11);
  private int processes;

  @ParameterizedTest
  @EnumSource
  void an_effect_happens_once_whoever_is_killed(ConsumerMain.Way way) throws Exception {
    way.kind.whyNot().ifPresent(Assumptions::abort);
    try (TestBroker broker = way.kind.start();
        Sandbox sandbox = Database.POSTGRES.sandbox()) {
      DataSource dataSource = prepared(sandbox);
      Load load = Load.start(dataSource);
      Process relay = relay(way.kind, broker, sandbox);
      Process consumer = consumer(way, broker, sandbox);
      for (int kill = 1; kill <= KILLS; kill++) {
        rest();
        kill(relay);
        relay = relay(way.kind, broker, sandbox);
        rest();
        kill(consumer);
        consumer = consumer(way, broker, sandbox);
        rest();
        broker.kill();
        broker.restart();
      }
      load.stopAndDrain();
      awaitEffects(dataSource, load.written());
      kill(relay);
      kill(consumer);
      Effects effects = Effects.of(dataSource);
      System.out.printf(
          "%s: %d kills each of relay, consumer and broker; messages %d, effects %d, repeated"
              + " effects %d%n",
          way, KILLS, load.written(), effects.different(), effects.repeated());
      assertThat(effects).isEqualTo(new Effects(load.written(), 0));
    }
  }

  /** Twice the same message: it arrives twice, and without an inbox its effect happens twice. */
  @ParameterizedTest
  @EnumSource(names = {"KAFKA_CONSUMER", "RABBIT_CLIENT"})
  void a_repeat_is_seen_without_the_inbox_and_not_with_it(ConsumerMain.Way way) throws Exception {
    way.kind.whyNot().ifPresent(Assumptions::abort);
    try (TestBroker broker = way.kind.start();
        Sandbox sandbox = Database.POSTGRES.sandbox()) {
      DataSource dataSource = prepared(sandbox);
      HandSender.Row row = row(MessageId.next(), "item");
      try (HandSender sender = broker.handSender()) {
        sender.send(row);
        sender.send(row);
        sender.await();
      }
      List<TestBroker.Arrived> arrived = broker.arrived();
      assertThat(effects(dataSource, arrived, false)).isEqualTo(new Effects(1, 1));
      assertThat(effects(dataSource, arrived, true)).isEqualTo(new Effects(1, 0));
    }
  }

  /** It is put aside in the transaction, and acknowledged, so that the next one is handled. */
  @ParameterizedTest
  @EnumSource
  void what_is_older_than_the_receipts_is_put_aside_and_not_handled(ConsumerMain.Way way)
      throws Exception {
    way.kind.whyNot().ifPresent(Assumptions::abort);
    try (TestBroker broker = way.kind.start();
        Sandbox sandbox = Database.POSTGRES.sandbox()) {
      DataSource dataSource = prepared(sandbox);
      Instant old = Instant.now().minus(Duration.ofDays(31));
      MessageId tooOld =
          new MessageId(new UUID(old.toEpochMilli() << 16 | 0x7000, Long.MIN_VALUE | 1));
      try (HandSender sender = broker.handSender()) {
        sender.send(row(tooOld, "old"));
        sender.send(row(MessageId.next(), "new"));
        sender.await();
      }
      Process consumer = consumer(way, broker, sandbox);
      awaitEffects(dataSource, 1);
      kill(consumer);
      assertThat(texts(dataSource, "SELECT item FROM bill")).containsExactly("new");
      assertThat(texts(dataSource, "SELECT message_id FROM aside"))
          .containsExactly(tooOld.toString());
    }
  }

  private static HandSender.Row row(MessageId id, String item) {
    return new HandSender.Row(
        id.value(), TestBroker.TOPIC, "k1", "text/plain", item.getBytes(StandardCharsets.UTF_8));
  }

  private static List<String> texts(DataSource dataSource, String query) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      List<String> texts = new ArrayList<>();
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
      return texts;
    }
  }

  private static Effects effects(
      DataSource dataSource, List<TestBroker.Arrived> arrived, boolean byInbox) throws Exception {
    Inbox inbox = Inbox.create(JdbcInbox.create(dataSource));
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("DELETE FROM bill");
      connection.setAutoCommit(false);
      for (TestBroker.Arrived each : arrived) {
        if (byInbox) {
          inbox.once(
              connection,
              Billing.CONSUMER,
              MessageId.parse(each.id()),
              transaction -> Billing.bill(transaction, each.text()));
        } else {
          Billing.bill(connection, each.text());
        }
        connection.commit();
      }
    }
    return Effects.of(dataSource);
  }

  private static DataSource prepared(Sandbox sandbox) throws SQLException {
    DataSource dataSource = sandbox.pool(6);
    Schema.builder(dataSource).with(Schema.Part.RECEIPT).create();
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(Billing.TABLE);
      statement.execute(Billing.ASIDE);
    }
    return dataSource;
  }

  private Path log() {
    return folder.resolve("process-" + processes++ + ".log");
  }

  private Process relay(BrokerKind kind, TestBroker broker, Sandbox sandbox) throws Exception {
    return RelayMain.start(kind, broker.address(), sandbox, log());
  }

  private Process consumer(ConsumerMain.Way way, TestBroker broker, Sandbox sandbox)
      throws Exception {
    return ConsumerMain.start(way, broker.address(), sandbox, log());
  }

  private static void kill(Process process) throws InterruptedException {
    assertThat(process.isAlive()).as("it lives until it is killed").isTrue();
    process.destroyForcibly().waitFor();
  }

  private void rest() throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(random.nextInt(2000, 4000));
  }

  private static void awaitEffects(DataSource dataSource, int messages) throws Exception {
    int before = -1;
    long end = 0;
    for (int now = 0; now < messages; now = Effects.of(dataSource).different()) {
      if (now > before) {
        before = now;
        end = System.nanoTime() + STANDSTILL.toNanos();
      }
      assertThat(System.nanoTime())
          .as("%d effects of %d messages, and no other within %s", now, messages, STANDSTILL)
          .isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(200);
    }
    TimeUnit.SECONDS.sleep(3); // a repeat may still be on its way
  }

  /** How many different effects there are, and how many rows more than those. */
  private record Effects(int different, int repeated) {
    static Effects of(DataSource dataSource) throws SQLException {
      try (Connection connection = dataSource.getConnection();
          Statement statement = connection.createStatement();
          ResultSet counts =
              statement.executeQuery("SELECT count(DISTINCT item), count(*) FROM bill")) {
        counts.next();
        return new Effects(counts.getInt(1), counts.getInt(2) - counts.getInt(1));
      }
    }
  }
}
