package dev.outbox.examples.pages;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RetryPolicy;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;

/** The code of docs/settings.md. */
public final class Configured implements AutoCloseable {
  private final Outbox outbox;
  private final Relay relay;

  /** Makes the tables, and starts a relay. */
  public Configured(DataSource dataSource, Publisher publisher, String tenant) {
    Schema.builder(dataSource).tablePrefix("shop_outbox").create();
    JdbcStore store = JdbcStore.builder(dataSource).tablePrefix("shop_outbox").build();
    this.outbox = Outbox.builder(store).headers(() -> Map.of("tenant", tenant)).build();
    RetryPolicy patient =
        RetryPolicy.exponential(Duration.ofSeconds(1), Duration.ofMinutes(1), Duration.ofDays(3));
    this.relay =
        Relay.builder(store, publisher)
            .name("shop")
            .retry(patient)
            .retry("mails", patient.atMost(10))
            .publishDeadline(Duration.ofSeconds(20))
            .closeDeadline(Duration.ofSeconds(10))
            .start();
  }

  /** Writes messages to the tables of the shop. */
  public Outbox outbox() {
    return outbox;
  }

  @Override
  public void close() {
    relay.close();
  }
}
