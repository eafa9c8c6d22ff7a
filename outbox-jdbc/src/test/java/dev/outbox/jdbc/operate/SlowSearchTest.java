package dev.outbox.jdbc.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.outbox.DeadLetters;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.StoreException;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.sql.Connection;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The database gives a search up: as at its limit of time, by a cancel from another session. */
@Timeout(60)
class SlowSearchTest {
  @Test
  void whoever_searches_is_told_what_makes_it_fast() throws Exception {
    Filter error = Filter.all().error("nothing");
    Filter ofKey = error.topic("orders").key("42");
    assertToldWhenSlow(error, "name a topic, or a topic and a key, for which there are indexes");
    assertToldWhenSlow(
        error.key("42"), "name the topic of the key too, because the index is of both");
    assertToldWhenSlow(error.topic("orders"), "name a key too, for which there is an index");
    assertToldWhenSlow(ofKey, "name topic and key only, for which there is an index");
    assertToldWhenSlow(
        Filter.all().topic("orders").key("42"), "ask again when the database has less to do");
  }

  private static void assertToldWhenSlow(Filter filter, String remedy) throws Exception {
    try (Sandbox sandbox = Database.POSTGRES.sandbox();
        Connection connection = sandbox.open();
        Statement statement = connection.createStatement()) {
      Schema.builder(sandbox.dataSource()).create();
      DeadLetters dead = DeadLetters.create(JdbcStore.create(sandbox.pool(2)));
      statement.execute("ALTER TABLE outbox_dead RENAME TO few");
      statement.execute(
          "CREATE VIEW outbox_dead AS" // the filter is applied behind an offset
              + " SELECT few.* FROM pg_sleep(50) LEFT JOIN few ON true OFFSET 0");
      CompletableFuture<StoreException> search =
          CompletableFuture.supplyAsync(
              () -> catchThrowableOfType(StoreException.class, () -> dead.count(filter, 10)));
      while (!search.isDone()) {
        statement.execute(
            "SELECT pg_cancel_backend(pid) FROM pg_stat_activity"
                + " WHERE datname = current_database() AND wait_event = 'PgSleep'");
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
      }
      assertThat(search.get().isSlow()).isTrue();
      assertThat(search.get())
          .hasMessageStartingWith("the search took too long; " + remedy + ": ")
          .hasMessageContaining("count dead letters");
    }
  }
}
