package dev.outbox.tck.store.operate;

import static dev.outbox.tck.fixture.Sample.keyed;
import static dev.outbox.tck.fixture.Sample.numbered;
import static dev.outbox.tck.fixture.Sample.numbers;
import static dev.outbox.tck.fixture.Sample.unkeyed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.NewEnvelope;
import dev.outbox.spi.settle.RetryState;
import dev.outbox.spi.settle.SettleResult;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.tck.StoreEnvironment;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.OneLaneCases;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.Sample;
import dev.outbox.tck.fixture.StoreCases;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is held with its topic waits for its release, or for the one before it to leave. */
public abstract class TopicHoldCases extends OneLaneCases {
  protected TopicHoldCases(Opener opener) {
    super(opener);
  }

  private SettleResult holdAll(NewEnvelope... messages) throws Exception {
    return settle(relay, lease, ready(messages).stream().map(StoreCases::hold).toList());
  }

  private int release(int atMost) {
    return relay.release(List.of(lease), Set.of(), atMost);
  }

  @Test
  void it_never_falls_due_by_itself() throws Exception {
    assertThat(settled(holdAll(keyed("k", "1"), keyed("k", "2"), unkeyed("3"))).freed()).isEmpty();
    assertThat(readAll(relay)).isEmpty();
    assertThat(readDue(relay)).isEmpty();
    passTime(Duration.ofDays(30));
    assertThat(readDue(relay)).isEmpty();
  }

  @Test
  void it_holds_its_key() throws Exception {
    holdAll(keyed("k", "1"), unkeyed("2"));
    assertThat(takeOver(relay("b")).held()).containsExactly(held("k"));
  }

  @Test
  void a_release_makes_the_first_of_each_key_due_and_those_without_a_key() throws Exception {
    holdAll(keyed("a", "a1"), unkeyed("1"), keyed("a", "a2"), keyed("b", "b1"), unkeyed("2"));
    assertThat(release(100)).isEqualTo(4);
    assertThat(texts(readDue(relay)))
        .containsExactlyInAnyOrder("a1", "a2", "1", "b1", "2")
        .containsSubsequence("a1", "a2");
    assertThat(release(100)).isZero();
  }

  @Test
  void a_release_takes_no_more_than_asked_in_the_order_of_ids() throws Exception {
    holdAll(keyed("a", "1"), unkeyed("2"), keyed("b", "3"), unkeyed("4"), keyed("c", "5"));
    assertThat(release(2)).isEqualTo(2);
    assertThat(texts(readDue(relay))).containsExactlyInAnyOrder("1", "2");
    assertThat(release(2)).isEqualTo(2);
    assertThat(texts(readDue(relay))).containsExactlyInAnyOrder("1", "2", "3", "4");
    assertThat(release(2)).isEqualTo(1);
    assertThat(texts(readDue(relay))).containsExactlyInAnyOrder("1", "2", "3", "4", "5");
    assertThat(release(2)).isZero();
  }

  @Test
  void what_is_behind_a_message_that_somebody_deleted_does_not_wait_for_it() throws Exception {
    List<StoredEnvelope> read = ready(keyed("k", "deleted"), keyed("k", "2"));
    environment().remove(read.get(0).id());
    settle(relay, lease, read.stream().map(StoreCases::hold).toList());
    release(100);
    assertThat(texts(readDue(relay))).containsExactly("2");
  }

  @Test
  void a_key_with_many_behind_it_is_one_release() throws Exception {
    holdAll(numbered("k", 1_000).toArray(new NewEnvelope[0]));
    assertThat(release(100)).isEqualTo(1);
    assertThat(texts(readDue(relay))).isEqualTo(numbers("k", 1_000));
  }

  @Test
  void topics_that_are_still_held_are_not_released() throws Exception {
    holdAll(
        Sample.of("held", "k", "1"),
        Sample.of("free", "k", "2"),
        Sample.of("held", null, "3"),
        Sample.of("free", null, "4"));
    assertThat(relay.release(List.of(lease), Set.of("held", "unknown"), 100)).isEqualTo(2);
    assertThat(texts(readDue(relay))).containsExactlyInAnyOrder("2", "4");
    assertThat(release(100)).isEqualTo(2);
    assertThat(texts(readDue(relay))).containsExactlyInAnyOrder("1", "2", "3", "4");
  }

  @Test
  void other_lanes_are_not_released() throws Exception {
    try (StoreEnvironment wide = opener.open(StoreSetting.lanes(2));
        LaneStore reader = wide.store().lanes("a", LEASE)) {
      List<Lease> leases = claimAllOf(reader);
      try (Connection connection = wide.applications().getConnection()) {
        connection.setAutoCommit(false);
        wide.store().append(connection, List.of(keyed("k", "0"), Sample.message(OTHER, null, "1")));
        connection.commit();
      }
      for (Lease each : leases) {
        settle(reader, each, hold(read(reader, each.lane()).get(0)));
      }
      assertThat(reader.release(List.of(), Set.of(), 10)).isZero();
      assertThat(reader.release(List.of(of(OTHER, leases)), Set.of(), 10)).isEqualTo(1);
      assertThat(texts(readDue(reader, 10, LANE, OTHER))).containsExactly("1");
      assertThat(reader.release(leases, Set.of(), 10)).isEqualTo(1);
    }
  }

  @Test
  void a_lane_that_was_lost_does_not_keep_the_others_from_being_released() throws Exception {
    try (StoreEnvironment wide = opener.open(StoreSetting.lanes(2));
        LaneStore reader = wide.store().lanes("a", LEASE)) {
      List<Lease> leases = claimAllOf(reader);
      try (Connection connection = wide.applications().getConnection()) {
        connection.setAutoCommit(false);
        for (int number = 0; number < 8; number++) {
          wide.store()
              .append(
                  connection,
                  List.of(
                      keyed("k" + number, "lost"),
                      Sample.message(OTHER, "k" + number, "" + number)));
        }
        connection.commit();
      }
      for (Lease each : leases) {
        settle(reader, each, read(reader, each.lane()).stream().map(StoreCases::hold).toList());
      }
      StoreCases.release(reader, of(LANE, leases));

      assertThat(reader.release(leases, Set.of(), 6)).isEqualTo(6);
      assertThat(reader.release(leases, Set.of(), 6)).isEqualTo(2);
      assertThat(texts(readDue(reader, 10, LANE, OTHER))).hasSize(8).doesNotContain("lost");
    }
  }

  private static Lease of(Lane lane, List<Lease> leases) {
    return leases.stream().filter(each -> each.lane().equals(lane)).findFirst().orElseThrow();
  }

  private static List<Lease> claimAllOf(LaneStore relay) {
    return relay.claim(2).stream().map(LaneClaim::lease).toList();
  }

  @Test
  void what_backs_off_after_its_own_failure_goes_on_doing_so() throws Exception {
    List<StoredEnvelope> stored = ready(keyed("k", "1"), unkeyed("2"));
    settle(relay, lease, fail(stored.get(0), LEASE), fail(stored.get(1), LEASE));
    assertThat(release(100)).isZero();
    assertThat(readDue(relay)).isEmpty();
  }

  @Test
  void what_stands_behind_a_failed_one_is_not_released_before_it_has_left() throws Exception {
    List<StoredEnvelope> stored = ready(keyed("k", "1"), keyed("k", "2"));
    settle(relay, lease, fail(stored.get(0), LEASE), hold(stored.get(1)));
    assertThat(release(100)).isZero();
    passTime(LEASE.plusSeconds(1));
    SettleResult settleResult = settle(relay, lease, deliver(readDue(relay).get(0)));
    assertThat(settled(settleResult).freed()).isEmpty();
    assertThat(texts(readDue(relay))).containsExactly("2");
  }

  @Test
  void the_next_of_its_key_falls_due_when_the_one_before_it_is_delivered() throws Exception {
    holdAll(keyed("k", "1"), keyed("k", "2"), keyed("k", "3"));
    release(100);
    assertThat(settled(settle(relay, lease, deliver(readDue(relay).get(0)))).freed()).isEmpty();
    assertThat(texts(readDue(relay))).containsExactly("2", "3");
    SettleResult rest = settle(relay, lease, deliver(readDue(relay)));
    assertThat(settled(rest).freed()).containsExactly(held("k"));
  }

  @Test
  void the_next_of_its_key_falls_due_when_the_one_before_it_is_buried() throws Exception {
    holdAll(keyed("k", "1"), keyed("k", "2"));
    release(100);
    settle(relay, lease, bury(readDue(relay).get(0)));
    assertThat(texts(readDue(relay))).containsExactly("2");
  }

  @Test
  void it_falls_due_when_a_follower_is_parked_behind_it() throws Exception {
    holdAll(keyed("k", "1"));
    settle(relay, lease, follow(ready(keyed("k", "2")).get(0)));
    assertThat(texts(readDue(relay))).containsExactly("1", "2");
  }

  @Test
  void a_due_message_is_put_back_with_what_is_known_of_it() throws Exception {
    List<StoredEnvelope> stored = ready(keyed("k", "1"), unkeyed("2"));
    settle(relay, lease, fail(stored.get(0), 3, Duration.ZERO), hold(stored.get(1)));
    release(100);
    passTime(Duration.ofMinutes(10));
    settle(relay, lease, readDue(relay).stream().map(StoreCases::hold).toList());
    assertThat(readDue(relay)).isEmpty();
    assertThat(release(100)).isEqualTo(2);
    List<StoredEnvelope> due = readDue(relay);
    assertThat(texts(due)).containsExactlyInAnyOrder("1", "2");
    RetryState failed = requireParking(due.get(texts(due).indexOf("1")));
    assertThat(failed.attempts()).isEqualTo(3);
    assertThat(failed.history()).isEqualTo("history 3");
    assertThat(failed.failing()).isBetween(Duration.ofMinutes(9), Duration.ofMinutes(11));
    assertThat(requireParking(due.get(texts(due).indexOf("2")))).isEqualTo(RetryState.NONE);
  }

  @Test
  void a_repeated_settlement_leaves_it_held() throws Exception {
    List<StoredEnvelope> stored = ready(keyed("k", "1"), keyed("k", "2"), unkeyed("3"));
    List<Fate> fates = stored.stream().map(StoreCases::hold).toList();
    Settlement settlement = new Settlement(lease, lease.floor(), fates, Settlement.After.RENEW);
    for (int i = 0; i < 3; i++) {
      assertThat(settled(settle(relay, settlement)).freed()).isEmpty();
      assertThat(readDue(relay)).isEmpty();
    }
    assertThat(release(100)).isEqualTo(2);
    assertThat(ids(readDue(relay))).containsExactlyInAnyOrderElementsOf(ids(stored));
  }

  @Test
  void a_settlement_with_every_fate_leaves_what_is_held_alone() throws Exception {
    List<NewEnvelope> messages = new ArrayList<>();
    for (String key : List.of("held", "delivered", "buried", "failed")) {
      messages.add(keyed(key, key + " 1"));
      messages.add(keyed(key, key + " 2"));
    }
    List<StoredEnvelope> stored = ready(messages.toArray(new NewEnvelope[0]));
    settle(
        relay,
        lease,
        hold(stored.get(0)),
        hold(stored.get(1)),
        deliver(stored.get(2)),
        hold(stored.get(3)),
        bury(stored.get(4)),
        hold(stored.get(5)),
        fail(stored.get(6), LEASE),
        hold(stored.get(7)));
    assertThat(readDue(relay)).isEmpty();
    assertThat(release(100)).isEqualTo(3);
    assertThat(texts(readDue(relay)))
        .containsExactlyInAnyOrder("held 1", "held 2", "delivered 2", "buried 2");
  }
}
