package dev.outbox.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.MessageId;
import dev.outbox.servers.Database;
import dev.outbox.servers.KafkaServer;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.connect.cli.ConnectStandalone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kafka Connect in a process of its own, with the connector and our three jars in its plugin path,
 * sends the rows of PostgreSQL to a real Kafka, and is killed once.
 */
class ConnectTest {
  private static final Pattern PLUGIN =
      Pattern.compile(
          ".*(debezium-(?!embedded)|postgresql|protobuf|antlr|outbox-(core|kafka|debezium)-|"
              + "(outbox-core|publishers/kafka|integrations/debezium)/target/classes).*");

  @TempDir private Path folder;

  @Test
  void Kafka_Connect_sends_what_the_writers_commit_in_order() throws Exception {
    try (KafkaServer kafka = KafkaServer.start();
        Captured captured = Captured.on(Database.POSTGRES)) {
      KafkaTopic.create(kafka, Load.TOPIC, 3, false);
      captured.run("postgresql.sql");
      Load load = Load.start(captured.sandbox().pool(4));
      Child connect = connect(captured, kafka);
      awaitRecords(kafka, 1, connect);
      connect.kill();
      connect = connect(captured, kafka);
      int before = KafkaTopic.records(kafka, Load.TOPIC).size();
      awaitRecords(kafka, before + 500, connect);
      Map<String, Integer> written = load.stop();
      int all = written.values().stream().mapToInt(Integer::intValue).sum();
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (!read(kafka).equals(written)) {
        assertThat(System.nanoTime()).as(() -> log(folder)).isLessThan(end);
        TimeUnit.MILLISECONDS.sleep(200);
      }
      connect.kill();
      System.out.printf(
          "Kafka Connect: messages %d, records %d, lost 0, reordered 0%n",
          all, KafkaTopic.records(kafka, Load.TOPIC).size());
      assertHeaders(KafkaTopic.records(kafka, Load.TOPIC).get(0));
    }
  }

  private static void assertHeaders(ConsumerRecord<byte[], byte[]> record) {
    String id = KafkaTopic.header(record, "message-id");
    assertThat(id).hasSize(36);
    assertThat(KafkaTopic.header(record, "content-type")).isEqualTo("text/plain; charset=utf-8");
    assertThat(record.headers().toArray()).hasSize(2);
    long made = MessageId.parse(id).madeAt().orElseThrow().toEpochMilli();
    assertThat(record.timestamp()).isEqualTo(made);
  }

  /** How many of each key came in their order; repeats are left out. */
  private static Map<String, Integer> read(KafkaServer kafka) {
    Map<String, Integer> next = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> record : KafkaTopic.records(kafka, Load.TOPIC)) {
      String key = new String(record.key(), StandardCharsets.UTF_8);
      int number = Integer.parseInt(new String(record.value(), StandardCharsets.UTF_8));
      int expected = next.getOrDefault(key, 0);
      assertThat(number).as("of key %s", key).isLessThanOrEqualTo(expected);
      next.put(key, Math.max(expected, number + 1));
    }
    return next;
  }

  private static void awaitRecords(KafkaServer kafka, int count, Child connect) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (KafkaTopic.records(kafka, Load.TOPIC).size() < count) {
      assertThat(connect.process().isAlive()).as(() -> read(connect.log())).isTrue();
      assertThat(System.nanoTime()).as(() -> read(connect.log())).isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(200);
    }
  }

  private Child connect(Captured captured, KafkaServer kafka) throws IOException {
    Path plugins = Files.createDirectories(folder.resolve("plugins/debezium"));
    List<String> classPath = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (PLUGIN.matcher(entry).matches()) {
        install(Path.of(entry), plugins);
      } else if (entry.endsWith(".jar")) {
        classPath.add(entry);
      }
    }
    Properties worker = new Properties();
    worker.setProperty("bootstrap.servers", kafka.bootstrapServers());
    worker.setProperty("plugin.path", plugins.getParent().toString());
    worker.setProperty(
        "plugin.discovery", "service_load"); // a scan takes a minute of a busy machine
    worker.setProperty("listeners", "HTTP://127.0.0.1:" + freePort());
    worker.setProperty("offset.storage.file.filename", folder.resolve("offsets").toString());
    worker.setProperty("offset.flush.interval.ms", "500");
    worker.setProperty("key.converter", "org.apache.kafka.connect.json.JsonConverter");
    worker.setProperty("value.converter", "org.apache.kafka.connect.json.JsonConverter");
    Properties connector = captured.connector(folder, "message");
    connector.setProperty("topic.creation.default.replication.factor", "1");
    connector.setProperty("topic.creation.default.partitions", "1");
    return Child.start(
        ConnectStandalone.class,
        String.join(File.pathSeparator, classPath),
        folder.resolve("connect.log"),
        stored(worker, "worker"),
        stored(connector, "connector"));
  }

  private String stored(Properties settings, String name) throws IOException {
    Path file = folder.resolve(name + ".properties");
    try (OutputStream out = Files.newOutputStream(file)) {
      settings.store(out, null);
    }
    return file.toString();
  }

  /** A jar as it is; classes that the build has not packed yet as one. */
  private static void install(Path entry, Path plugins) throws IOException {
    boolean packed = Files.isRegularFile(entry);
    Path target =
        plugins.resolve(
            packed
                ? entry.getFileName().toString()
                : entry.getParent().getParent().getFileName() + ".jar");
    if (Files.exists(target)) {
      return;
    }
    if (packed) {
      Files.copy(entry, target);
      return;
    }
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(target));
        Stream<Path> files = Files.walk(entry)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        jar.putNextEntry(new ZipEntry(entry.relativize(file).toString()));
        Files.copy(file, jar);
      }
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static String log(Path folder) {
    return read(folder.resolve("connect.log"));
  }

  private static String read(Path log) {
    try {
      String text = Files.readString(log);
      return text.substring(Math.max(0, text.length() - 6000));
    } catch (IOException e) {
      return e.toString();
    }
  }
}
