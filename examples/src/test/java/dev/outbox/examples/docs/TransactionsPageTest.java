package dev.outbox.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.examples.pages.Transacting;
import dev.outbox.examples.pages.Transacting.Order;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.ManualRelay;
import java.sql.Connection;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;

/** Runs the code of docs/transactions.md that needs no framework. */
class TransactionsPageTest {
  @Test
  void each_way_enqueues_once() throws Exception {
    try (Sandbox sandbox = Database.H2.sandbox()) {
      DataSource dataSource = prepared(sandbox);
      JdbcStore store = JdbcStore.create(dataSource);
      Outbox outbox = Outbox.create(store);
      Transacting.byHand(dataSource, outbox, new Order("1", 10));
      Transacting.byHelper(dataSource, outbox, new Order("2", 20));
      Transacting.byJdbi(Jdbi.create(dataSource), outbox, new Order("3", 30));
      InMemoryBroker broker = InMemoryBroker.create();
      try (ManualRelay relay = ManualRelay.of(store, broker.publisher())) {
        relay.drainNow();
      }
      assertThat(broker.texts("orders.placed", "3")).containsExactly("{\"id\":\"3\",\"cents\":30}");
      assertThat(broker.count()).isEqualTo(3);
    }
  }

  private static DataSource prepared(Sandbox sandbox) throws Exception {
    Schema.builder(sandbox.dataSource()).create();
    try (Connection connection = sandbox.open();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE orders (id VARCHAR(40), cents INT)");
    }
    return sandbox.dataSource();
  }
}
