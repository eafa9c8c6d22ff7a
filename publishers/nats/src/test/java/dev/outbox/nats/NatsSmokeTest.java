package dev.outbox.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.message.Message;
import dev.outbox.testkit.InMemoryStore;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One way through the whole, on a real broker: from the outbox to what a consumer sees. */
@Tag("proof")
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class NatsSmokeTest {
  private static final int KEYS = 5;
  private static final int EACH = 20;

  @Test
  void what_is_enqueued_arrives_in_the_order_of_its_key() throws Exception {
    TestBroker broker = TestBroker.get();
    String subject = broker.newSubject();
    NatsPublisher nats = NatsPublisher.create(broker.options());
    InMemoryStore store = InMemoryStore.create();
    Outbox outbox = Outbox.builder(store).limits(NatsPublisher.limits()).build();

    try (Relay relay = Relay.builder(store, nats).owns(nats).start()) {
      enqueue(store, outbox, subject);
      while (relay.status().counts().delivered() < KEYS * EACH) {
        assertThat(relay.status().failing()).isEmpty();
        TimeUnit.MILLISECONDS.sleep(10);
      }
    }
    requireOrder(broker.messages(subject));
    requireNoThread("nats");
  }

  private static void enqueue(InMemoryStore store, Outbox outbox, String subject) throws Exception {
    try (Connection transaction = store.begin()) {
      for (int number = 0; number < EACH; number++) {
        for (int key = 0; key < KEYS; key++) {
          outbox.enqueue(
              transaction, Message.to(subject).key("k" + key).text("k" + key + " " + number));
        }
      }
      assertThatIllegalArgumentException()
          .isThrownBy(() -> outbox.enqueue(transaction, Message.to("an order").text("x")))
          .withMessageContaining("subject is 'an order'");
      transaction.commit();
    }
    outbox.wake();
  }

  private static void requireOrder(List<io.nats.client.Message> messages) {
    assertThat(messages).hasSize(KEYS * EACH);
    for (int key = 0; key < KEYS; key++) {
      String name = "k" + key;
      List<String> texts = new ArrayList<>();
      for (io.nats.client.Message message : messages) {
        if (name.equals(TestBroker.received(message).key())) {
          texts.add(new String(message.getData(), StandardCharsets.UTF_8));
        }
      }
      assertThat(texts)
          .isEqualTo(IntStream.range(0, EACH).mapToObj(number -> name + " " + number).toList());
    }
  }

  /** Those of a client end shortly after its close. */
  private static void requireNoThread(String named) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (threads().stream().anyMatch(name -> name.startsWith(named)) && System.nanoTime() < end) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
    assertThat(threads()).noneMatch(name -> name.startsWith(named));
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
  }
}
