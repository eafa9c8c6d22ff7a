package dev.outbox.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WritersTest {
  @ParameterizedTest
  @EnumSource
  void writers_keep_their_rate_and_commit_what_they_say(Writers.Way way) throws Exception {
    try (Sandbox sandbox = Database.H2.sandbox()) {
      Schema.builder(sandbox.dataSource()).create();
      JdbcStore store = JdbcStore.create(sandbox.pool(2));
      Writers writers = new Writers(sandbox.pool(8), Outbox.create(store), way);

      List<Writers.Committed> committed = writers.write(200, Duration.ofMillis(500));

      assertThat(committed).hasSize(100).allMatch(each -> each.called() <= each.returned());
      assertThat(store.snapshot(1000).ready()).isEqualTo(100);
    }
  }
}
