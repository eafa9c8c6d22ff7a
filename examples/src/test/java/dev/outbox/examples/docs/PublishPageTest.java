package dev.outbox.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.examples.pages.Watched;
import dev.outbox.message.Message;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.InMemoryStore;
import java.sql.Connection;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Runs the code of docs/publish-to-your-broker.md that is not of the webhooks. */
class PublishPageTest {
  @Test
  void a_send_is_measured_and_its_client_is_closed_with_the_relay() throws Exception {
    InMemoryStore store = InMemoryStore.create();
    BlockingQueue<String> measured = new LinkedBlockingQueue<>();
    AtomicBoolean closed = new AtomicBoolean();
    try (var relay =
            Watched.start(
                store,
                InMemoryBroker.create().publisher(),
                () -> closed.set(true),
                (topic, nanos) -> measured.add(topic));
        Connection transaction = store.begin()) {
      assertThat(relay.name()).isNotEmpty();
      Outbox.create(store).enqueue(transaction, Message.to("orders.placed").text("placed"));
      transaction.commit();
      assertThat(measured.poll(20, TimeUnit.SECONDS)).isEqualTo("orders.placed");
      assertThat(closed).isFalse();
    }
    assertThat(closed).isTrue();
  }
}
