package dev.outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.publish.Ack;
import dev.outbox.testkit.InMemoryStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code of the page runs, and the page tells the truth about settings. */
class KafkaPageTest {
  private static final Path PAGE = Path.of("../../docs/brokers/kafka.md");

  @Test
  void the_lines_to_start_run_where_no_broker_is() throws Exception {
    InMemoryStore store = InMemoryStore.create();
    try (Connection transaction = store.begin()) {
      KafkaPage.start(store).enqueue(transaction, Message.to("orders").text("x"));
      transaction.commit();
    }
    KafkaPage.mapped(Map.of("bootstrap.servers", "localhost:9")).close();
    assertThat(store.snapshot(10).ready()).isOne();
  }

  @Test
  void the_settings_of_a_login_are_those_that_kafka_knows(@TempDir Path folder) throws Exception {
    Path certificate = Files.writeString(folder.resolve("ca.pem"), certificate(folder));

    Map<String, Object> config = KafkaPage.secured("localhost:9", certificate, "secret");

    assertThat(ProducerConfig.configNames()).containsAll(config.keySet());
    KafkaPublisher.create(config).close(); // reads the file and makes the login module
  }

  private static String certificate(Path folder) throws Exception {
    Path keys = folder.resolve("keys.p12");
    String tool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    String store = "-keystore %s -storepass secret -alias ca".formatted(keys);
    keytool(tool + " -genkeypair -keyalg RSA -dname CN=ca " + store);
    return keytool(tool + " -exportcert -rfc " + store);
  }

  private static String keytool(String command) throws Exception {
    Process process = new ProcessBuilder(command.split(" ", -1)).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  @Test
  void an_empty_payload_is_a_tombstone_only_with_the_interceptor() throws Exception {
    TestBroker broker = TestBroker.get();
    String topic = broker.newTopic(Map.of("cleanup.policy", "compact"));
    Map<String, Object> plain = Map.of("bootstrap.servers", broker.server.bootstrapServers());
    Map<String, Object> tombstones = new HashMap<>(plain);
    tombstones.put("interceptor.classes", KafkaPage.Tombstones.class.getName());

    send(plain, KafkaEnvironment.message(topic, "42", new byte[0]));
    send(tombstones, KafkaEnvironment.message(topic, "42", new byte[] {1}));
    send(tombstones, KafkaEnvironment.message(topic, "42", new byte[0]));

    assertThat(broker.records(topic))
        .extracting(ConsumerRecord::value)
        .containsExactly(new byte[0], new byte[] {1}, null);
    assertThat(broker.records(topic))
        .allSatisfy(record -> assertThat(record.headers().lastHeader("message-id")).isNotNull());
  }

  private static void send(Map<String, Object> config, Envelope envelope) throws Exception {
    try (KafkaPublisher kafka = KafkaPublisher.create(config)) {
      ManyFlight flight = new ManyFlight(List.of(envelope), Duration.ofSeconds(30));
      kafka.publish(flight);
      assertThat(flight.await().get(0)).isInstanceOf(Ack.Delivered.class);
    }
  }

  @Test
  void every_setting_that_is_set_is_on_the_page() throws Exception {
    String page = Files.readString(PAGE);
    ProducerSettings.of(Map.of(), Duration.ofSeconds(30))
        .config()
        .keySet()
        .forEach(name -> assertThat(page).contains("`" + name + "`"));
  }
}
