package dev.outbox.jdbc.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.jdbc.dialect.PostgresDialect;
import dev.outbox.jdbc.internal.ids.IdCounters;
import org.junit.jupiter.api.Test;

final class SqlTest {
  /** While ids are behind a relay makes one each second, for as long as nobody raises them. */
  @Test
  void a_statement_of_this_moment_is_not_kept() {
    Sql sql = new Sql(new PostgresDialect(), Tables.of(null, "outbox", 63), null);
    assertThat(new IdCounters(sql).raiseEpochs()).contains("UPDATE outbox_lane SET epoch");
    assertThat(sql.rendered).isEmpty();
  }
}
