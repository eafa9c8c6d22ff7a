package dev.outbox.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedClass;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The code blocks of docs/testing.md are the marked regions of code that is compiled and run. */
class TestingPageTest {
  private static final String PACKAGE = "dev.outbox.examples.testing.";
  private static final String CONTRACT = "dev.outbox.testkit.contract.PublisherContract$";

  @ParameterizedTest
  @CsvSource({
    "main, Webhook, webhook",
    "test, WebhookServer, environment",
    "test, WebhookTest, contract",
    "test, HastyWebhook, hasty",
    "test, OrdersTest, orders"
  })
  void the_pages_code_is_compiled(String sources, String type, String tag) throws Exception {
    Path file = Path.of("src", sources, "java/dev/outbox/examples/testing", type + ".java");
    assertThat(page()).contains(CodeBlock.of(file, tag));
  }

  @Test
  void the_red_test_is_red_for_the_reason_that_the_page_shows() throws Exception {
    TestExecutionSummary summary = run("HastyWebhook", "Not_taken");
    assertThat(summary.getTestsFailedCount()).isPositive();
    List<String> reasons =
        summary.getFailures().stream().map(failure -> failure.getException().toString()).toList();
    String shown = "[the answer while the broker is down]";
    assertThat(page()).contains(shown);
    assertThat(reasons).anyMatch(reason -> reason.contains(shown));
  }

  private static TestExecutionSummary run(String type, String cases) {
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(selectNestedClass(List.of(PACKAGE + type), CONTRACT + cases))
                .build(),
            listener);
    return listener.getSummary();
  }

  private static String page() throws Exception {
    return Files.readString(Path.of("../docs/testing.md"));
  }
}
