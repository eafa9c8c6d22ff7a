package dev.outbox.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.ConnectionFactory;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.testkit.InMemoryStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page shows code that is compiled and run. */
class RabbitPageTest {
  private static final Path PAGE = Path.of("../../docs/brokers/rabbitmq.md");

  @ParameterizedTest
  @ValueSource(strings = {"start", "mapped", "patient", "secured"})
  void the_pages_code_is_compiled(String tag) throws Exception {
    String source = Files.readString(Path.of("src/test/java/dev/outbox/rabbitmq/RabbitPage.java"));
    String begin = "// tag::" + tag + "[]\n";
    String code =
        source.substring(
            source.indexOf(begin) + begin.length(), source.indexOf("// end::" + tag + "[]"));
    assertThat(Files.readString(PAGE))
        .contains("```java\n" + code.stripTrailing().stripIndent() + "\n```");
  }

  @Test
  void the_lines_to_start_run_where_no_broker_is_needed_yet() throws Exception {
    InMemoryStore store = InMemoryStore.create();
    try (Connection transaction = store.begin()) {
      RabbitPage.start(store).enqueue(transaction, Message.to("orders").text("x"));
      transaction.commit();
    }
    assertThat(store.snapshot(10).ready()).isOne();
    try (RabbitPublisher mapped = RabbitPage.mapped(new ConnectionFactory())) {
      assertThat(RabbitPage.patient(mapped).ordering()).isEqualTo(Publisher.Ordering.PIPELINED);
    }
  }
}
