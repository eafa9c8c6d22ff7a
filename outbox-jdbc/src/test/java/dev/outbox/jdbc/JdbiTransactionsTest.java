package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.outbox.Outbox;
import dev.outbox.message.Message;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.spi.Wakeup;
import dev.outbox.spi.lane.Lane;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.ManualRelay;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.transaction.LocalTransactionHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JdbiTransactionsTest {
  private final AtomicInteger wakeUps = new AtomicInteger();
  private final InMemoryBroker broker = InMemoryBroker.create();
  private Sandbox sandbox;
  private Jdbi jdbi;
  private JdbcStore store;
  private Outbox outbox;

  @BeforeEach
  void open() {
    sandbox = Database.H2.sandbox();
    Schema.builder(sandbox.pool()).create();
    jdbi = Jdbi.create(sandbox.pool());
    jdbi.useHandle(handle -> handle.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY)"));
    store = JdbcStore.create(sandbox.pool());
    store.wakeup().subscribe(listener());
    outbox = Outbox.create(store);
  }

  private Wakeup.Listener listener() {
    return new Wakeup.Listener() {
      @Override
      public void woken(Set<Lane> lanes) {
        wakeUps.incrementAndGet();
      }

      @Override
      public void hinted(Set<Lane> lanes) {}
    };
  }

  @AfterEach
  void close() {
    sandbox.close();
  }

  @Test
  void the_message_is_committed_with_the_handles_work_and_the_relay_is_woken_after_it() {
    jdbi.useTransaction(
        handle -> {
          place(handle);
          assertThat(wakeUps).hasValue(0);
        });

    assertThat(wakeUps).hasValue(1);
    assertThat(published()).isEqualTo(1);
  }

  @Test
  void a_rollback_leaves_nothing_and_wakes_nobody() {
    jdbi.useTransaction(
        handle -> {
          place(handle);
          handle.rollback();
        });

    assertThat(wakeUps).hasValue(0);
    assertThat(published()).isZero();
    assertThat(orders()).isZero();
  }

  @Test
  void the_handle_stays_open() {
    try (Handle handle = jdbi.open()) {
      handle.begin();
      place(handle);
      handle.commit();
      assertThat(handle.isClosed()).isFalse();
      assertThat(orders()).isEqualTo(1);
    }
  }

  @Test
  void a_handle_outside_of_a_transaction_is_refused() {
    try (Handle handle = jdbi.open()) {
      assertThatIllegalStateException()
          .isThrownBy(() -> JdbiTransactions.create(handle))
          .withMessageContaining("not in a transaction");
    }
  }

  @Test
  void a_transaction_that_is_over_is_joined_no_more() {
    try (Handle handle = jdbi.open()) {
      handle.begin();
      Outbox.Joined joined = outbox.join(JdbiTransactions.create(handle));
      handle.commit();

      assertThatIllegalStateException()
          .isThrownBy(() -> joined.enqueue(Message.to("orders.placed").text("placed")))
          .withMessageContaining("not in a transaction");
    }
    assertThat(published()).isZero();
  }

  @Test
  void on_a_pool_without_autocommit_Jdbis_managed_handler_tells_what_a_transaction_is() {
    Jdbi managed = Jdbi.create(this::withoutAutocommit);
    managed.setTransactionHandler(LocalTransactionHandler.managed());

    try (Handle handle = managed.open()) {
      assertThatIllegalStateException()
          .isThrownBy(() -> place(handle))
          .withMessageContaining("not in a transaction");
      handle.getConnection().rollback();
      handle.useTransaction(this::place);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }

    assertThat(wakeUps).hasValue(1);
    assertThat(published()).isEqualTo(1);
  }

  private Connection withoutAutocommit() throws SQLException {
    Connection connection = sandbox.pool().getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  private void place(Handle handle) {
    handle.execute("INSERT INTO orders (id) VALUES (1)");
    outbox
        .join(JdbiTransactions.create(handle))
        .enqueue(Message.to("orders.placed").key(1).text("placed"));
  }

  private int orders() {
    return jdbi.withHandle(
        handle -> handle.createQuery("SELECT count(*) FROM orders").mapTo(Integer.class).one());
  }

  private int published() {
    try (ManualRelay relay = ManualRelay.of(store, broker.publisher())) {
      relay.drainNow();
    }
    return broker.count();
  }
}
