package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.Transactions;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;

@Timeout(120)
@ResourceLock("threads that listen and tell")
class PostgresWakeupTest {
  private static final int ROUNDS = 5;

  private static Sandbox sandbox;

  @BeforeAll
  static void start() {
    sandbox = Database.POSTGRES.sandbox();
    Schema.builder(sandbox.dataSource()).create();
  }

  @AfterAll
  static void stop() {
    sandbox.close();
  }

  @Test
  void a_relay_is_woken_by_the_commits_of_another_process() throws Exception {
    BlockingQueue<String> published = new LinkedBlockingQueue<>();
    try (PostgresWakeup here = PostgresWakeup.create(sandbox.pool(2));
        PostgresWakeup there = PostgresWakeup.create(sandbox.pool(2));
        Relay relay = relay(here, published)) {
      Outbox outbox = Outbox.create(store(there));
      List<Long> nanos = new ArrayList<>();
      for (int i = 0; i < ROUNDS; i++) {
        awaitRest();
        Transactions.run(
            sandbox.dataSource(),
            outbox,
            connection -> outbox.enqueue(connection, Message.to("t").key("k").text("news")));
        long committed = System.nanoTime();
        assertThat(published.poll(30, TimeUnit.SECONDS)).isEqualTo("news");
        nanos.add(System.nanoTime() - committed);
      }
      nanos.sort(null);
      assertThat(Duration.ofNanos(nanos.get(ROUNDS / 2))).isLessThan(Duration.ofMillis(300));
      assertThat(relay).isNotNull();
    }
  }

  /** Until the relay waits for so long between two looks that it would find news much later. */
  private static void awaitRest() throws SQLException {
    try (Connection admin = sandbox.openAdmin();
        Statement statement = admin.createStatement()) {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (!isResting(statement)) {
        assertThat(System.nanoTime()).isLessThan(deadline);
      }
    }
  }

  private static boolean isResting(Statement statement) throws SQLException {
    try (ResultSet row =
        statement.executeQuery(
            """
            SELECT max(state_change) < clock_timestamp() - INTERVAL '800 milliseconds', pg_sleep(0.01)
            FROM pg_stat_activity
            WHERE datname = '%s'
            """
                .formatted(sandbox.name()))) {
      row.next();
      return row.getBoolean(1);
    }
  }

  private static Relay relay(PostgresWakeup wakeup, BlockingQueue<String> published) {
    return Relay.builder(
            store(wakeup), Publisher.blocking(envelope -> published.add(envelope.payload().text())))
        .poll(Duration.ofSeconds(4))
        .start();
  }

  private static JdbcStore store(PostgresWakeup wakeup) {
    return JdbcStore.builder(sandbox.pool(3)).wakeup(wakeup).build();
  }

  @Test
  void another_database_is_refused() {
    try (Sandbox h2 = Database.H2.sandbox();
        PostgresWakeup wakeup = PostgresWakeup.create(h2.dataSource())) {
      Schema.builder(h2.dataSource()).create();

      assertThatThrownBy(() -> JdbcStore.builder(h2.dataSource()).wakeup(wakeup).build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("PostgreSQL");
    }
  }

  @Test
  void stores_of_one_outbox_in_a_process_share_their_wake_ups() {
    try (PostgresWakeup wakeup = PostgresWakeup.create(sandbox.dataSource())) {
      assertThat(store(wakeup).wakeup()).isSameAs(store(wakeup).wakeup());
    }
  }
}
