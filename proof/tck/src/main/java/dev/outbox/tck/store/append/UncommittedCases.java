package dev.outbox.tck.store.append;

import static dev.outbox.tck.fixture.Sample.keyed;
import static dev.outbox.tck.fixture.Sample.message;
import static dev.outbox.tck.fixture.Sample.numbered;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetter;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.spi.DeadStore;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.SettleResult;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.Sample;
import dev.outbox.tck.fixture.StoreCases;
import dev.outbox.testkit.internal.Crew;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What others have not committed makes no one wait. */
public abstract class UncommittedCases extends StoreCases {
  protected UncommittedCases(Opener opener) {
    super(opener);
  }

  private final List<Connection> open = new ArrayList<>();

  /**
   * Open transactions of every isolation level that have appended to the lanes and the delayed
   * table.
   */
  private void leaveUncommitted() throws Exception {
    for (int isolation :
        List.of(
            Connection.TRANSACTION_READ_COMMITTED,
            Connection.TRANSACTION_REPEATABLE_READ,
            Connection.TRANSACTION_SERIALIZABLE)) {
      Connection connection = begin(isolation);
      store()
          .append(
              connection,
              List.of(
                  keyed("k", "uncommitted"),
                  Sample.unkeyed("uncommitted"),
                  message(OTHER, "k", "uncommitted"),
                  Sample.after(SOON, "uncommitted")));
      open.add(connection);
    }
  }

  /** Nothing of theirs was lost or blocked either. */
  private void assertTheyCommit(LaneStore relay) throws Exception {
    for (Connection connection : open) {
      connection.commit();
    }
    assertThat(texts(readAll(relay))).hasSize(9).containsOnly("uncommitted");
  }

  private void settleAll(int count, Function<StoredEnvelope, Fate> fate) throws Exception {
    leaveUncommitted();
    commit(numbered("k", count));
    LaneStore relay = relay("a");
    Lease lease = claimFirst(relay);
    leaveUncommitted();
    List<Fate> fates = readAll(relay).stream().map(fate).toList();
    assertThat(fates).hasSize(count);
    SettleResult settleResult = Crew.within(SOON, () -> settle(relay, lease, fates));
    assertThat(settled(settleResult).missing()).isZero();
    for (Connection connection : open.subList(3, 6)) {
      connection.rollback();
    }
    open.subList(3, 6).clear();
    assertTheyCommit(relay);
  }

  @Test
  void all_of_a_small_table_is_delivered() throws Exception {
    settleAll(3, StoreCases::deliver);
  }

  @Test
  void all_of_a_larger_table_is_delivered() throws Exception {
    settleAll(1_000, StoreCases::deliver);
  }

  @Test
  void all_of_a_small_table_is_parked() throws Exception {
    settleAll(3, storedEnvelope -> fail(storedEnvelope, LEASE));
  }

  @Test
  void all_of_a_larger_table_is_parked() throws Exception {
    settleAll(1_000, storedEnvelope -> fail(storedEnvelope, LEASE));
  }

  @Test
  void all_of_a_small_table_is_buried() throws Exception {
    settleAll(3, StoreCases::bury);
  }

  @Test
  void lanes_are_claimed_read_renewed_and_released() throws Exception {
    leaveUncommitted();
    LaneStore relay = relay("a");
    List<Lease> leases = Crew.within(SOON, () -> claimAll(relay));
    assertThat(Crew.within(SOON, () -> readAll(relay))).isEmpty();
    assertThat(Crew.within(SOON, () -> readDue(relay))).isEmpty();
    for (Lease lease : leases) {
      Crew.within(SOON, () -> settled(settle(relay, lease)));
    }
    assertTheyCommit(relay);
  }

  @Test
  void due_messages_are_promoted() throws Exception {
    commit(Sample.after(SOON, "due"));
    passTime(SOON.plusSeconds(1));
    leaveUncommitted();
    LaneStore relay = relay("a");
    List<Lease> leases = claimAll(relay);
    assertThat(Crew.within(SOON, () -> relay.promoteDue(leases, 10))).isEqualTo(1);
    Lease lease =
        leases.stream().filter(each -> each.lane().equals(LANE)).findFirst().orElseThrow();
    Crew.within(SOON, () -> settled(settle(relay, lease, deliver(read(relay, LANE)))));
    assertTheyCommit(relay);
  }

  @Test
  void dead_letters_are_replayed_discarded_and_purged() throws Exception {
    commit(numbered("k", 6));
    LaneStore relay = relay("a");
    Lease lease = claimFirst(relay);
    settle(relay, lease, readAll(relay).stream().map(StoreCases::bury).toList());
    leaveUncommitted();
    DeadStore dead = store().deadLetters();
    List<DeadLetter.Id> numbers =
        dead.page(Filter.all(), 0, 10).stream().map(DeadLetter::id).toList();
    assertThat(Crew.within(SOON, () -> dead.replay(numbers.subList(0, 2)))).isEqualTo(2);
    assertThat(Crew.within(SOON, () -> dead.discard(numbers.subList(2, 4)))).isEqualTo(2);
    assertThat(Crew.within(SOON, () -> dead.purge(Duration.ofDays(1), 10))).isZero();
    List<StoredEnvelope> replayed = read(relay, LANE);
    assertThat(replayed).hasSize(2);
    Crew.within(SOON, () -> settled(settle(relay, lease, deliver(replayed))));
    assertTheyCommit(relay);
  }

  @Test
  void writers_do_not_wait_for_each_other() throws Exception {
    leaveUncommitted();
    LaneStore relay = relay("a");
    Crew.within(
        SOON,
        () -> {
          commit(numbered("k", 10));
          return 0;
        });
    List<StoredEnvelope> stored = readAll(relay);
    assertThat(stored).hasSize(10);
    settle(relay, claimFirst(relay), deliver(stored));
    assertTheyCommit(relay);
  }
}
