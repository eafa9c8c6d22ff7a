package dev.outbox.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.examples.pages.Shop;
import dev.outbox.examples.pages.Shop.Order;
import dev.outbox.jdbc.Schema;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Runs the code of docs/getting-started.md. */
class GettingStartedPageTest {
  @Test
  void the_shop_publishes_what_it_commits() throws Exception {
    try (Sandbox sandbox = Database.H2.sandbox()) {
      Schema.builder(sandbox.dataSource()).create();
      try (Connection connection = sandbox.open();
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE orders (id VARCHAR(40), cents INT)");
      }
      BlockingQueue<String> sent = new LinkedBlockingQueue<>();
      Publisher publisher =
          Publisher.blocking(
              envelope -> sent.add(envelope.headers() + " " + envelope.payload().text()));
      try (Shop shop = new Shop(sandbox.pool(4), publisher)) {
        shop.place(new Order("42", 1999, Instant.parse("2026-11-23T08:00:00Z")));
        assertThat(sent.poll(20, TimeUnit.SECONDS))
            .isEqualTo(
                "{tenant=acme}"
                    + " {\"id\":\"42\",\"cents\":1999,\"placedAt\":\"2026-11-23T08:00:00Z\"}");
      }
    }
  }
}
