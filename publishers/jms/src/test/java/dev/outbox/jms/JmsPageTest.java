package dev.outbox.jms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.testkit.InMemoryStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page shows code that is compiled and run. */
class JmsPageTest {
  private static final Path PAGE = Path.of("../../docs/brokers/jms.md");

  @ParameterizedTest
  @ValueSource(strings = {"start", "mapped", "secured"})
  void the_pages_code_is_compiled(String tag) throws Exception {
    String source = Files.readString(Path.of("src/test/java/dev/outbox/jms/JmsPage.java"));
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
      JmsPage.start(store).enqueue(transaction, Message.to("orders").text("x"));
      transaction.commit();
    }
    assertThat(store.snapshot(10).ready()).isOne();
    try (ActiveMQConnectionFactory factory =
            new ActiveMQConnectionFactory(
                "tcp://localhost:1?confirmationWindowSize=1048576&callTimeout=5000");
        JmsPublisher mapped = JmsPage.mapped(factory, "secret")) {
      assertThat(mapped.ordering()).isEqualTo(Publisher.Ordering.PIPELINED);
    }
  }
}
