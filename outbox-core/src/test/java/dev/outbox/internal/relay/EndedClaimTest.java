package dev.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.outbox.StoreException;
import dev.outbox.Topics.Setting;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Publisher.SendInTransaction;
import dev.outbox.publish.RelayListener;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.StoredEnvelope;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The transaction of a claim ends while its messages are published. */
class EndedClaimTest {
  private static final SendInTransaction COMMITS = (envelope, session) -> session.commit();

  /** As on PostgreSQL, where the transaction goes on from the message's own savepoint. */
  private static final SendInTransaction FAILS_BY_DEADLOCK =
      (envelope, session) -> {
        throw new SQLTransactionRollbackException("deadlock", "40P01");
      };

  /** As on MySQL and H2. */
  private static final SendInTransaction IS_ROLLED_BACK_BY_DEADLOCK =
      (envelope, session) -> {
        session.rollback();
        throw new SQLTransactionRollbackException("deadlock", "40001");
      };

  private final ScriptedRows rows = new ScriptedRows();
  private final List<Envelope> sent = new ArrayList<>();
  private ScriptedSession session = new ScriptedSession("3B001");
  private @Nullable RowWorker worker;

  @Test
  void a_claim_that_a_publisher_may_have_committed_is_told_with_what_may_be_gone() {
    requireMayBeGone(ended(COMMITS));
  }

  @Test
  void one_that_the_database_has_rolled_back_is_not() {
    assertThat(ended(IS_ROLLED_BACK_BY_DEADLOCK)).noneMatch(line -> line.contains("may be gone"));
  }

  @Test
  void one_that_was_committed_is_told_though_another_message_failed_by_a_deadlock() {
    requireMayBeGone(ended(COMMITS, FAILS_BY_DEADLOCK));
    requireMayBeGone(ended(FAILS_BY_DEADLOCK, COMMITS));
  }

  /** A commit before the deadlock would look the same. Claims without a deadlock show that one. */
  @Test
  void one_that_is_rolled_back_behind_a_delivered_message_is_not() {
    assertThat(ended((envelope, claim) -> {}, IS_ROLLED_BACK_BY_DEADLOCK))
        .noneMatch(line -> line.contains("may be gone"));
  }

  @Test
  void so_is_one_of_which_the_publisher_has_lost_another_connection_only() {
    requireMayBeGone(
        ended(
            (envelope, claim) -> {
              claim.commit();
              throw new SQLException("the other database is down", "08001");
            }));

    goOn();
    assertThat(sent).as("it counts as an attempt").hasSize(1);
    assertThat(rows.settled).singleElement().isInstanceOf(Fate.Park.class);
  }

  /** A pool closes what it takes for lost, and says no state afterwards. */
  @ParameterizedTest
  @ValueSource(strings = {"08006", "57P01", "25P03", "90067"})
  void one_whose_connection_is_lost_is_not_either(String state) {
    rows.lost = state;

    requirePublishedAgain(
        ended(
            (envelope, claim) -> {
              session.lose(() -> new SQLException("the connection is closed"));
              throw new SQLException("terminated", state);
            }));
  }

  @Test
  void one_whose_connection_is_lost_in_a_batch_is_not_either() {
    requirePublishedAgain(
        ended(
            (envelope, claim) -> {
              session.lose(() -> new SQLException("the connection is closed"));
              SQLException batch = new SQLException("a batch failed", "HY000");
              batch.setNextException(new SQLException("terminated", "08006"));
              throw new IllegalStateException(batch);
            }));
  }

  @Test
  void one_whose_connection_says_itself_that_it_is_lost_is_not_either() {
    rows.lost = "90007";

    requirePublishedAgain(
        ended(
            (envelope, claim) ->
                session.lose(() -> new SQLException("the object is already closed", "90007"))));
  }

  /** As MariaDB's driver does: the new server has no such savepoint. */
  @Test
  void one_whose_connection_went_on_to_another_server_is_not_either() {
    session = new ScriptedSession("42000");

    requirePublishedAgain(
        ended(
            (envelope, claim) -> {
              claim.rollback();
              throw new SQLTransientConnectionException("reconnected", "25S03");
            }));
  }

  @Test
  void a_refusal_whose_causes_lead_in_a_circle_is_told() {
    requirePublishedAgain(ended((envelope, claim) -> session.lose(EndedClaimTest::inACircle)));
  }

  private static SQLException inACircle() {
    SQLException refusal = new SQLException("the connection is closed", "08003");
    refusal.initCause(new IllegalStateException("inside of the driver", refusal));
    return refusal;
  }

  @Test
  void a_claim_that_is_lost_in_flight_keeps_no_place_of_its_topic() {
    rows.topics = Map.of(Samples.TOPIC, Setting.NONE.withInFlight(1));
    session.lose(() -> new SQLException("lost", "08006"));
    ended((envelope, claim) -> {});
    assertThat(sent).isEmpty();

    goOn();

    assertThat(sent).hasSize(1);
  }

  /** What is told of a turn in which each message of a claim is sent so. */
  private List<String> ended(SendInTransaction... sends) {
    rows.ready =
        IntStream.rangeClosed(1, sends.length).mapToObj(id -> Samples.of(id, new byte[0])).toList();
    rows.transaction = session.connection();
    Iterator<SendInTransaction> left = List.of(sends).iterator();
    worker =
        new RowWorker(
            ScriptedStore.ofRows(() -> rows),
            Publisher.transactional(
                (envelope, transaction) -> {
                  sent.add(envelope);
                  if (left.hasNext()) {
                    left.next().send(envelope, transaction);
                  }
                }),
            Samples.settings(RelayListener.SILENT),
            Samples.surroundings(Ticker.of(() -> Samples.START)));
    return LogLines.of(
        () -> assertThatExceptionOfType(StoreException.class).isThrownBy(worker::step));
  }

  /** The next turn, with another session. */
  private void goOn() {
    worker.afterFailure(StoreException.passing("ended", null));
    rows.transaction = new ScriptedSession("3B001").connection();
    worker.step();
  }

  private void requireMayBeGone(List<String> told) {
    String[] ids =
        rows.ready.stream()
            .map(StoredEnvelope::envelope)
            .map(envelope -> envelope.id().toString())
            .toArray(String[]::new);
    assertThat(told)
        .filteredOn(line -> line.contains("may be gone"))
        .singleElement()
        .satisfies(line -> assertThat(line).contains(ids).contains("ERROR", "enqueue"));
  }

  /** Without a word of what may be gone, and without an attempt. */
  private void requirePublishedAgain(List<String> told) {
    assertThat(told).noneMatch(line -> line.contains("may be gone"));
    int before = sent.size();
    goOn();
    assertThat(sent).hasSize(before + 1);
    assertThat(rows.settled).singleElement().isInstanceOf(Fate.Deliver.class);
  }
}
