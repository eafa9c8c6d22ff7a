package dev.outbox.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Outbox;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.testkit.database.Database;
import dev.outbox.testkit.database.Sandbox;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BenchmarksTest {
  @Test
  void options_say_where_and_how_long() {
    assertThat(Benchmarks.Setting.of(List.of()))
        .isEqualTo(new Benchmarks.Setting(Database.POSTGRES, false));
    assertThat(Benchmarks.Setting.of(List.of("--db", "h2", "--quick")))
        .isEqualTo(new Benchmarks.Setting(Database.H2, true));
    assertThatThrownBy(() -> Benchmarks.Setting.of(List.of("--db", "db2")))
        .hasMessage("database is db2, it must be one of [h2, mariadb, mysql, postgres]");
    assertThatThrownBy(() -> Benchmarks.Setting.of(List.of("--db")))
        .hasMessage("there is no option --db");
  }

  @ParameterizedTest
  @EnumSource
  void writers_keep_their_rate_and_commit_what_they_say(Writers.Way way) throws Exception {
    try (Sandbox sandbox = Database.H2.sandbox()) {
      Schema.of(sandbox.dataSource()).create();
      JdbcStore store = JdbcStore.create(sandbox.pool(2));
      Writers writers = new Writers(sandbox.pool(8), Outbox.create(store), way);

      List<Writers.Committed> committed = writers.write(200, Duration.ofMillis(500));

      assertThat(committed).hasSize(100).allMatch(each -> each.called() <= each.returned());
      assertThat(store.snapshot(1000).ready()).isEqualTo(100);
    }
  }
}
