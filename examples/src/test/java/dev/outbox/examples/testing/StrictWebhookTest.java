package dev.outbox.examples.testing;

import static dev.outbox.testkit.assertj.KitAssertions.assertThat;

import dev.outbox.DeadLetter.Reason;
import dev.outbox.Outbox;
import dev.outbox.message.Message;
import dev.outbox.testkit.InMemoryStore;
import dev.outbox.testkit.ManualRelay;
import java.sql.Connection;
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
        relay.drainNow();
      }
    }
    assertThat(store)
        .hasDeadLetter("orders.placed")
        .withReason(Reason.REJECTED)
        .withError("refused by the server");
  }
}
