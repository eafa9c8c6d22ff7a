package dev.outbox.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.servers.Database;
import dev.outbox.servers.KafkaServer;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * From a relay to capture and back, by the statements of the page, under load and with a kill of
 * whoever publishes in the middle of each switch. {@code outbox.switches} is how often each way.
 */
class SwitchTest {
  private static final int SWITCHES = Integer.getInteger("outbox.switches", 1);
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(90);

  @TempDir private Path folder;
  private final Random random = new Random(Long.getLong("outbox.switches.seed", 11));
  private final List<Window> windows = new ArrayList<>();
  private Captured captured;
  private KafkaServer kafka;

  /** When somebody else took over, by the clock of the machine. */
  private record Window(long from, long until) {}

  @Test
  void nothing_is_lost_or_reordered_and_repeats_are_within_a_switch() throws Exception {
    try (KafkaServer server = KafkaServer.start();
        Captured database = Captured.on(Database.POSTGRES)) {
      kafka = server;
      captured = database;
      KafkaTopic.create(kafka, Load.TOPIC, 3, true);
      Load load = Load.start(captured.sandbox().pool(4));
      Child publishing = relay();
      for (int number = 1; number <= SWITCHES; number++) {
        enqueueForLater("later-" + number);
        rest(1500);
        publishing = toCapture(publishing);
        rest(1500);
        publishing = toRelay(publishing);
        System.out.printf("switched %d times each way%n", number);
      }
      Map<String, Integer> written = load.stop();
      for (int number = 1; number <= SWITCHES; number++) {
        written.put("later-" + number, 1);
      }
      await(
          "SELECT count(*) = 0 FROM (SELECT id FROM outbox UNION ALL SELECT id FROM outbox_parked) AS l");
      publishing.stop();
      judge(written, KafkaTopic.records(kafka, Load.TOPIC));
    }
  }

  /** Due while the switch is under way: a reader does not see it before. */
  private void enqueueForLater(String key) throws SQLException {
    captured.execute(
        "INSERT INTO outbox_delayed (lane, topic, msg_key, payload, due_at) VALUES (0, '%s', '%s', '0', now() + interval '10 s')"
            .formatted(Load.TOPIC, key));
  }

  private Child toCapture(Child relay) throws Exception {
    long begun = System.currentTimeMillis();
    relay.kill(); // what waits now is not in the part of the log that the reader sees
    rest(300);
    captured.run("postgresql.sql");
    long last = number(Captured.text("from-relay-1.sql"));
    Child killed = relay();
    rest(300);
    killed.kill();
    Child other = relay();
    await(
        "SELECT 0 = (%s)"
            .formatted(
                Captured.text("from-relay-2.sql")
                    .replaceAll("--.*\n|;", "")
                    .replace(":last", String.valueOf(last))));
    other.stop();
    assertThat(number("SELECT count(*) FROM outbox_delayed")).as("seen by no reader").isZero();
    Files.deleteIfExists(folder.resolve("offsets")); // that of the capture before
    Child engine = engine();
    rest(4000);
    engine.kill();
    engine = engine();
    awaitRead(number("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn"));
    windows.add(new Window(begun, System.currentTimeMillis()));
    return engine;
  }

  private Child toRelay(Child engine) throws Exception {
    long begun = System.currentTimeMillis();
    String[] statements =
        Captured.text("from-capture-1.sql").replaceAll("--.*\n", "").split(";\\s*", -1);
    captured.execute(statements[0]);
    String position = text(statements[1]);
    engine.kill();
    Child other = engine();
    await(
        Captured.text("from-capture-2.sql")
            .replaceAll("--.*\n", "")
            .replace(":position", "'" + position + "'")
            .replace("'outbox'", "'" + captured.slot() + "'"));
    other.stop();
    Child relay = relay();
    rest(2500);
    relay.kill();
    relay = relay();
    awaitSlotIsFree();
    captured.run("from-capture-3.sql");
    long last = number("SELECT coalesce(max(id), 0) FROM outbox");
    await("SELECT count(*) = 0 FROM outbox WHERE id <= " + last);
    windows.add(new Window(begun, System.currentTimeMillis()));
    return relay;
  }

  private Child relay() throws Exception {
    return Child.start(
        RelayMain.class,
        folder.resolve("relay.log"),
        kafka.bootstrapServers(),
        captured.sandbox().url(),
        captured.sandbox().user(),
        captured.sandbox().password());
  }

  private Child engine() throws Exception {
    Properties settings = captured.connector(folder, "message");
    settings.setProperty(
        "offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
    settings.setProperty("heartbeat.interval.ms", "500");
    Path file = folder.resolve("engine.properties");
    try (OutputStream out = Files.newOutputStream(file)) {
      settings.store(out, null);
    }
    return Child.start(
        EngineMain.class, folder.resolve("engine.log"), kafka.bootstrapServers(), file.toString());
  }

  private void rest(int millis) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(millis / 2 + random.nextInt(millis));
  }

  private void awaitRead(long position) throws Exception {
    await(
        "SELECT coalesce(confirmed_flush_lsn - '0/0'::pg_lsn, 0) >= %d FROM pg_replication_slots WHERE slot_name = '%s'"
            .formatted(position, captured.slot()));
  }

  private void awaitSlotIsFree() throws Exception {
    await(
        "SELECT NOT active FROM pg_replication_slots WHERE slot_name = '%s'"
            .formatted(captured.slot()));
  }

  private void await(String question) throws Exception {
    long end = System.nanoTime() + PATIENCE;
    while (!text(question).equals("t")) {
      assertThat(System.nanoTime()).as("%s; %s", question, logs()).isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  private String logs() throws Exception {
    StringBuilder logs = new StringBuilder();
    for (String name : List.of("relay.log", "engine.log")) {
      Path log = folder.resolve(name);
      logs.append(Files.exists(log) ? Files.readString(log, StandardCharsets.UTF_8) : "");
    }
    return logs.toString();
  }

  private long number(String question) throws SQLException {
    return new BigDecimal(text(question)).longValue();
  }

  private String text(String question) throws SQLException {
    try (Connection connection = captured.sandbox().open();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(question)) {
      rows.next();
      return rows.getString(1);
    }
  }

  private void judge(Map<String, Integer> written, List<ConsumerRecord<byte[], byte[]>> records) {
    Map<String, Integer> next = new HashMap<>();
    Set<String> ids = new HashSet<>();
    int repeats = 0;
    for (ConsumerRecord<byte[], byte[]> record : records) {
      String key = new String(record.key(), StandardCharsets.UTF_8);
      int number = Integer.parseInt(new String(record.value(), StandardCharsets.UTF_8));
      int expected = next.getOrDefault(key, 0);
      assertThat(number).as("of key %s after %d", key, expected - 1).isLessThanOrEqualTo(expected);
      if (number == expected) {
        next.put(key, number + 1);
        assertThat(ids.add(KafkaTopic.header(record, "message-id"))).as("a new id").isTrue();
      } else {
        repeats++;
        assertThat(ids.contains(KafkaTopic.header(record, "message-id")))
            .as("a repeat has the id of the first")
            .isTrue();
        assertThat(windows)
            .as("a repeat at %d", record.timestamp())
            .anyMatch(
                window ->
                    window.from() <= record.timestamp() && record.timestamp() <= window.until());
      }
    }
    assertThat(next).isEqualTo(written);
    System.out.printf(
        "switches each way %d, messages %d, lost 0, reordered 0, repeats %d, all within a switch%n",
        SWITCHES, ids.size(), repeats);
  }
}
