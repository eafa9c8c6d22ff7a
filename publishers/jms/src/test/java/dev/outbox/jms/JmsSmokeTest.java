package dev.outbox.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.message.Message;
import dev.outbox.testkit.InMemoryStore;
import dev.outbox.testkit.contract.Received;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.Test;

/** One way through the whole, on a real broker: from the outbox to what a consumer sees. */
class JmsSmokeTest {
  private static final int KEYS = 5;
  private static final int EACH = 20;

  @Test
  void what_is_enqueued_arrives_in_the_order_of_its_key() throws Exception {
    TestBroker broker = TestBroker.get();
    String queue = TestBroker.newQueue();
    InMemoryStore store = InMemoryStore.create();
    Outbox outbox = Outbox.builder(store).limits(JmsPublisher.limits()).build();
    try (ActiveMQConnectionFactory factory = broker.factory()) {
      JmsPublisher jms = JmsPublisher.create(factory);
      try (Relay relay = Relay.builder(store, jms).owns(jms).start()) {
        enqueue(store, outbox, queue);
        assertThat(store.await(left -> left.isDrained(), Duration.ofSeconds(30)))
            .as("delivered: %s", relay.status())
            .isTrue();
      }
    }
    requireOrder(broker.received(queue));
  }

  private static void enqueue(InMemoryStore store, Outbox outbox, String queue) throws Exception {
    try (Connection transaction = store.begin()) {
      for (int number = 0; number < EACH; number++) {
        for (int key = 0; key < KEYS; key++) {
          outbox.enqueue(
              transaction,
              Message.to(queue)
                  .key("k" + key)
                  .header("trace-id", "7")
                  .text(String.valueOf(number)));
        }
      }
      Message odd = Message.to(queue).header("a b", "x").text("x");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> outbox.enqueue(transaction, odd))
          .withMessageContaining("can be no property of JMS");
      transaction.commit();
    }
    outbox.wake();
  }

  private static void requireOrder(List<Received> all) {
    Map<String, List<String>> texts = new HashMap<>();
    for (Received each : all) {
      assertThat(each.headers())
          .containsEntry("trace-id", "7")
          .containsKeys("JMSType", "contentType", "messageId", "_AMQ_DUPL_ID");
      texts
          .computeIfAbsent(each.key(), key -> new ArrayList<>())
          .add(new String(each.bytes(), StandardCharsets.UTF_8));
    }
    assertThat(texts).hasSize(KEYS);
    List<String> expected = IntStream.range(0, EACH).mapToObj(String::valueOf).toList();
    assertThat(texts.values()).allSatisfy(each -> assertThat(each).isEqualTo(expected));
  }
}
