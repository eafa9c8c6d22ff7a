package dev.outbox.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedClass;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The test of docs/test-your-app.md that is to fail. */
class TestYourAppPageTest {
  private static final String PACKAGE = "dev.outbox.examples.testing.";
  private static final String CONTRACT = "dev.outbox.testkit.contract.PublisherContract$";

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
    return Files.readString(Path.of("../docs/test-your-app.md"));
  }
}
