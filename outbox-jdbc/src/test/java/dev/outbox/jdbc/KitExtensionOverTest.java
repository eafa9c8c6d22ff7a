package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.spi.OutboxStore;
import dev.outbox.testkit.InMemoryStore;
import dev.outbox.testkit.Kit;
import dev.outbox.testkit.SettableClock;
import dev.outbox.testkit.junit.KitExtension;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The extension with kits over a database: it gives what there is, and says what there is not. */
class KitExtensionOverTest {
  static class OverDatabase {
    private static final Sandbox SANDBOX = withTables(Database.H2.sandbox());

    @RegisterExtension static final KitExtension KITS = KitExtension.of(OverDatabase::kit);

    private static Sandbox withTables(Sandbox sandbox) {
      Schema.builder(sandbox.pool()).create();
      return sandbox;
    }

    private static Kit kit() {
      return Kit.over(JdbcStore.create(SANDBOX.dataSource()));
    }

    @Test
    void its_store(Kit kit, OutboxStore store) {
      assertThat(kit.store()).isSameAs(store).isInstanceOf(JdbcStore.class);
    }

    @Test
    void a_store_in_memory(InMemoryStore store) {
      throw new AssertionError("given " + store);
    }

    @Test
    void a_clock(SettableClock clock) {
      throw new AssertionError("given " + clock);
    }
  }

  @Test
  void gives_what_there_is_and_says_what_there_is_not() {
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(OverDatabase.class))
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                .build(),
            listener);
    OverDatabase.SANDBOX.close();

    TestExecutionSummary summary = listener.getSummary();
    List<String> told =
        summary.getFailures().stream().map(failure -> failure.getException().toString()).toList();
    assertThat(summary.getTestsSucceededCount()).as("but %s", told).isEqualTo(1);
    assertThat(told)
        .hasSize(2)
        .anyMatch(
            text ->
                text.contains(
                    "this kit has no InMemoryStore, it is over a JdbcStore; take OutboxStore as the parameter"))
        .anyMatch(text -> text.contains("this kit's time is the database's"));
  }
}
