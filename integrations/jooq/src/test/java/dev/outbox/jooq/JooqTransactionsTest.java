package dev.outbox.jooq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Outbox;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Message;
import dev.outbox.spi.Wakeup;
import dev.outbox.spi.lane.Lane;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.ManualRelay;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.jdbcx.JdbcDataSource;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On a pool without autocommit. */
class JooqTransactionsTest {
  private static final class TurnedBackException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private final AtomicInteger wakeUps = new AtomicInteger();
  private final InMemoryBroker broker = InMemoryBroker.create();
  private HikariDataSource pool;
  private DSLContext create;
  private JdbcStore store;
  private Outbox outbox;

  @BeforeAll
  static void spareTheLogo() {
    System.setProperty("org.jooq.no-logo", "true");
    System.setProperty("org.jooq.no-tips", "true");
  }

  @BeforeEach
  void open() {
    JdbcDataSource dataSource = new JdbcDataSource();
    dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    Schema.builder(dataSource).create();
    DSL.using(dataSource, SQLDialect.H2).execute("create table orders (id integer primary key)");
    HikariConfig config = new HikariConfig();
    config.setDataSource(dataSource);
    config.setAutoCommit(false);
    config.setMaximumPoolSize(1);
    pool = new HikariDataSource(config);
    create = DSL.using(plain().derive(JooqTransactions.listener()));
    store = JdbcStore.create(dataSource);
    store.wakeup().subscribe(listener());
    outbox = Outbox.create(store);
  }

  private Configuration plain() {
    return new DefaultConfiguration().set(pool).set(SQLDialect.H2);
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
    pool.close();
  }

  @Test
  void the_message_is_committed_with_the_row_and_the_relay_is_woken_after_it() {
    create.transaction(
        transaction -> {
          place(transaction, 1);
          assertThat(wakeUps).hasValue(0);
        });

    assertThat(wakeUps).hasValue(1);
    assertThat(published()).containsExactly("1");
    assertThat(orders()).isEqualTo(1);
  }

  @Test
  void the_lines_of_docs_transactions_do_so_too() {
    Configuration configuration = plain();
    Message message = Message.to("orders.placed").key(1).text("1");
    DSLContext create = DSL.using(configuration.deriveAppending(JooqTransactions.listener()));

    create.transaction(
        transaction -> {
          transaction.dsl().execute("insert into orders (id) values (?)", 1);
          outbox.join(JooqTransactions.of(transaction)).enqueue(message);
        });

    assertThat(wakeUps).hasValue(1);
    assertThat(published()).containsExactly("1");
  }

  @Test
  void a_rollback_leaves_nothing_and_wakes_nobody() {
    assertThatExceptionOfType(TurnedBackException.class)
        .isThrownBy(
            () ->
                create.transaction(
                    transaction -> {
                      place(transaction, 1);
                      throw new TurnedBackException();
                    }));

    assertThat(wakeUps).hasValue(0);
    assertThat(published()).isEmpty();
    assertThat(orders()).isZero();
  }

  @Test
  void a_nested_transaction_wakes_when_the_outermost_has_committed() {
    create.transaction(
        outer -> {
          outer.dsl().transaction(nested -> place(nested, 1));
          assertThat(wakeUps).hasValue(0);
          place(outer, 2);
        });

    assertThat(wakeUps).hasValue(2);
    assertThat(published()).containsExactlyInAnyOrder("1", "2");
  }

  @Test
  void what_a_nested_transaction_wrote_goes_with_its_rollback() {
    create.transaction(
        outer -> {
          place(outer, 1);
          assertThatExceptionOfType(TurnedBackException.class)
              .isThrownBy(
                  () ->
                      outer
                          .dsl()
                          .transaction(
                              nested -> {
                                place(nested, 2);
                                throw new TurnedBackException();
                              }));
          place(outer, 3);
        });

    assertThat(wakeUps).hasValue(2);
    assertThat(published()).containsExactlyInAnyOrder("1", "3");
  }

  @Test
  void outside_of_a_transaction_it_is_refused_and_the_next_commit_publishes_nothing_of_it()
      throws SQLException {
    try (Connection connection = pool.getConnection()) {
      DSLContext single =
          DSL.using(
              new DefaultConfiguration()
                  .set(connection)
                  .set(SQLDialect.H2)
                  .derive(JooqTransactions.listener()));
      assertThatIllegalStateException()
          .isThrownBy(
              () -> outbox.join(JooqTransactions.of(single.configuration())).enqueue(message(1)))
          .withMessageStartingWith(
              "the configuration is not in a transaction; enqueue inside create.transaction");
      single.transaction(transaction -> place(transaction, 2));
    }

    assertThat(published()).containsExactly("2");
  }

  @Test
  void a_configuration_that_lacks_the_listener_is_refused() {
    DSL.using(plain())
        .transaction(
            transaction ->
                assertThatIllegalStateException()
                    .isThrownBy(() -> JooqTransactions.of(transaction))
                    .withMessageEndingWith("made with JooqTransactions.listener()"));
  }

  @Test
  void a_transaction_that_is_over_is_joined_no_more() {
    List<Outbox.Joined> ended = new ArrayList<>();
    create.transaction(transaction -> ended.add(outbox.join(JooqTransactions.of(transaction))));

    assertThatIllegalStateException().isThrownBy(() -> ended.get(0).enqueue(message(1)));
    assertThat(published()).isEmpty();
  }

  private void place(Configuration transaction, int id) {
    transaction.dsl().execute("insert into orders (id) values (?)", id);
    outbox.join(JooqTransactions.of(transaction)).enqueue(message(id));
  }

  private static Message message(int id) {
    return Message.to("orders.placed").text(Integer.toString(id));
  }

  private int orders() {
    return create.transactionResult(
        transaction -> transaction.dsl().fetchCount(DSL.table("orders")));
  }

  private List<String> published() {
    try (ManualRelay relay = ManualRelay.of(store, broker.publisher())) {
      relay.drainNow();
    }
    return broker.messages().stream().map(each -> each.envelope().payload().text()).toList();
  }
}
