package dev.outbox.tck.store.operate;

import static dev.outbox.tck.fixture.Sample.keyed;
import static dev.outbox.tck.fixture.Sample.message;
import static dev.outbox.tck.fixture.Sample.numbered;
import static dev.outbox.tck.fixture.Sample.numbers;
import static dev.outbox.tck.fixture.Sample.unkeyed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.NewEnvelope;
import dev.outbox.spi.settle.RetryState;
import dev.outbox.spi.settle.SettleResult;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.tck.StoreEnvironment;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.OneLaneCases;
import dev.outbox.tck.fixture.Opener;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A failed message holds back the rest of its key. */
public abstract class ParkedCases extends OneLaneCases {
  protected ParkedCases(Opener opener) {
    super(opener);
  }

  @Test
  void a_failed_message_is_not_due_before_its_rest_is_over() throws Exception {
    settle(relay, lease, fail(ready(keyed("k", "1")).get(0), LEASE));
    assertThat(readAll(relay)).isEmpty();
    assertThat(readDue(relay)).isEmpty();
    passTime(LEASE.minusSeconds(20));
    assertThat(readDue(relay)).isEmpty();
    passTime(Duration.ofSeconds(21));
    assertThat(texts(readDue(relay))).containsExactly("1");
  }

  @Test
  void a_failed_message_holds_back_the_rest_of_its_key() throws Exception {
    List<StoredEnvelope> stored = ready(keyed("k", "1"), keyed("k", "2"), keyed("k", "3"));
    settle(relay, lease, fail(stored.get(0), LEASE), follow(stored.get(1)), follow(stored.get(2)));
    assertThat(readDue(relay)).isEmpty();
    passTime(LEASE.plusSeconds(1));
    assertThat(texts(readDue(relay))).containsExactly("1", "2", "3");
  }

  @Test
  void a_parked_message_keeps_its_id_and_tells_what_is_known() throws Exception {
    StoredEnvelope ready = ready(keyed("k", "1")).get(0);
    settle(relay, lease, fail(ready, 1, Duration.ZERO));
    StoredEnvelope parked = readDue(relay).get(0);
    assertThat(parked.id()).isEqualTo(ready.id());
    assertThat(parked.lane()).isEqualTo(LANE);
    assertThat(parked.isParked()).isTrue();
    assertThat(requireParking(parked).attempts()).isEqualTo(1);
    assertThat(requireParking(parked).history()).isEqualTo("history 1");
  }

  @Test
  void the_time_since_the_first_failure_is_kept_through_more_of_them() throws Exception {
    settle(relay, lease, fail(ready(keyed("k", "1")).get(0), 1, Duration.ZERO));
    passTime(Duration.ofMinutes(10));
    settle(relay, lease, fail(readDue(relay).get(0), 2, Duration.ZERO));
    passTime(Duration.ofMinutes(10));
    RetryState retryState = requireParking(readDue(relay).get(0));
    assertThat(retryState.attempts()).isEqualTo(2);
    assertThat(retryState.history()).isEqualTo("history 2");
    assertThat(retryState.failing()).isBetween(Duration.ofMinutes(19), Duration.ofMinutes(21));
  }

  @Test
  void a_follower_has_not_failed() throws Exception {
    List<StoredEnvelope> stored = ready(keyed("k", "1"), keyed("k", "2"));
    settle(relay, lease, fail(stored.get(0), Duration.ZERO), follow(stored.get(1)));
    passTime(Duration.ofMinutes(10));
    assertThat(requireParking(readDue(relay).get(1))).isEqualTo(RetryState.NONE);
  }

  @Test
  void the_failures_of_a_follower_count_from_its_own_first() throws Exception {
    List<StoredEnvelope> stored = ready(keyed("k", "1"), keyed("k", "2"));
    settle(relay, lease, fail(stored.get(0), Duration.ZERO), follow(stored.get(1)));
    passTime(Duration.ofMinutes(10));
    settle(relay, lease, deliver(readDue(relay).get(0)));
    settle(relay, lease, fail(readDue(relay).get(0), 1, Duration.ZERO));
    passTime(Duration.ofMinutes(10));
    RetryState retryState = requireParking(readDue(relay).get(0));
    assertThat(retryState.attempts()).isEqualTo(1);
    assertThat(retryState.failing()).isBetween(Duration.ofMinutes(9), Duration.ofMinutes(11));
  }

  @Test
  void the_next_falls_due_at_once_when_the_head_is_delivered() throws Exception {
    List<StoredEnvelope> stored = ready(keyed("k", "1"), keyed("k", "2"), keyed("k", "3"));
    settle(relay, lease, fail(stored.get(0), LEASE), follow(stored.get(1)), follow(stored.get(2)));
    passTime(LEASE.plusSeconds(1));
    SettleResult first = settle(relay, lease, deliver(readDue(relay).get(0)));
    assertThat(settled(first).freed()).isEmpty();
    assertThat(texts(readDue(relay))).containsExactly("2", "3");
    SettleResult rest = settle(relay, lease, deliver(readDue(relay)));
    assertThat(settled(rest).freed()).containsExactly(held("k"));
    assertThat(readDue(relay)).isEmpty();
  }

  @Test
  void the_next_falls_due_at_once_when_the_head_is_buried() throws Exception {
    List<StoredEnvelope> stored = ready(keyed("k", "1"), keyed("k", "2"));
    settle(relay, lease, fail(stored.get(0), Duration.ZERO), follow(stored.get(1)));
    SettleResult settleResult = settle(relay, lease, bury(readDue(relay).get(0)));
    assertThat(settled(settleResult).freed()).isEmpty();
    assertThat(texts(readDue(relay))).containsExactly("2");
  }

  @Test
  void the_rest_of_a_key_waits_while_its_head_waits_again() throws Exception {
    List<StoredEnvelope> stored = ready(keyed("k", "1"), keyed("k", "2"));
    settle(relay, lease, fail(stored.get(0), Duration.ZERO), follow(stored.get(1)));
    settle(relay, lease, fail(readDue(relay).get(0), 2, LEASE));
    assertThat(readDue(relay)).isEmpty();
    passTime(LEASE.plusSeconds(1));
    assertThat(texts(readDue(relay))).containsExactly("1", "2");
  }

  @Test
  void a_follower_parked_in_the_settle_in_which_its_head_leaves_falls_due_at_once()
      throws Exception {
    settle(relay, lease, fail(ready(keyed("k", "1")).get(0), Duration.ZERO));
    StoredEnvelope head = readDue(relay).get(0);
    StoredEnvelope next = ready(keyed("k", "2")).get(0);
    SettleResult settleResult = settle(relay, lease, deliver(head), follow(next));
    assertThat(settled(settleResult).freed()).isEmpty();
    assertThat(texts(readDue(relay))).containsExactly("2");
  }

  @Test
  void a_follower_parked_after_its_head_has_left_falls_due_at_once() throws Exception {
    settle(relay, lease, follow(ready(keyed("k", "1")).get(0)));
    assertThat(texts(readDue(relay))).containsExactly("1");
  }

  @Test
  void a_message_without_a_key_is_due_alone() throws Exception {
    List<StoredEnvelope> stored = ready(unkeyed("1"), unkeyed("2"));
    settle(relay, lease, fail(stored.get(0), LEASE), fail(stored.get(1), Duration.ZERO));
    List<StoredEnvelope> due = readDue(relay);
    assertThat(texts(due)).containsExactly("2");
    assertThat(settled(settle(relay, lease, deliver(due))).freed()).isEmpty();
    passTime(LEASE.plusSeconds(1));
    assertThat(texts(readDue(relay))).containsExactly("1");
  }

  @Test
  void keys_stay_together_and_in_order() throws Exception {
    List<NewEnvelope> messages = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      messages.add(keyed("k" + i % 3, "k" + i % 3 + " " + i / 3));
    }
    List<StoredEnvelope> stored = ready(messages.toArray(new NewEnvelope[0]));
    List<Fate> fates = new ArrayList<>();
    stored.subList(0, 3).forEach(each -> fates.add(fail(each, Duration.ZERO)));
    stored.subList(3, 30).forEach(each -> fates.add(follow(each)));
    settle(relay, lease, fates);
    List<String> texts = texts(readDue(relay));
    assertThat(texts).hasSize(30);
    for (int key = 0; key < 3; key++) {
      assertThat(texts).containsSequence(numbers("k" + key, 10));
    }
  }

  @Test
  void no_more_are_read_than_asked_and_never_a_later_one_before_its_head() throws Exception {
    List<StoredEnvelope> stored = ready(numbered("k", 10).toArray(new NewEnvelope[0]));
    List<Fate> fates = new ArrayList<>(List.of(fail(stored.get(0), Duration.ZERO)));
    stored.subList(1, 10).forEach(each -> fates.add(follow(each)));
    settle(relay, lease, fates);
    assertThat(texts(readDue(relay, 4, LANE))).isEqualTo(numbers("k", 4));
  }

  @Test
  void many_resting_keys_hide_no_due_one() throws Exception {
    List<NewEnvelope> messages = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      messages.add(keyed("resting " + i, "resting"));
    }
    messages.add(keyed("due", "due"));
    List<StoredEnvelope> stored = ready(messages.toArray(new NewEnvelope[0]));
    List<Fate> fates = new ArrayList<>();
    stored.subList(0, 300).forEach(each -> fates.add(fail(each, LEASE)));
    fates.add(fail(stored.get(300), Duration.ZERO));
    settle(relay, lease, fates);
    assertThat(texts(readDue(relay, 10, LANE))).containsExactly("due");
  }

  @Test
  void other_lanes_are_not_read() throws Exception {
    try (StoreEnvironment wide = opener.open(StoreSetting.lanes(2));
        LaneStore reader = wide.store().lanes("a", LEASE)) {
      try (Connection connection = wide.applications().getConnection()) {
        connection.setAutoCommit(false);
        wide.store().append(connection, List.of(keyed("k", "0"), message(OTHER, "k", "1")));
        connection.commit();
      }
      for (LaneClaim claim : reader.claim(2)) {
        Lane lane = claim.lease().lane();
        settle(reader, claim.lease(), fail(read(reader, lane).get(0), Duration.ZERO));
      }
      assertThat(texts(readDue(reader, 10, OTHER))).containsExactly("1");
      assertThat(texts(readDue(reader, 10, LANE, OTHER))).containsExactlyInAnyOrder("0", "1");
    }
  }
}
