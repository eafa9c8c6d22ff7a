package dev.outbox.examples.readme;

import dev.outbox.Outbox;
import dev.outbox.message.Message;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.InMemoryStore;
import dev.outbox.testkit.ManualRelay;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** The README's test without a database, a thread or a sleep. */
public final class TestYourCode {
  private TestYourCode() {}

  /** What the broker received of one order. */
  public static List<String> run() throws SQLException {
    // tag::test[]
    InMemoryStore store = InMemoryStore.create();
    InMemoryBroker broker = InMemoryBroker.create();
    Outbox outbox = Outbox.create(store);

    try (Connection connection = store.begin()) {
      outbox.enqueue(connection, Message.to("orders.placed").key("42").text("placed"));
      connection.commit();
    }
    try (ManualRelay relay = ManualRelay.of(store, broker.publisher())) {
      relay.drainNow();
    }
    List<String> received = broker.texts("orders.placed", "42"); // [placed]
    // end::test[]
    return received;
  }
}
