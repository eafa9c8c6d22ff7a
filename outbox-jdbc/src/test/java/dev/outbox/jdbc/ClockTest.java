package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetters.Filter;
import dev.outbox.Outbox;
import dev.outbox.message.Message;
import dev.outbox.publish.RetryPolicy;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.ManualRelay;
import dev.outbox.testkit.SettableClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A real database whose time is a test's own: hours pass without waiting. */
class ClockTest {
  private final SettableClock clock = SettableClock.create();
  private final InMemoryBroker broker = InMemoryBroker.create();
  private Sandbox sandbox;
  private JdbcStore store;

  @AfterEach
  void close() {
    sandbox.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void a_delayed_message_falls_due_by_the_clock(Database database) throws Exception {
    open(database);
    enqueue(Message.to("t").deliverAfter(Duration.ofHours(2)).text("later"));
    enqueue(Message.to("t").deliverAt(clock.instant().plusSeconds(3600)).text("sooner"));
    try (ManualRelay relay = relay("a")) {
      clock.advance(Duration.ofMinutes(59));
      relay.drainNow();
      assertThat(broker.count()).isZero();

      clock.advance(Duration.ofMinutes(1));
      relay.drainNow();
      assertThat(broker.messages().get(0).text()).isEqualTo("sooner");
      assertThat(broker.count()).isEqualTo(1);

      clock.advance(Duration.ofHours(1));
      relay.drainNow();
      assertThat(broker.count()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void a_dead_relays_lanes_are_taken_over_when_its_lease_ends_by_the_clock(Database database)
      throws Exception {
    open(database);
    ManualRelay dead = relay("dead");
    dead.drainNow();
    dead.crash();
    enqueue(Message.to("t").key("k").text("left behind"));
    try (ManualRelay heir = relay("heir")) {
      clock.advance(Duration.ofMillis(14_900));
      heir.drainNow();
      assertThat(broker.count()).isZero();

      clock.advance(Duration.ofMillis(200));
      heir.drainNow();
      assertThat(broker.count()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void a_failed_message_waits_and_a_message_expires_by_the_clock(Database database)
      throws Exception {
    open(database);
    broker.failNext(1, new IllegalStateException("busy"));
    enqueue(Message.to("t").key("k").text("first"));
    enqueue(Message.to("t").key("k").notAfter(clock.instant().plusSeconds(30)).text("perishable"));
    try (ManualRelay relay = relay("a")) {
      relay.drainNow();
      assertThat(broker.count()).isZero();

      clock.advance(Duration.ofMinutes(1));
      relay.drainNow();
      assertThat(broker.texts("t", "k")).containsExactly("first");
      assertThat(store.deadLetters().count(Filter.all(), 10)).isEqualTo(1);
    }
  }

  private void open(Database database) {
    sandbox = database.sandbox();
    Schema.builder(sandbox.dataSource()).lanes(4).create();
    store = JdbcStore.builder(sandbox.dataSource()).clock(clock).build();
  }

  private ManualRelay relay(String name) {
    return ManualRelay.builder(store, broker.publisher())
        .name(name)
        .clock(clock)
        .retry(
            RetryPolicy.exponential(
                Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofHours(1)))
        .build();
  }

  private void enqueue(Message message) throws SQLException {
    try (Connection connection = sandbox.open()) {
      connection.setAutoCommit(false);
      Outbox.create(store).enqueue(connection, message);
      connection.commit();
    }
  }
}
