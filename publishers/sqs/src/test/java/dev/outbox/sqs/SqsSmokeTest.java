package dev.outbox.sqs;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One way through the whole, on a real server: from the outbox to what a consumer sees. */
@Tag("proof")
class SqsSmokeTest {
  private static final int KEYS = 15;
  private static final int EACH = 20;

  @Test
  void what_is_enqueued_arrives_in_the_order_of_its_key() throws Exception {
    TestQueues queues = TestQueues.get();
    String queue = queues.newQueue(true);
    InMemoryStore store = InMemoryStore.create();
    Outbox outbox = Outbox.builder(store).limits(SqsPublisher.limits()).build();
    SqsPublisher sqs = SqsPublisher.builder(queues.client).queue(queue).build();
    try (Connection transaction = store.begin()) {
      for (int number = 0; number < EACH; number++) {
        for (int key = 0; key < KEYS; key++) {
          outbox.enqueue(
              transaction, Message.to("orders").key("k" + key).text(String.valueOf(number)));
        }
      }
      transaction.commit();
    }
    try (Relay relay = Relay.builder(store, sqs).owns(sqs).start()) {
      assertThat(store.await(left -> left.isDrained(), Duration.ofSeconds(60)))
          .as("delivered: %s", relay.status())
          .isTrue();
    }
    Map<String, List<String>> texts = new HashMap<>();
    for (Received each : new Inbox(queues.client, queue).received()) {
      texts
          .computeIfAbsent(each.key(), key -> new ArrayList<>())
          .add(new String(each.bytes(), StandardCharsets.UTF_8));
    }
    List<String> expected = IntStream.range(0, EACH).mapToObj(String::valueOf).toList();
    assertThat(texts).hasSize(KEYS);
    assertThat(texts.values()).allSatisfy(each -> assertThat(each).isEqualTo(expected));
  }
}
