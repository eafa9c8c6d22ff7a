package dev.outbox.capture;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Relay;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.PostgresWakeup;
import dev.outbox.publish.Publisher;
import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import java.io.FileInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * A relay, a relay that is woken, or the engine, that hands each message to a counter, until its
 * input ends; then it prints what it has counted.
 */
public final class SinkMain {
  private static final int MOST = 200_000;

  private final long[] micros = new long[MOST];
  private final Map<String, Integer> next = new HashMap<>();
  private long cpuBefore;
  private int seen;
  private int wrong;

  private SinkMain() {}

  public static void main(String[] args) throws Exception {
    SinkMain sink = new SinkMain();
    if (args[0].equals("engine")) {
      sink.engine(args[1]);
    } else {
      sink.relay(args);
    }
    sink.print();
  }

  private static long cpuMillis() {
    return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis();
  }

  private void relay(String[] args) throws Exception {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(args[1]);
    config.setUsername(args[2]);
    config.setPassword(args[3]);
    config.setMaximumPoolSize(4);
    try (HikariDataSource dataSource = new HikariDataSource(config);
        PostgresWakeup wakeup = PostgresWakeup.create(dataSource)) {
      JdbcStore.Builder store = JdbcStore.builder(dataSource);
      if (args[0].equals("woken")) {
        store.wakeup(wakeup);
      }
      Publisher publisher =
          Publisher.blocking(
              envelope -> add(String.valueOf(envelope.key()), envelope.payload().bytes()));
      try (Relay relay = Relay.builder(store.build(), publisher).start()) {
        System.out.println(relay.name());
        System.in.transferTo(System.out);
      }
    }
  }

  private void engine(String file) throws Exception {
    Properties settings = new Properties();
    try (InputStream in = new FileInputStream(file)) {
      settings.load(in);
    }
    DebeziumEngine<RecordChangeEvent<SourceRecord>> engine =
        DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
            .using(settings)
            .notifying(event -> add(event.record()))
            .build();
    Thread thread = new Thread(engine, "engine");
    thread.start();
    System.in.transferTo(System.out);
    engine.close();
    thread.join();
  }

  private void add(SourceRecord record) {
    if (record.key() instanceof byte[] key) {
      add(new String(key, StandardCharsets.UTF_8), (byte[]) record.value());
    }
  }

  /** The payload is its number within the key, and when it was written. */
  private synchronized void add(String key, byte[] payload) {
    long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    cpuBefore = seen == 0 ? cpuMillis() : cpuBefore;
    String[] words = new String(payload, StandardCharsets.UTF_8).split(" ", 3);
    micros[seen++] = now - Long.parseLong(words[1]);
    int expected = next.merge(key, 1, Integer::sum) - 1;
    wrong += Integer.parseInt(words[0]) == expected ? 0 : 1;
  }

  private synchronized void print() {
    long[] sorted = Arrays.copyOf(micros, seen);
    Arrays.sort(sorted);
    System.out.printf(
        "seen %d, out of order or twice %d, latency p50 %.1f ms p99 %.1f ms max %.1f ms, cpu since the first %d ms%n",
        seen,
        wrong,
        sorted[seen / 2] / 1000.0,
        sorted[(int) (seen * 0.99)] / 1000.0,
        sorted[seen - 1] / 1000.0,
        cpuMillis() - cpuBefore);
  }
}
