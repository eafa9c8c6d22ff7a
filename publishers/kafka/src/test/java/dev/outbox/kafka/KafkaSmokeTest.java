package dev.outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.message.Message;
import dev.outbox.testkit.InMemoryStore;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One way through the whole, on a real broker: from the outbox to what a consumer sees. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class KafkaSmokeTest {
  private static final int KEYS = 5;
  private static final int EACH = 20;

  @Test
  void what_is_enqueued_arrives_in_the_order_of_its_key() throws Exception {
    TestBroker broker = TestBroker.get();
    String topic = broker.newTopic(Map.of());
    KafkaPublisher kafka =
        KafkaPublisher.create(Map.of("bootstrap.servers", broker.server.bootstrapServers()));
    InMemoryStore store = InMemoryStore.create();
    Outbox outbox = Outbox.builder(store).limits(KafkaPublisher.limits()).build();

    try (Relay relay = Relay.builder(store, kafka).owns(kafka).start()) {
      enqueue(store, outbox, topic);
      while (relay.status().counts().delivered() < KEYS * EACH) {
        assertThat(relay.status().failing()).isEmpty();
        TimeUnit.MILLISECONDS.sleep(10);
      }
    }
    requireOrder(broker.records(topic));
    assertThat(threads()).noneMatch(name -> name.startsWith("kafka-producer-network-thread"));
  }

  private static void enqueue(InMemoryStore store, Outbox outbox, String topic) throws Exception {
    try (Connection transaction = store.begin()) {
      for (int number = 0; number < EACH; number++) {
        for (int key = 0; key < KEYS; key++) {
          outbox.enqueue(
              transaction, Message.to(topic).key("k" + key).text("k" + key + " " + number));
        }
      }
      assertThatIllegalArgumentException()
          .isThrownBy(() -> outbox.enqueue(transaction, Message.to("a/b").text("x")))
          .withMessageStartingWith("topic is 'a/b', Kafka takes");
      transaction.commit();
    }
    outbox.wake();
  }

  private static void requireOrder(List<ConsumerRecord<byte[], byte[]>> records) {
    assertThat(records).hasSize(KEYS * EACH);
    for (int key = 0; key < KEYS; key++) {
      String name = "k" + key;
      List<String> texts = new ArrayList<>();
      for (ConsumerRecord<byte[], byte[]> record : records) {
        if (name.equals(TestBroker.received(record).key())) {
          texts.add(new String(record.value(), StandardCharsets.UTF_8));
        }
      }
      assertThat(texts)
          .isEqualTo(IntStream.range(0, EACH).mapToObj(number -> name + " " + number).toList());
    }
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
  }

  @Test
  void a_configuration_that_weakens_durability_does_not_start() {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(
            () -> KafkaPublisher.create(Map.of("bootstrap.servers", "localhost:9", "acks", "1")))
        .withMessageStartingWith("acks is 1, but");
  }
}
