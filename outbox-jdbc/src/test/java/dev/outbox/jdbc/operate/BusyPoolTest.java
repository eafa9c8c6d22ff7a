package dev.outbox.jdbc.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetters;
import dev.outbox.Outbox;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.jdbc.TamperedDataSource;
import dev.outbox.message.Message;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.ManualRelay;
import dev.outbox.testkit.SettableClock;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * A pool that the application has emptied must not cost a relay its leases, nor an operator time.
 */
class BusyPoolTest {
  @Test
  void a_walk_through_the_dead_letters_begins_with_one_connection() throws Exception {
    try (Sandbox sandbox = Database.H2.sandbox()) {
      Schema.builder(sandbox.dataSource()).create();
      AtomicInteger lent = new AtomicInteger();
      DataSource counting =
          new TamperedDataSource(
              sandbox.dataSource(), TamperedDataSource::passed, each -> lent.incrementAndGet());
      DeadLetters dead = DeadLetters.create(JdbcStore.create(counting));
      lent.set(0);
      assertThat(dead.discard(DeadLetters.Filter.all())).isZero();
      assertThat(lent).hasValue(2); // the last number, and the first portion
    }
  }

  @Test
  void a_relay_by_lanes_lives_on_the_one_connection_that_it_has() throws Exception {
    SettableClock clock = SettableClock.create();
    InMemoryBroker broker = InMemoryBroker.create();
    try (Sandbox sandbox = Database.POSTGRES.sandbox()) {
      Schema.builder(sandbox.dataSource()).create();
      DataSource pool = sandbox.pool(1);
      JdbcStore store = JdbcStore.builder(pool).clock(clock).build();
      Outbox outbox = Outbox.create(store);
      try (ManualRelay relay =
          ManualRelay.builder(store, broker.publisher()).clock(clock).build()) {
        for (int turn = 1; turn <= 10; turn++) {
          try (Connection connection = sandbox.open()) {
            connection.setAutoCommit(false);
            outbox.enqueue(connection, Message.to("t").key("k").text("message " + turn));
            connection.commit();
          }
          clock.advance(Duration.ofSeconds(5));
          relay.drainNow();
          assertThat(broker.count()).isEqualTo(turn);
        }
      }
    }
  }
}
