package dev.outbox.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.message.Message;
import dev.outbox.message.Payload;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.InMemoryStore;
import dev.outbox.testkit.ManualRelay;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Runs the code of docs/payloads.md. */
class PayloadsPageTest {
  record Placed(Instant at, LocalDate day, Duration within, Optional<String> coupon) {}

  private static List<Message> messages(Placed placed, byte[] avro) {
    return List.of(
        Message.to("orders.placed").payload(placed),
        Message.to("orders.changed").json("{\"id\":42}"),
        Message.to("mails").text("Hello Ann"),
        Message.to("orders.archived").bytes(avro, "application/avro"));
  }

  @Test
  void each_kind_is_stored_with_its_content_type() throws Exception {
    Placed placed =
        new Placed(
            Instant.parse("2026-03-01T10:15:30Z"),
            LocalDate.of(2026, 3, 1),
            Duration.ofMinutes(90),
            Optional.empty());
    InMemoryStore store = InMemoryStore.create();
    InMemoryBroker broker = InMemoryBroker.create();
    try (Connection transaction = store.begin()) {
      Outbox.create(store).enqueue(transaction, messages(placed, new byte[] {1, 2, 3}));
      transaction.commit();
    }
    try (ManualRelay relay = ManualRelay.of(store, broker.publisher())) {
      relay.drainNow();
    }

    List<Payload> payloads =
        broker.messages().stream().map(message -> message.envelope().payload()).toList();
    assertThat(payloads)
        .extracting(Payload::contentType)
        .containsExactlyInAnyOrder(
            "application/json",
            "application/json",
            "text/plain; charset=utf-8",
            "application/avro");
    String shown =
        "{\"at\":\"2026-03-01T10:15:30Z\",\"day\":\"2026-03-01\",\"within\":\"PT1H30M\",\"coupon\":null}";
    assertThat(payloads).extracting(Payload::text).contains(shown, "{\"id\":42}", "Hello Ann");
    assertThat(Page.read(Page.ROOT.resolve("docs/payloads.md"))).contains(shown);
  }
}
