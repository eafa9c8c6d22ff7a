package dev.outbox.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.servers.Database;
import dev.outbox.servers.KafkaServer;
import dev.outbox.servers.Sandbox;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The project {@code first-message} in its own process, on PostgreSQL and Kafka. */
final class Demo implements AutoCloseable {
  static final Path PROJECT = Path.of("src/test/resources/first-message");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Path log;
  private final KafkaServer kafka = KafkaServer.start();
  private final Sandbox database = Database.POSTGRES.sandbox();
  private final Topic topic;
  private final Process process;

  private Demo(Path home, String... words) throws Exception {
    this.log = home.resolve("demo.log");
    this.topic = Topic.create(kafka, "orders.placed");
    this.process = run(words);
  }

  /** Starts it with these options and arguments of {@code java}. */
  static Demo start(Path home, String... words) throws Exception {
    return new Demo(home, words);
  }

  private Process run(String... words) throws IOException {
    List<String> all = new ArrayList<>();
    all.add(ProcessHandle.current().info().command().orElse("java"));
    all.add("-XX:TieredStopAtLevel=1");
    all.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(all);
    builder.environment().put("SPRING_DATASOURCE_URL", database.url());
    builder.environment().put("SPRING_DATASOURCE_USERNAME", database.user());
    builder.environment().put("SPRING_DATASOURCE_PASSWORD", database.password());
    builder.environment().put("OUTBOX_KAFKA_BOOTSTRAPSERVERS", kafka.bootstrapServers());
    return builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
  }

  /** Waits until so many orders have arrived, and no more. */
  void awaitArrived(int orders) throws Exception {
    List<ConsumerRecord<String, String>> records = topic.records();
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (records.size() < orders && System.nanoTime() < end) {
      process.waitFor(200, TimeUnit.MILLISECONDS);
      records = topic.records();
    }
    assertThat(records)
        .as(log())
        .hasSize(orders)
        .allSatisfy(
            record -> assertThat(record.value()).startsWith("{\"id\":\"42\",\"placed\":\"2"));
  }

  /** Waits until it has logged so many lines with {@code words}. */
  void awaitLogged(String words, int times) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (logged(words) < times && System.nanoTime() < end) {
      process.waitFor(100, TimeUnit.MILLISECONDS);
    }
    assertThat(logged(words)).as(log()).isEqualTo(times);
  }

  private long logged(String words) throws IOException {
    return log().lines().filter(line -> line.contains(words)).count();
  }

  String log() throws IOException {
    return Files.readString(log);
  }

  @Override
  public void close() {
    process.destroyForcibly();
    database.close();
    kafka.close();
  }
}
