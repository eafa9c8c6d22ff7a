package dev.outbox.tck.relay.publish;

import static dev.outbox.tck.fixture.FaultyStore.Fault.AFTER;
import static dev.outbox.tck.fixture.FaultyStore.Fault.BEFORE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Claiming;
import dev.outbox.DeadLetter;
import dev.outbox.DeadLetter.Reason;
import dev.outbox.Relay;
import dev.outbox.StoreException;
import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.spi.RowClaim;
import dev.outbox.spi.RowStore;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import dev.outbox.tck.fixture.TableCounts;
import dev.outbox.testkit.ManualRelay;
import java.net.ConnectException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Relays over tables that are claimed by rows. */
public abstract class RowRelayCases extends RelayCases {
  protected RowRelayCases(Opener opener) {
    super(opener);
  }

  @Override
  protected StoreSetting setting() {
    return StoreSetting.rows();
  }

  private List<MessageId> commitNumbered(int count) throws Exception {
    return commit(numbers("u", count).stream().map(RelayCases::unkeyed).toList());
  }

  private void failOn(String text) {
    broker.fail(
        envelope -> envelope.payload().text().equals(text), new IllegalStateException("no room"));
  }

  @Test
  void what_is_committed_is_published_once_and_the_tables_end_empty() throws Exception {
    Set<MessageId> committed = new HashSet<>(commitNumbered(200));
    ManualRelay relay = started(relay("a", broker.publisher()).batch(7));
    relay.drainNow();
    committed.addAll(commitNumbered(10));
    relay.drainNow();
    assertThat(broker.ids()).isEqualTo(committed);
    assertThat(countingListener.delivered).hasValue(210);
    assertEmpty();
  }

  @Test
  void a_failed_message_rests_and_the_others_go_on() throws Exception {
    ManualRelay relay = started("a");
    failOn("u 3");
    commitNumbered(10);
    relay.drainNow();
    assertThat(texts()).hasSize(9).doesNotContain("u 3");
    broker.heal();
    pass(REST.minusSeconds(5));
    relay.drainNow();
    assertThat(texts()).hasSize(9);
    pass(Duration.ofSeconds(5));
    relay.drainNow();
    assertThat(texts()).hasSize(10);
    assertEmpty();
  }

  @Test
  void a_message_given_up_becomes_a_dead_letter_with_its_history() throws Exception {
    ManualRelay relay =
        started(
            relay("a", broker.publisher())
                .retry((attempts, failing) -> attempts < 3 ? Optional.of(REST) : Optional.empty()));
    failOn("u 0");
    commitNumbered(2);
    for (int attempt = 0; attempt < 3; attempt++) {
      relay.drainNow();
      pass(REST);
    }
    assertThat(dead()).hasSize(1);
    assertThat(dead().get(0).reason()).isEqualTo(Reason.EXHAUSTED);
    assertThat(dead().get(0).attempts()).isEqualTo(3);
    assertThat(dead().get(0).history().lines()).hasSize(3);
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 0, 0, 1));
  }

  @Test
  void a_rejected_message_dies_at_once_and_comes_back_by_replay() throws Exception {
    ManualRelay relay = started("a");
    broker.rejectIf(envelope -> envelope.payload().text().equals("u 1"), "no such account");
    List<MessageId> ids = commitNumbered(3);
    relay.drainNow();
    assertThat(dead()).extracting(DeadLetter::reason).containsExactly(Reason.REJECTED);
    broker.heal();
    deadLetters().replay(List.of(dead().get(0).id()));
    relay.drainNow();
    assertThat(broker.messages().get(2).id()).isEqualTo(ids.get(1));
    assertEmpty();
  }

  @Test
  void an_outage_counts_nothing_and_parks_nothing() throws Exception {
    ManualRelay relay = started("a");
    broker.down();
    commitNumbered(5);
    for (int hour = 0; hour < 5; hour++) {
      relay.drainNow();
      pass(Duration.ofHours(1));
    }
    assertThat(tableCounts()).isEqualTo(new TableCounts(5, 0, 0, 0));
    broker.up();
    relay.drainNow();
    assertThat(texts()).hasSize(5);
    assertThat(countingListener.parked).hasValue(0);
    assertEmpty();
  }

  @Test
  void a_parked_message_outlives_an_outage() throws Exception {
    ManualRelay relay = started("a");
    broker.failNext(1, new IllegalStateException("no room"));
    commitNumbered(1);
    relay.drainNow();
    broker.down();
    pass(REST);
    relay.drainNow();
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 1, 0, 0));
    broker.up();
    pass(PAUSE);
    relay.drainNow();
    assertThat(texts()).hasSize(1);
    assertEmpty();
  }

  @Test
  void sick_parked_messages_do_not_keep_a_ready_one_from_trying_whether_the_broker_is_back()
      throws Exception {
    ManualRelay relay = started("a");
    broker.fail(envelope -> true, new IllegalStateException("sick"));
    commitNumbered(3);
    relay.drainNow();
    broker.heal();
    broker.fail(envelope -> true, new ConnectException("refused"));
    pass(REST);
    relay.drainNow();
    commit(unkeyed("healthy"));
    broker.heal();
    broker.fail(
        envelope -> !envelope.payload().text().equals("healthy"),
        new IllegalStateException("sick"));
    for (int probe = 0; probe < 3; probe++) {
      pass(Duration.ofMinutes(1));
      relay.drainNow();
    }
    assertThat(texts()).containsExactly("healthy");
  }

  @Test
  void a_topic_whose_broker_is_away_does_not_stop_one_that_was_quiet() throws Exception {
    ManualRelay relay = started(relay("a", route("down", "quiet")));
    commit(Message.to("quiet").text("before"));
    relay.drainNow();
    commit(Message.to("down").text("waits"));
    relay.drainNow();
    pass(Duration.ofSeconds(61));
    commit(Message.to("quiet").text("after"));
    drainAndPass(relay, 10);
    assertThat(texts()).containsExactly("before", "after");
    assertThat(tableCounts().ready() + tableCounts().parked()).isEqualTo(1);
  }

  @Test
  void nor_does_a_topic_without_a_publisher_that_was_met_first() throws Exception {
    ManualRelay relay = started(relay("a", route("down", "known")));
    commit(Message.to("unknown").text("waits"));
    relay.drainNow();
    commit(Message.to("known").text("leaves"));
    drainAndPass(relay, 10);
    assertThat(texts()).containsExactly("leaves");
    assertThat(tableCounts().ready() + tableCounts().parked()).isEqualTo(1);
  }

  /** The broker of one topic is down, the other goes to the broker of the test. */
  private Publisher route(String down, String healthy) {
    Publisher refusing =
        Publisher.blocking(
            envelope -> {
              throw new ConnectException("refused");
            });
    return Publisher.route(Map.of(down, refusing, healthy, broker.publisher()));
  }

  private void drainAndPass(ManualRelay relay, int seconds) throws Exception {
    for (int second = 0; second < seconds; second++) {
      relay.drainNow();
      pass(Duration.ofSeconds(1));
    }
  }

  @Test
  void a_delayed_message_is_never_early() throws Exception {
    ManualRelay relay = started("a");
    commit(Message.to(TOPIC).deliverAfter(Duration.ofMinutes(1)).text("later"));
    pass(Duration.ofSeconds(55));
    relay.drainNow();
    assertThat(texts()).isEmpty();
    pass(Duration.ofSeconds(5));
    relay.drainNow();
    assertThat(texts()).containsExactly("later");
    assertEmpty();
  }

  @Test
  void an_expired_message_is_buried_unpublished() throws Exception {
    commit(Message.to(TOPIC).notAfter(store().now().minusSeconds(60)).text("expired"));
    started("a").drainNow();
    assertThat(texts()).isEmpty();
    assertThat(dead()).extracting(DeadLetter::reason).containsExactly(Reason.EXPIRED);
  }

  @Test
  void what_a_session_has_claimed_is_skipped_and_comes_back_when_it_dies() throws Exception {
    commitNumbered(10);
    ManualRelay relay = started("a");
    try (RowStore dying = store().rows(PATIENCE)) {
      RowClaim claim = dying.claim(4);
      assertThat(claim.messages()).hasSize(4);
      relay.drainNow();
      assertThat(texts()).hasSize(6);
    }
    relay.drainNow();
    assertThat(texts()).hasSize(10);
    assertEmpty();
  }

  @Test
  void a_settle_whose_reply_was_lost_doubles_nothing() throws Exception {
    ManualRelay relay = started("a");
    commitNumbered(5);
    store().failSettles(AFTER);
    assertThatThrownBy(relay::drainNow).isInstanceOf(StoreException.class);
    relay.drainNow();
    assertThat(texts()).hasSize(5);
    assertEmpty();
  }

  @Test
  void a_settle_that_never_arrived_repeats_what_was_in_the_air_and_loses_nothing()
      throws Exception {
    ManualRelay relay = started("a");
    Set<MessageId> committed = new HashSet<>(commitNumbered(5));
    store().failSettles(BEFORE);
    assertThatThrownBy(relay::drainNow).isInstanceOf(StoreException.class);
    assertThat(tableCounts()).isEqualTo(new TableCounts(5, 0, 0, 0));
    relay.drainNow();
    assertThat(broker.ids()).isEqualTo(committed);
    assertThat(tableCounts()).isEqualTo(TableCounts.EMPTY);
  }

  // Publishers that write in the claim's transaction.

  private Publisher toLedger(List<String> sent) {
    return Publisher.transactional(
        (envelope, transaction) -> {
          if (envelope.topic().equals(TOPIC)) {
            sent.add(envelope.payload().text());
            storeLedger().write(transaction, envelope.payload().text());
          }
        });
  }

  @Test
  void an_effect_and_the_removal_commit_together() throws Exception {
    List<String> sent = new ArrayList<>();
    commitNumbered(9);
    started(relay("a", toLedger(sent))).drainNow();
    assertThat(tableCounts().ready()).isZero();
    assertThat(storeLedger().entries()).isEqualTo(numbers("u", 9));
    assertThat(sent).hasSize(9);
  }

  @Test
  void a_crash_before_the_commit_leaves_neither() throws Exception {
    List<String> sent = new ArrayList<>();
    commitNumbered(3);
    ManualRelay crashing = started(relay("a", toLedger(sent)));
    store().failSettles(BEFORE);
    assertThatThrownBy(crashing::drainNow).isInstanceOf(StoreException.class);
    crashing.crash();
    assertThat(sent).hasSize(3);
    assertThat(tableCounts()).isEqualTo(new TableCounts(3, 0, 0, 0));
    started(relay("b", toLedger(sent))).drainNow();
    assertThat(sent).hasSize(6);
    assertThat(storeLedger().entries()).isEqualTo(numbers("u", 3));
  }

  @Test
  void a_commit_whose_reply_was_lost_has_its_effect_once() throws Exception {
    List<String> sent = new ArrayList<>();
    commitNumbered(3);
    ManualRelay relay = started(relay("a", toLedger(sent)));
    store().failSettles(AFTER);
    assertThatThrownBy(relay::drainNow).isInstanceOf(StoreException.class);
    relay.drainNow();
    assertThat(sent).hasSize(3);
    assertThat(storeLedger().entries()).isEqualTo(numbers("u", 3));
  }

  @Test
  void an_exception_in_one_effect_undoes_only_that() throws Exception {
    List<String> failed = new ArrayList<>();
    Publisher publisher =
        Publisher.transactional(
            (envelope, transaction) -> {
              if (envelope.topic().equals(TOPIC)) {
                storeLedger().write(transaction, envelope.payload().text());
                if (envelope.payload().text().equals("u 2") && failed.isEmpty()) {
                  failed.add("u 2");
                  throw new IllegalStateException("no room");
                }
              }
            });
    commitNumbered(5);
    ManualRelay relay = started(relay("a", publisher));
    relay.drainNow();
    assertThat(tableCounts().parked()).isEqualTo(1);
    assertThat(countingListener.delivered).hasValue(4);
    pass(REST);
    relay.drainNow();
    assertThat(tableCounts().parked()).isZero();
    assertThat(storeLedger().entries()).isEqualTo(numbers("u", 5));
  }

  @Test
  void a_transactional_publisher_of_ones_own_that_throws_has_its_whole_flight_undone()
      throws Exception {
    List<String> sent = new ArrayList<>();
    Own own =
        flight -> {
          for (Envelope envelope : flight.envelopes()) {
            if (envelope.topic().equals(TOPIC)) {
              storeLedger().write(flight.transaction(), envelope.payload().text());
              sent.add(envelope.payload().text());
              if (sent.size() == 3) {
                throw new IllegalStateException("no room");
              }
              flight.ack(envelope, Ack.delivered());
            }
          }
        };
    commitNumbered(5);
    ManualRelay relay = started(relay("a", own));
    relay.drainNow();
    assertThat(sent).hasSize(3);
    assertThat(tableCounts().parked()).isEqualTo(5);
    assertThat(countingListener.delivered).hasValue(0);
    pass(REST);
    relay.drainNow();
    assertThat(tableCounts().parked()).isZero();
    assertThat(storeLedger().entries()).isEqualTo(numbers("u", 5));
  }

  /** A transactional publisher of somebody's own. */
  private interface Own extends Publisher {
    @Override
    default boolean isTransactional() {
      return true;
    }
  }

  @Test
  void in_a_route_a_transactional_publisher_that_throws_undoes_and_holds_its_own_topic_only()
      throws Exception {
    boolean[] down = {true};
    Own banking =
        flight -> {
          for (Envelope envelope : flight.envelopes()) {
            storeLedger().write(flight.transaction(), envelope.payload().text());
            flight.ack(envelope, Ack.delivered());
          }
          if (down[0]) {
            throw new ConnectException("the bank is down");
          }
        };
    Own booking =
        flight -> {
          for (Envelope envelope : flight.envelopes()) {
            storeLedger().write(flight.transaction(), envelope.payload().text());
            flight.ack(envelope, Ack.delivered());
          }
        };
    ManualRelay relay =
        started(relay("a", Publisher.route(Map.of("bank", banking, TOPIC, booking))));
    commit(Message.to("bank").text("b 0"), unkeyed("u 0"), Message.to("bank").text("b 1"));
    relay.drainNow();
    assertThat(countingListener.delivered).hasValue(1);
    commit(unkeyed("u 1"));
    relay.drainNow();
    assertThat(countingListener.delivered).hasValue(2);
    down[0] = false;
    for (int minute = 0; minute < 3; minute++) {
      pass(Duration.ofMinutes(1));
      relay.drainNow();
    }
    assertThat(storeLedger().entries()).containsExactlyInAnyOrder("b 0", "b 1", "u 0", "u 1");
    assertThat(dead()).isEmpty();
  }

  @Test
  void a_classifier_reads_what_a_transactional_publisher_of_ones_own_throws() throws Exception {
    Own own =
        flight -> {
          storeLedger().write(flight.transaction(), "half an effect");
          throw new IllegalArgumentException("no such account");
        };
    commitNumbered(2);
    Publisher rejecting = own.classify(cause -> Ack.rejected(String.valueOf(cause.getMessage())));
    started(relay("a", rejecting)).drainNow();
    assertThat(dead())
        .extracting(DeadLetter::error)
        .containsExactly("no such account", "no such account");
    assertThat(storeLedger().entries()).isEmpty();
  }

  @Test
  void a_statement_that_the_database_refuses_undoes_only_its_own_effect() throws Exception {
    if (TableCounts.isWithoutSql(environment())) {
      return;
    }
    Publisher publisher =
        Publisher.transactional(
            (envelope, transaction) -> {
              storeLedger().write(transaction, envelope.payload().text());
              if (envelope.payload().text().equals("u 2")) {
                transaction.createStatement().execute("INSERT INTO no_such_table VALUES (1)");
              }
            });
    commitNumbered(5);
    started(relay("a", publisher)).drainNow();
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 1, 0, 0));
    assertThat(storeLedger().entries()).containsExactly("u 0", "u 1", "u 3", "u 4");
  }

  @Test
  void a_rejected_effect_is_undone_and_its_message_buried() throws Exception {
    Publisher publisher =
        Publisher.transactional(
                (envelope, transaction) -> {
                  if (envelope.topic().equals(TOPIC)) {
                    storeLedger().write(transaction, envelope.payload().text());
                    if (envelope.payload().text().equals("u 1")) {
                      throw new IllegalArgumentException("no such account");
                    }
                  }
                })
            .classify(cause -> Ack.rejected(String.valueOf(cause.getMessage())));
    commitNumbered(3);
    started(relay("a", publisher)).drainNow();
    assertThat(dead()).extracting(DeadLetter::error).containsExactly("no such account");
    assertThat(storeLedger().entries()).containsExactly("u 0", "u 2");
  }

  @Test
  void an_effect_of_a_broken_transaction_leaves_neither() throws Exception {
    List<String> sent = new ArrayList<>();
    Publisher publisher =
        Publisher.transactional(
            (envelope, transaction) -> {
              sent.add(envelope.payload().text());
              storeLedger().write(transaction, envelope.payload().text());
              throw new StackOverflowError("too deep");
            });
    commitNumbered(1);
    started(relay("a", publisher)).drainNow();
    assertThat(sent).hasSize(1);
    assertThat(storeLedger().entries()).isEmpty();
    assertThat(tableCounts().ready() + tableCounts().parked()).isEqualTo(1);
  }

  @Test
  void a_transaction_that_ended_in_the_middle_of_a_flight_leaves_neither() throws Exception {
    if (!tellsThatATransactionEnded()) {
      return;
    }
    List<String> sent = new ArrayList<>();
    Publisher deadlocked =
        Publisher.transactional(
            (envelope, transaction) -> {
              if (envelope.topic().equals(TOPIC)) {
                storeLedger().write(transaction, envelope.payload().text());
                sent.add(envelope.payload().text());
                if (sent.size() == 2) {
                  // as MySQL and H2 do with the victim of a deadlock
                  transaction.rollback();
                  throw new SQLTransactionRollbackException("deadlock", "40001");
                }
              }
            });
    commitNumbered(5);
    ManualRelay relay = started(relay("a", deadlocked));
    assertThatThrownBy(relay::drainNow).isInstanceOf(StoreException.class);
    assertThat(tableCounts()).isEqualTo(new TableCounts(5, 0, 0, 0));
    relay.drainNow();
    assertThat(tableCounts().ready() + tableCounts().parked()).isZero();
    assertThat(storeLedger().entries()).isEqualTo(numbers("u", 5));
  }

  /** H2's driver releases a savepoint without asking the database. */
  private boolean tellsThatATransactionEnded() throws Exception {
    try (Connection connection = begin()) {
      Savepoint begin = connection.setSavepoint();
      connection.rollback();
      connection.releaseSavepoint(begin);
      return false;
    } catch (SQLException e) {
      return true;
    }
  }

  @Test
  void a_relay_that_expects_lanes_is_refused() {
    Relay.Builder builder = Relay.builder(store(), broker.publisher()).claiming(Claiming.LANES);
    assertThatThrownBy(builder::start)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "claiming is LANES, but the tables are made for ROWS; the two never run on one table, so change the setting or"
                + " make new tables with Schema");
  }

  /** Refusals over tables that are claimed by lanes. */
  public abstract static class OverLanes extends RelayCases {
    protected OverLanes(Opener opener) {
      super(opener);
    }

    @Test
    void a_relay_that_expects_rows_is_refused() {
      Relay.Builder builder = Relay.builder(store(), broker.publisher()).claiming(Claiming.ROWS);
      assertThatThrownBy(builder::start)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("claiming is ROWS, but the tables are made for LANES;");
      assertThat(store().sessions()).isZero();
    }

    @Test
    void a_transactional_publisher_is_refused() {
      Publisher transactional = Publisher.transactional((envelope, transaction) -> {});
      Relay.Builder builder = Relay.builder(store(), transactional);
      assertThatThrownBy(builder::start)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "publisher is transactional, which needs tables claimed by ROWS, but these are made for LANES");
      assertThat(store().sessions()).isZero();
    }
  }
}
