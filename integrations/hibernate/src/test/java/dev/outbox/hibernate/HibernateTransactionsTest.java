package dev.outbox.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.outbox.Outbox;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Message;
import dev.outbox.spi.Wakeup;
import dev.outbox.spi.lane.Lane;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.ManualRelay;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.h2.jdbcx.JdbcDataSource;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.SharedSessionContract;
import org.hibernate.StatelessSession;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On Hibernate's own pool of one connection, without autocommit. */
class HibernateTransactionsTest {
  private static final Logger OF_HIBERNATE = Logger.getLogger("org.hibernate");

  private final AtomicInteger wakeUps = new AtomicInteger();
  private final InMemoryBroker broker = InMemoryBroker.create();
  private SessionFactory sessionFactory;
  private JdbcStore store;
  private Outbox outbox;

  @Entity(name = "orders")
  static class PlacedOrder {
    @Id int id;

    PlacedOrder() {}

    PlacedOrder(int id) {
      this.id = id;
    }
  }

  @BeforeAll
  static void beQuiet() {
    OF_HIBERNATE.setLevel(Level.SEVERE);
  }

  @BeforeEach
  void open() {
    JdbcDataSource dataSource = new JdbcDataSource();
    dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    Schema.builder(dataSource).create();
    sessionFactory =
        new Configuration()
            .addAnnotatedClass(PlacedOrder.class)
            .setProperty("hibernate.connection.url", dataSource.getURL())
            .setProperty("hibernate.connection.autocommit", "false")
            .setProperty("hibernate.connection.pool_size", "1")
            .setProperty("hibernate.hbm2ddl.auto", "create")
            .buildSessionFactory();
    store = JdbcStore.create(dataSource);
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
    sessionFactory.close();
  }

  @Test
  void the_message_is_committed_with_the_entity_and_the_relay_is_woken_after_it() {
    sessionFactory.inTransaction(
        session -> {
          place(session, 1);
          assertThat(wakeUps).hasValue(0);
        });

    assertThat(wakeUps).hasValue(1);
    assertThat(published()).isEqualTo(1);
    assertThat(orders()).isEqualTo(1);
  }

  @Test
  void the_lines_of_docs_transactions_do_so_too() {
    PlacedOrder order = new PlacedOrder(1);
    Message message = message();

    sessionFactory.inTransaction(
        session -> {
          session.persist(order);
          outbox.join(HibernateTransactions.of(session)).enqueue(message);
        });

    assertThat(wakeUps).hasValue(1);
    assertThat(published()).isEqualTo(1);
  }

  @Test
  void a_rollback_leaves_nothing_and_wakes_nobody() {
    try (Session session = sessionFactory.openSession()) {
      session.beginTransaction();
      place(session, 1);
      session.flush();
      session.getTransaction().rollback();
    }

    assertThat(wakeUps).hasValue(0);
    assertThat(published()).isZero();
    assertThat(orders()).isZero();
  }

  @Test
  void outside_of_a_transaction_nothing_is_written_that_a_stranger_would_commit() {
    Throwable refusal;
    try (Session session = sessionFactory.openSession()) {
      refusal = catchThrowable(() -> enqueue(session));
    }
    sessionFactory.inTransaction(stranger -> stranger.persist(new PlacedOrder(2)));

    assertThat(published()).isZero();
    assertThat(orders()).isEqualTo(1);
    assertThat(refusal)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("the session is not in a transaction; enqueue inside");
  }

  @Test
  void after_its_commit_a_session_is_in_no_transaction_until_the_next_begins() {
    try (Session session = sessionFactory.openSession()) {
      Outbox.Joined joined = outbox.join(HibernateTransactions.of(session));
      session.beginTransaction();
      joined.enqueue(message());
      session.getTransaction().commit();

      assertThatIllegalStateException().isThrownBy(() -> joined.enqueue(message()));
      session.beginTransaction();
      joined.enqueue(message());
      session.getTransaction().commit();
    }

    assertThat(wakeUps).hasValue(2);
    assertThat(published()).isEqualTo(2);
  }

  @Test
  void a_session_without_state_is_joined_too() {
    try (StatelessSession session = sessionFactory.openStatelessSession()) {
      session.beginTransaction();
      session.insert(new PlacedOrder(1));
      enqueue(session);
      session.getTransaction().commit();
    }

    assertThat(published()).isEqualTo(1);
    assertThat(orders()).isEqualTo(1);
  }

  private void place(Session session, int id) {
    session.persist(new PlacedOrder(id));
    enqueue(session);
  }

  private void enqueue(SharedSessionContract session) {
    outbox.join(HibernateTransactions.of(session)).enqueue(message());
  }

  private static Message message() {
    return Message.to("orders.placed").key(1).text("placed");
  }

  private long orders() {
    return sessionFactory.fromTransaction(
        session ->
            session
                .createSelectionQuery("select count(*) from orders", Long.class)
                .getSingleResult());
  }

  private int published() {
    try (ManualRelay relay = ManualRelay.of(store, broker.publisher())) {
      relay.drainNow();
    }
    return broker.count();
  }
}
