package dev.outbox.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Transactions;
import dev.outbox.examples.pages.Configured;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Runs the code of docs/settings.md. */
class SettingsPageTest {
  @Test
  void tables_with_a_prefix_and_a_header_on_every_message() throws Exception {
    try (Sandbox sandbox = Database.H2.sandbox()) {
      DataSource dataSource = sandbox.pool(4);
      BlockingQueue<String> sent = new LinkedBlockingQueue<>();
      Publisher publisher = Publisher.blocking(envelope -> sent.add(envelope.headers() + ""));
      try (Configured shop = new Configured(dataSource, publisher, "acme")) {
        Transactions.run(
            dataSource,
            shop.outbox(),
            connection -> shop.outbox().enqueue(connection, Message.to("orders").text("placed")));
        assertThat(sent.poll(20, TimeUnit.SECONDS)).isEqualTo("{tenant=acme}");
      }
    }
  }
}
