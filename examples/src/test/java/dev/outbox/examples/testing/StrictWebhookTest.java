package dev.outbox.examples.testing;

import static dev.outbox.testkit.assertj.KitAssertions.assertThat;

import dev.outbox.DeadLetter.Reason;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.Outbox;
import dev.outbox.message.Message;
import dev.outbox.testkit.InMemoryStore;
import dev.outbox.testkit.ManualRelay;
import java.sql.Connection;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StrictWebhookTest {
  @Test
  void what_is_refused_is_a_dead_letter_at_once() throws Exception {
    InMemoryStore store = InMemoryStore.create();
    try (WebhookServer server = new WebhookServer(uri -> new MoreWebhooks(uri).strict());
        Connection transaction = store.begin()) {
      server.refusal().orElseThrow().refuse(id -> true);
      Outbox.create(store).enqueue(transaction, Message.to("orders.placed").text("placed"));
      transaction.commit();
      try (ManualRelay relay = ManualRelay.of(store, server.publisher())) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (store.deadLetters().page(Filter.all(), 0, 1).isEmpty()
            && System.nanoTime() < deadline) {
          relay.drainNow();
        }
      }
    }
    assertThat(store)
        .hasDeadLetter("orders.placed")
        .withReason(Reason.REJECTED)
        .withError("refused by the server");
  }
}
