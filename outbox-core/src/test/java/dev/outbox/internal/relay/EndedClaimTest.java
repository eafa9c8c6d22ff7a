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

  /** As on MySQL and H2. */
  private static final SendInTransaction IS_ROLLED_BACK_BY_DEADLOCK =
      (envelope, session) -> {
        session.rollback();
        throw new SQLTransactionRollbackException("deadlock", "40001");
      };

  private final ScriptedRows rows = new ScriptedRows();
  private final List<Envelope> sent = new ArrayList<>();
  private final ScriptedSession session = new ScriptedSession("3B001");
  private @Nullable RowWorker worker;

  @Test
  void a_claim_that_a_publisher_may_have_committed_is_told_with_what_may_be_gone() {
    requireMayBeGone(ended(COMMITS));
  }

  @Test
  void one_that_the_database_has_rolled_back_is_not() {
    assertThat(ended(IS_ROLLED_BACK_BY_DEADLOCK)).noneMatch(line -> line.contains("may be gone"));
  }

  /** A pool closes what it takes for lost, and says no state afterwards. */
  @ParameterizedTest
  @ValueSource(strings = {"08006", "57P01"})
  void one_whose_connection_is_lost_is_not_either(String state) {
    requirePublishedAgain(
        ended(
            (envelope, claim) -> {
              session.lose(() -> new SQLException("the connection is closed"));
              throw new SQLException("terminated", state);
            }));
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
