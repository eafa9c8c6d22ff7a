package dev.outbox.jdbc;

import static dev.outbox.testkit.assertj.KitAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Claiming;
import dev.outbox.DeadLetter.Reason;
import dev.outbox.DeadLetters;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.DeadLetters.ReplayPlan;
import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.Topics;
import dev.outbox.Topics.Setting;
import dev.outbox.jdbc.proof.Await;
import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RetryPolicy;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.testkit.BrokerFault;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.Kit;
import dev.outbox.testkit.SettableClock;
import java.net.ConnectException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A service that writes its own rows, tested with the kit over the database that it writes to. */
class KitOverTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private Sandbox sandbox;
  private DataSource dataSource;

  /** The code under test: plain JDBC, its own row and the message in one transaction. */
  private record Shop(DataSource dataSource, Outbox outbox) {
    void sell(String order, int total) throws SQLException {
      try (Connection connection = dataSource.getConnection()) {
        connection.setAutoCommit(false);
        try (PreparedStatement insert =
            connection.prepareStatement("INSERT INTO sale (id, total) VALUES (?, ?)")) {
          insert.setString(1, order);
          insert.setInt(2, total);
          insert.executeUpdate();
        }
        outbox.enqueue(connection, Message.to("sales").key(order).text("sold for " + total));
        if (total > 100) {
          connection.rollback();
          return;
        }
        connection.commit();
      }
    }

    int sales() throws SQLException {
      try (Connection connection = dataSource.getConnection();
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("SELECT count(*) FROM sale")) {
        row.next();
        return row.getInt(1);
      }
    }
  }

  private Shop shop(Kit kit) {
    return new Shop(dataSource, kit.outbox());
  }

  private void open(Database database) throws SQLException {
    sandbox = database.sandbox();
    dataSource = sandbox.pool();
    Schema.builder(dataSource).with(Schema.Part.ARCHIVE).create();
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE sale (id varchar(20) PRIMARY KEY, total int NOT NULL)");
    }
  }

  private Kit kit(Database database) throws SQLException {
    open(database);
    return Kit.over(JdbcStore.create(dataSource));
  }

  @AfterEach
  void close() {
    sandbox.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"H2", "POSTGRES"})
  void a_sale_that_commits_is_reported_with_its_row(Database database) throws Exception {
    try (Kit kit = kit(database)) {
      shop(kit).sell("42", 7);

      assertThat(kit).hasEnqueued("sales").withKey("42").withText("sold for 7").once();
      assertThat(kit.contents().ready()).hasSize(1);
      kit.deliver();
      assertThat(kit.broker()).hasReceived("sales").withKey("42").withText("sold for 7").once();
      assertThat(kit).hasEnqueued("sales").withKey("42").times(1);
      assertThat(kit).isDrained().hasNoDeadLetters();
      assertThat(kit.contents().delivered()).isEqualTo(1);
      assertThat(shop(kit).sales()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"H2", "POSTGRES"})
  void two_messages_of_one_sale_are_not_once(Database database) throws Exception {
    open(database);
    try (Kit kit = Kit.builder().over(JdbcStore.create(dataSource), dataSource).build()) {
      kit.enqueue(Message.to("sales").key("42").text("sold for 7"));
      kit.enqueue(Message.to("sales").key("42").text("sold for 7"));
      assertThatThrownBy(() -> assertThat(kit).hasEnqueued("sales").withKey("42").once())
          .isInstanceOf(AssertionError.class)
          .hasMessageStartingWith("expected once: enqueued message for topic sales with key 42");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"H2", "POSTGRES"})
  void a_sale_that_rolls_back_leaves_neither_row_nor_message(Database database) throws Exception {
    try (Kit kit = kit(database)) {
      shop(kit).sell("42", 101);
      assertThat(kit).hasNothingEnqueued().isDrained();
      kit.deliver();
      assertThat(kit.broker().count()).isZero();
      assertThat(shop(kit).sales()).isZero();
      assertThatThrownBy(() -> assertThat(kit).hasEnqueued("sales"))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("expected: enqueued message for topic sales");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"H2", "POSTGRES"})
  void what_is_not_committed_yet_is_not_enqueued(Database database) throws Exception {
    try (Kit kit = kit(database);
        Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      kit.outbox().enqueue(connection, Message.to("sales").text("open"));
      assertThat(kit).hasNothingEnqueued("sales");
      connection.commit();
      assertThat(kit).hasEnqueued("sales").withText("open");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"H2", "POSTGRES"})
  void a_failed_message_is_tried_again_when_the_stores_clock_is_moved(Database database)
      throws Exception {
    open(database);
    SettableClock clock = SettableClock.create();
    RetryPolicy minute = (attempts, failing) -> Optional.of(Duration.ofMinutes(1));
    JdbcStore store = JdbcStore.builder(dataSource).clock(clock).build();
    try (Kit kit = Kit.builder().over(store).clock(clock).retry(minute).build()) {
      kit.broker().next(BrokerFault.refuse());
      shop(kit).sell("42", 7);
      kit.deliver();
      assertThat(kit.contents().parked()).hasSize(1);
      assertThatThrownBy(() -> assertThat(kit).isDrained()).hasMessageContaining("parked: sales");
      kit.pass(Duration.ofSeconds(59));
      assertThat(kit.broker().count()).isZero();
      kit.pass(Duration.ofSeconds(1));
      assertThat(kit.broker()).hasReceived("sales").withKey("42").once();
      assertThat(kit).isDrained();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"H2", "POSTGRES"})
  void a_rejected_message_is_a_dead_letter_and_is_replayed_by_hand(Database database)
      throws Exception {
    try (Kit kit = kit(database)) {
      kit.broker().next(BrokerFault.reject("unknown customer"));
      shop(kit).sell("42", 7);
      kit.deliver();
      assertThat(kit)
          .hasDeadLetter("sales")
          .withKey("42")
          .withReason(Reason.REJECTED)
          .withError("unknown customer");
      assertThat(kit).isDrained();

      DeadLetters.create(kit.store()).replay(Filter.all(), ReplayPlan.atOnce());
      assertThat(kit.contents().ready()).hasSize(1);
      kit.deliver();
      assertThat(kit.broker()).hasReceived("sales").withKey("42").once();
      assertThat(kit).hasNoDeadLetters().isDrained();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"H2", "POSTGRES"})
  void a_dead_letter_that_is_discarded_was_enqueued_and_is_not_delivered(Database database)
      throws Exception {
    try (Kit kit = kit(database)) {
      kit.broker().next(BrokerFault.reject("unknown customer"));
      shop(kit).sell("42", 7);
      shop(kit).sell("43", 7);
      kit.deliver();
      DeadLetters.create(kit.store()).discard(Filter.all());

      assertThat(kit.contents().delivered()).isEqualTo(1);
      assertThat(kit).hasEnqueued("sales").times(2);
      assertThat(kit).hasNoDeadLetters().isDrained();
    }
  }

  /** Never answers: a message without an answer counts as delivered. */
  private static final class SilentPublisher implements Publisher {
    @Override
    public void publish(Flight flight) {}

    @Override
    public Ack unanswered(Envelope envelope, TimeoutException silence) {
      return Ack.delivered();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"H2", "POSTGRES"})
  void a_message_without_an_answer_is_delivered_if_its_publisher_says_so(Database database)
      throws Exception {
    open(database);
    SettableClock clock = SettableClock.create();
    JdbcStore store = JdbcStore.builder(dataSource).clock(clock).build();
    Kit.Builder settings = Kit.builder().over(store).clock(clock);
    try (Kit kit = settings.publisher(broker -> new SilentPublisher()).build()) {
      shop(kit).sell("42", 7);
      kit.relay().drainNow();
      kit.pass(Duration.ofSeconds(31));
      assertThat(kit).isDrained();
      assertThat(kit.contents().delivered()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"H2", "POSTGRES"})
  void a_cleared_kit_has_nothing_that_waited_behind_a_dead_letter(Database database)
      throws Exception {
    open(database);
    SettableClock clock = SettableClock.create();
    JdbcStore store = JdbcStore.builder(dataSource).clock(clock).build();
    Topics.create(store).strict("sales", true);
    try (Kit kit = Kit.builder().over(store, dataSource).clock(clock).build()) {
      kit.broker().next(BrokerFault.reject("unknown customer"));
      kit.enqueue(Message.to("sales").key("42").text("rejected"));
      kit.enqueue(Message.to("sales").key("42").text("waits behind it"));
      kit.deliver();

      kit.clear();

      assertThat(kit).hasNothingEnqueued().isDrained().hasNoDeadLetters();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"H2", "POSTGRES"})
  void a_retry_without_a_rest_needs_no_clock(Database database) throws Exception {
    open(database);
    RetryPolicy twice =
        (attempts, failing) -> attempts < 2 ? Optional.of(Duration.ZERO) : Optional.empty();
    JdbcStore store = JdbcStore.create(dataSource);
    try (Kit kit = Kit.builder().over(store, dataSource).retry(twice).build()) {
      kit.broker().when(envelope -> true, BrokerFault.refuse());
      kit.enqueue(Message.to("sales").key("42").text("never"));
      kit.deliver(); // of a quick clock the first of these makes both attempts
      kit.deliver();
      assertThat(kit).hasDeadLetter("sales").withAttempts(2);
      assertThat(kit.contents().dead()).hasSize(1);
    }
  }

  @Test
  void a_kit_by_rows_is_no_relay_between_its_deliveries() throws Exception {
    sandbox = Database.H2.sandbox();
    dataSource = sandbox.pool();
    Schema.builder(dataSource).claiming(Claiming.ROWS).create();
    SettableClock clock = SettableClock.create();
    JdbcStore store = JdbcStore.builder(dataSource).clock(clock).build();
    try (Kit kit = Kit.builder().over(store).clock(clock).build()) {
      kit.deliver();
      kit.pass(Duration.ofSeconds(6));

      assertThat(store.snapshot(1).relays()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"H2", "POSTGRES"})
  void a_cleared_kit_has_nothing_of_the_test_before(Database database) throws Exception {
    open(database);
    try (Kit kit = Kit.builder().over(JdbcStore.create(dataSource), dataSource).build()) {
      kit.enqueue(Message.to("sales").key("42").deliverAfter(Duration.ofHours(1)).text("tomorrow"));
      kit.broker().next(BrokerFault.loseConfirm());
      kit.enqueue(Message.to("sales").key("42").text("confirmed by nobody"));
      kit.deliver();
      kit.broker().when(envelope -> true, BrokerFault.refuse());
      kit.enqueue(Message.to("sales").key("43").text("refused"));

      kit.clear();

      assertThat(kit).hasNothingEnqueued().isDrained().hasNoDeadLetters();
      assertThat(kit.broker().count()).isZero();
      shop(kit).sell("44", 7);
      kit.deliver();
      assertThat(kit.broker()).hasReceived("sales").withKey("44").once();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"H2", "POSTGRES"})
  void a_cleared_kit_has_nothing_of_a_topic_that_stays_paused(Database database) throws Exception {
    open(database);
    JdbcStore store = JdbcStore.create(dataSource);
    Topics topics = Topics.create(store);
    topics.pause("sales");
    topics.limit("sales", 100);
    try (Kit kit = Kit.builder().over(store, dataSource).build()) {
      kit.enqueue(Message.to("sales").key("42").text("held back"));
      kit.deliver();
      assertThat(kit.broker().count()).isZero();

      kit.clear();

      assertThat(kit).hasNothingEnqueued().isDrained();
      assertThat(topics.settings())
          .containsOnly(Map.entry("sales", Setting.NONE.withPaused(true).withPerSecond(100)));
      topics.resume("sales");
      kit.enqueue(Message.to("sales").key("42").text("of the next test"));
      kit.deliver();
      assertThat(kit.broker()).hasReceived("sales").withText("of the next test").once();
      assertThat(kit.broker().count()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"H2", "POSTGRES"})
  void a_relay_on_threads_is_awaited(Database database) throws Exception {
    open(database);
    JdbcStore store = JdbcStore.builder(dataSource).archive().build();
    Kit.Builder settings = Kit.builder().over(store, dataSource);
    try (Kit kit = settings.build();
        Relay relay = kit.start()) {
      for (int number = 0; number < 20; number++) {
        kit.enqueue(Message.to("sales").key("k" + number % 3).text("n " + number));
      }
      kit.awaitDelivered(20, PATIENCE);
      assertThat(relay.name()).startsWith("kit-");
      assertThat(kit.broker().ids()).hasSize(20);
      assertThat(kit).hasEnqueued("sales").times(20);
      assertThatThrownBy(() -> kit.awaitDelivered(21, Duration.ofMillis(1)))
          .isInstanceOf(AssertionError.class)
          .hasMessageStartingWith("20 of 21 messages were delivered within PT0.001S: 20 committed");
    }
    try (Kit next = settings.build()) {
      assertThat(next).as("another kit begins with nothing seen").hasNothingEnqueued();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"H2", "POSTGRES"})
  void messages_of_others_are_not_passed_over_in_silence(Database database) throws Exception {
    try (Kit kit = kit(database)) {
      new Shop(dataSource, Outbox.create(JdbcStore.create(dataSource))).sell("42", 7);
      String told = "1 messages for sales are in the tables that this kit did not write";
      assertThatThrownBy(() -> assertThat(kit).hasNothingEnqueued()).hasMessageContaining(told);
      assertThatThrownBy(() -> assertThat(kit).hasNothingEnqueued("sales"))
          .hasMessageContaining(told);
      assertThatThrownBy(() -> assertThat(kit).hasEnqueued("sales")).hasMessageContaining(told);
      assertThatThrownBy(() -> assertThat(kit).isDrained()).hasMessageContaining("1 ready");
      assertThat(kit).hasNothingEnqueued("mails");
      kit.deliver();
      assertThat(kit).hasEnqueued("sales").withKey("42");
      assertThat(kit.broker()).hasReceived("sales").withText("sold for 7");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"H2", "POSTGRES"})
  void a_relay_of_the_application_is_named_when_it_has_the_lanes(Database database)
      throws Exception {
    open(database);
    JdbcStore store = JdbcStore.create(dataSource);
    Publisher down =
        Publisher.blocking(
            envelope -> {
              throw new ConnectException("no broker");
            });
    try (Kit kit = Kit.over(store);
        Relay relay = Relay.builder(store, down).name("shop").start()) {
      Shop shop = shop(kit);
      for (int key = 0; key < 100; key++) {
        shop.sell("" + key, 7); // the relay may give half of its lanes to the kit's
      }
      for (long begun = System.nanoTime();
          relay.status().lanes().size() < 32 && System.nanoTime() - begun < PATIENCE.toNanos(); ) {
        Thread.onSpinWait();
      }
      assertThatThrownBy(kit::deliver)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("relay shop-")
          .hasMessageEndingWith("start no relay of the application in this test");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"H2", "POSTGRES"})
  void what_cannot_be_had_is_refused_with_its_remedy(Database database) throws Exception {
    open(database);
    JdbcStore store = JdbcStore.create(dataSource);
    try (Kit kit = Kit.over(store)) {
      assertThat(kit.store()).isSameAs(store);
      assertThatThrownBy(() -> kit.pass(Duration.ofMinutes(1)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("Kit.builder().clock(..) and JdbcStore.builder(..).clock(..)");
      assertThatThrownBy(() -> kit.enqueue(Message.to("sales").text("hello")))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("Kit.builder().over(store, dataSource)");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Kit.builder().over(store).clock(SettableClock.create()).build())
        .withMessageContaining("the kit's clock says 2030-01-01T00:00:00Z and the store's ")
        .withMessageEndingWith(
            "make the store by JdbcStore.builder(dataSource).clock(clock) with the same");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Kit.builder().lanes(1).over(store).build())
        .withMessageEndingWith("leave them out");
  }

  @ParameterizedTest
  @EnumSource(names = {"H2", "POSTGRES"})
  void two_kits_over_one_store_take_turns_at_once(Database database) throws Exception {
    open(database);
    JdbcStore store = JdbcStore.create(dataSource);
    try (Kit first = Kit.builder().over(store, dataSource).build();
        Kit second = Kit.builder().over(store, dataSource).build()) {
      for (Kit kit : List.of(first, second, first)) {
        kit.enqueue(Message.to("sales").key("42").text("sold"));
        kit.deliver();
        assertThat(kit).isDrained();
      }
      assertThat(first.broker().count()).isEqualTo(2);
      assertThat(second.broker().count()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"H2", "POSTGRES"})
  void a_cleared_kit_with_a_clock_has_no_retry_of_the_test_before(Database database)
      throws Exception {
    open(database);
    SettableClock clock = SettableClock.create();
    JdbcStore store = JdbcStore.builder(dataSource).clock(clock).build();
    RetryPolicy week = (attempts, failing) -> Optional.of(Duration.ofDays(7));
    try (Kit kit = Kit.builder().over(store, dataSource).clock(clock).retry(week).build()) {
      kit.broker().next(BrokerFault.refuse());
      kit.enqueue(Message.to("sales").key("42").text("of the test before"));
      kit.enqueue(Message.to("sales").key("42").text("behind it"));
      kit.enqueue(Message.to("mails").deliverAfter(Duration.ofDays(1)).text("tomorrow"));
      kit.deliver();

      kit.clear();

      assertThat(kit).hasNothingEnqueued().isDrained();
      kit.pass(Duration.ofDays(30));
      assertThat(kit.broker().count()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"H2"}) // for the answer it waits 10 s
  void a_cleared_kit_with_a_clock_has_no_flight_without_an_answer(Database database)
      throws Exception {
    open(database);
    SettableClock clock = SettableClock.create();
    JdbcStore store = JdbcStore.builder(dataSource).clock(clock).build();
    AtomicBoolean answers = new AtomicBoolean();
    Function<InMemoryBroker, Publisher> forgetful =
        broker ->
            flight -> {
              if (answers.getAndSet(true)) {
                broker.publisher().publish(flight);
              }
            };
    Kit.Builder settings = Kit.builder().over(store, dataSource).clock(clock);
    try (Kit kit = settings.publisher(forgetful).build()) {
      kit.enqueue(Message.to("sales").key("42").text("of the test before"));
      kit.relay().drainNow();

      kit.clear();

      assertThat(kit).hasNothingEnqueued().isDrained();
      assertThat(kit.broker().count()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"H2", "POSTGRES"})
  void a_kit_that_cannot_be_cleared_says_what_is_left(Database database) throws Exception {
    open(database);
    SettableClock clock = SettableClock.create();
    JdbcStore store = JdbcStore.builder(dataSource).clock(clock).build();
    RetryPolicy always = (attempts, failing) -> Optional.of(Duration.ofDays(1));
    Publisher broken =
        Publisher.blocking(
            envelope -> {
              throw new AssertionError("no tenant");
            });
    Kit.Builder settings = Kit.builder().over(store, dataSource).clock(clock).retry(always);
    try (Kit kit = settings.publisher(broker -> broken).build()) {
      kit.enqueue(Message.to("sales").key("42").text("of the test before"));
      Instant before = clock.instant();
      assertThatThrownBy(kit::clear)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("messages are left although the clock was moved")
          .hasMessageContaining("1 committed, of them 0 ready, 1 parked");
      assertThat(clock.instant()).isAfter(before.plus(Duration.ofDays(1)));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"H2", "POSTGRES"})
  void what_a_relay_of_the_application_may_have_delivered_was_perhaps_enqueued(Database database)
      throws Exception {
    open(database);
    JdbcStore store = JdbcStore.create(dataSource);
    Publisher swallows = Publisher.blocking(envelope -> {});
    try (Kit kit = Kit.over(store);
        Relay own = kit.start()) {
      assertThat(own.name()).startsWith("kit-");
      assertThat(kit).hasNothingEnqueued();
      try (Relay relay = Relay.builder(store, swallows).name("shop").start()) {
        Await.until(
            "the relay is there",
            Duration.ofSeconds(30),
            () -> store.snapshot(1).relays().stream().anyMatch(r -> r.name().equals(relay.name())));
        assertThatThrownBy(() -> assertThat(kit).hasNothingEnqueued())
            .isInstanceOf(AssertionError.class)
            .hasMessageContaining("relay " + relay.name() + " runs");
      }
      assertThat(kit).hasNothingEnqueued();
    }
  }
}
