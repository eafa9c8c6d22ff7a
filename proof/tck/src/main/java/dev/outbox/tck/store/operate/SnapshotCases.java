package dev.outbox.tck.store.operate;

import static dev.outbox.tck.fixture.Sample.after;
import static dev.outbox.tck.fixture.Sample.keyed;
import static dev.outbox.tck.fixture.Sample.message;
import static dev.outbox.tck.fixture.Sample.unkeyed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Snapshot;
import dev.outbox.Topics;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.RowClaim;
import dev.outbox.spi.RowStore;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.lane.LiveRelay;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.tck.StoreEnvironment;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.Sample;
import dev.outbox.tck.fixture.StoreCases;
import dev.outbox.testkit.internal.Crew;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A snapshot tells how much there is, and counts no further than asked. */
public abstract class SnapshotCases extends StoreCases {
  private static final long MANY = 1_000_000;

  protected SnapshotCases(Opener opener) {
    super(opener);
  }

  private Snapshot snapshot() {
    return store().snapshot(MANY);
  }

  private static List<String> owners(Snapshot snapshot) {
    return snapshot.lanes().stream()
        .map(lane -> Objects.requireNonNullElse(lane.owner(), "nobody"))
        .toList();
  }

  private static void assertAbout(@Nullable Duration age, Duration expected) {
    assertThat(age).isNotNull();
    assertThat(Objects.requireNonNull(age))
        .isBetween(expected.minusSeconds(30), expected.plusSeconds(60));
  }

  /** A relay that has settled four messages: two parked, one of them due, and one dead. */
  private void parkAndBury() throws Exception {
    commit(keyed("a", "1"), keyed("b", "2"), keyed("c", "3"), keyed("d", "4"));
    LaneStore relay = relay("settler");
    Lease lease = lane0(relay);
    List<StoredEnvelope> stored = read(relay, LANE);
    settle(
        relay,
        lease,
        fail(stored.get(0), Duration.ZERO),
        fail(stored.get(1), Duration.ofDays(300)),
        bury(stored.get(2)),
        deliver(stored.get(3)));
  }

  private Lease lane0(LaneStore relay) {
    return claimAll(relay).stream()
        .filter(lease -> lease.lane().equals(LANE))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void it_has_what_is_set_per_topic_also_of_topics_without_messages() {
    Topics topics = Topics.create(store());
    topics.pause("mails");
    topics.limit("orders", 5);

    Snapshot snapshot = snapshot();

    assertThat(snapshot.settings()).isEqualTo(topics.settings()).hasSize(2);
    assertThat(snapshot.pausedTopics()).containsExactly("mails");
    topics.resume("mails");
    assertThat(snapshot().pausedTopics()).isEmpty();
  }

  @Test
  void an_empty_store_has_nothing_to_count() {
    Snapshot snapshot = snapshot();
    assertThat(snapshot.ready() + snapshot.parked() + snapshot.delayed() + snapshot.dead())
        .isZero();
    assertThat(snapshot.oldestReady()).isNull();
    assertThat(snapshot.oldestDue()).isNull();
    assertThat(snapshot.relays()).isEmpty();
    assertThat(snapshot.lanes())
        .extracting(each -> each.lane().number())
        .containsExactlyInAnyOrder(0, 1, 2, 3);
    assertThat(owners(snapshot)).containsOnly("nobody");
  }

  @Test
  void every_table_is_counted() throws Exception {
    parkAndBury();
    commit(unkeyed("5"), keyed("k", "6"), message(OTHER, "k", "7"), after(SOON, "8"));
    commit(Sample.of("mails", "m", "9"));
    Snapshot snapshot = snapshot();
    assertThat(snapshot.ready()).isEqualTo(4);
    assertThat(snapshot.parked()).isEqualTo(2);
    assertThat(snapshot.delayed()).isEqualTo(1);
    assertThat(snapshot.dead()).isEqualTo(1);
    assertThat(snapshot.topics())
        .isEqualTo(
            Map.of(
                Sample.TOPIC,
                new Snapshot.Depth(3, 2, 1, 1),
                "mails",
                new Snapshot.Depth(1, 0, 0, 0)));
  }

  @Test
  void nothing_is_counted_further_than_the_bound() throws Exception {
    parkAndBury();
    commit(Sample.numbered("k", 50));
    Snapshot bounded = store().snapshot(20);
    assertThat(bounded.ready()).isEqualTo(20);
    assertThat(bounded.parked()).isEqualTo(2);
    assertThat(store().snapshot(1))
        .extracting(Snapshot::ready, Snapshot::parked, Snapshot::delayed, Snapshot::dead)
        .containsExactly(1L, 1L, 0L, 1L);
    assertThat(store().snapshot(50).ready()).isEqualTo(50);
  }

  @Test
  void the_oldest_ready_message_tells_its_age_whatever_the_bound() throws Exception {
    commit(message(OTHER, "k", "old"));
    passTime(Duration.ofMinutes(20));
    commit(Sample.numbered("k", 20));
    assertAbout(snapshot().oldestReady(), Duration.ofMinutes(20));
    assertAbout(store().snapshot(1).oldestReady(), Duration.ofMinutes(20));
    LaneStore relay = relay("a");
    Lease lease =
        claimAll(relay).stream()
            .filter(each -> each.lane().equals(OTHER))
            .findFirst()
            .orElseThrow();
    settle(relay, lease, deliver(read(relay, OTHER)));
    assertAbout(snapshot().oldestReady(), Duration.ZERO);
  }

  @Test
  void the_oldest_due_message_tells_since_when() throws Exception {
    parkAndBury();
    passTime(Duration.ofMinutes(20));
    assertAbout(snapshot().oldestDue(), Duration.ofMinutes(20));
  }

  @Test
  void what_backs_off_or_waits_for_its_topic_has_no_due_age() throws Exception {
    commit(keyed("a", "1"), keyed("b", "2"));
    LaneStore relay = relay("a");
    Lease lease = lane0(relay);
    List<StoredEnvelope> stored = read(relay, LANE);
    settle(relay, lease, fail(stored.get(0), Duration.ofDays(300)), hold(stored.get(1)));
    passTime(Duration.ofMinutes(20));
    assertThat(snapshot().oldestDue()).isNull();
    assertThat(snapshot().parked()).isEqualTo(2);
  }

  @Test
  void lanes_tell_their_owners_until_they_are_released_or_run_out() throws Exception {
    LaneStore first = relay("first");
    Lease lease = claimOne(first);
    relay("second").claim(2);
    assertThat(owners(snapshot())).containsExactlyInAnyOrder("first", "second", "second", "nobody");
    assertThat(snapshot().lanes()).contains(new Snapshot.OwnedLane(lease.lane(), "first"));
    release(first, lease);
    assertThat(owners(snapshot()))
        .containsExactlyInAnyOrder("second", "second", "nobody", "nobody");
    passTime(LEASE.plusSeconds(1));
    assertThat(owners(snapshot())).containsOnly("nobody");
  }

  @Test
  void live_relays_are_listed() throws Exception {
    store().registry().beat("b", LEASE, true);
    store().registry().beat("a", LEASE.multipliedBy(3), false);
    assertThat(snapshot().relays()).isEqualTo(store().registry().live());
    assertThat(snapshot().relays()).extracting(LiveRelay::name).containsExactly("a", "b");
    passTime(LEASE.plusSeconds(1));
    assertThat(snapshot().relays()).extracting(LiveRelay::name).containsExactly("a");
  }

  @Test
  void what_is_not_committed_is_not_counted_and_makes_nobody_wait() throws Exception {
    store().append(begin(), List.of(keyed("k", "1"), after(SOON, "2")));
    try (AutoCloseable lock = environment().lock(LANE)) {
      assertThat(lock).isNotNull();
      Snapshot snapshot = Crew.within(SOON, this::snapshot);
      assertThat(snapshot.ready() + snapshot.delayed()).isZero();
      assertThat(snapshot.oldestReady()).isNull();
    }
  }

  @Test
  void where_claims_are_by_rows_there_are_no_lanes_to_own() throws Exception {
    try (StoreEnvironment rows = opener.open(StoreSetting.rows());
        RowStore worker = rows.store().rows(LEASE)) {
      for (String text : List.of("1", "2", "3")) {
        try (Connection connection = rows.applications().getConnection()) {
          connection.setAutoCommit(false);
          rows.store().append(connection, List.of(unkeyed(text)));
          connection.commit();
        }
      }
      try (RowClaim claim = worker.claim(2)) {
        List<StoredEnvelope> stored = claim.messages();
        claim.settle(List.of(bury(stored.get(0)), fail(stored.get(1), Duration.ZERO)));
      }
      Snapshot snapshot = Crew.within(SOON, () -> rows.store().snapshot(MANY));
      assertThat(snapshot)
          .extracting(Snapshot::ready, Snapshot::parked, Snapshot::delayed, Snapshot::dead)
          .containsExactly(1L, 1L, 0L, 1L);
      assertThat(snapshot.oldestDue()).isNotNull();
      assertThat(snapshot.lanes()).isEmpty();
    }
  }
}
