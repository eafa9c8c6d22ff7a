package dev.outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Message;
import dev.outbox.testkit.InMemoryStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The code of the page runs, and the page tells the truth about settings. */
class KafkaPageTest {
  private static final Path PAGE = Path.of("../../docs/brokers/kafka.md");

  @Test
  void the_lines_to_start_run_where_no_broker_is() throws Exception {
    InMemoryStore store = InMemoryStore.create();
    try (Connection transaction = store.begin()) {
      KafkaPage.start(store).enqueue(transaction, Message.to("orders").text("x"));
      transaction.commit();
    }
    KafkaPage.mapped(Map.of("bootstrap.servers", "localhost:9")).close();
    assertThat(store.snapshot(10).ready()).isOne();
  }

  @Test
  void every_setting_that_is_set_is_on_the_page() throws Exception {
    String page = Files.readString(PAGE);
    ProducerSettings.of(Map.of(), Duration.ofSeconds(30))
        .config()
        .keySet()
        .forEach(name -> assertThat(page).contains("`" + name + "`"));
  }
}
