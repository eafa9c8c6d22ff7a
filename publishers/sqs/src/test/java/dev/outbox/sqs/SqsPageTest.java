package dev.outbox.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.testkit.InMemoryStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** The page shows code that is compiled and run. */
class SqsPageTest {
  private static final Path PAGE = Path.of("../../docs/brokers/sqs.md");

  @ParameterizedTest
  @ValueSource(strings = {"start", "mapped", "secured"})
  void the_pages_code_is_compiled(String tag) throws Exception {
    String source = Files.readString(Path.of("src/test/java/dev/outbox/sqs/SqsPage.java"));
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
      SqsPage.start(store, TestQueues.at(1)).enqueue(transaction, Message.to("orders").text("x"));
      transaction.commit();
    }
    assertThat(store.snapshot(10).ready()).isOne();
    SqsPage.secured(Region.EU_CENTRAL_1, TestQueues.login("secret")).close();
    try (SqsAsyncClient client = TestQueues.at(1);
        SqsPublisher mapped = SqsPage.mapped(client)) {
      assertThat(mapped.ordering()).isEqualTo(Publisher.Ordering.PIPELINED);
    }
  }
}
