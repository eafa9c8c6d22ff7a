package dev.outbox.internal.relay;

import static dev.outbox.internal.relay.Samples.envelope;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.outbox.StoreException;
import dev.outbox.message.Envelope;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A database that takes renewals, but not every end of a batch: its disk is full, or rows are
 * locked.
 */
class RefusedSettlesTest {
  private static final Duration LEASE = Duration.ofSeconds(15);
  private static final Lane FULL = new Lane(1);
  private static final Lane QUIET = new Lane(3);

  private final ScriptedLanes lanes = new ScriptedLanes(6);
  private final SteppedRelay relay = new SteppedRelay(lanes);
  private final Map<Lane, Duration> renewed = new HashMap<>();
  private final List<Envelope> written = new ArrayList<>();
  private long ids;

  @BeforeEach
  void fillTheDisk() {
    relay.pass(1000);
    lanes.refusal = StoreException.passing("no space left on device", null);
    lanes.refused.add(FULL);
  }

  @Test
  void no_lane_is_lost_and_nothing_repeated_however_long_the_disk_is_full() {
    for (int i = 0; i < 90; i++) {
      put(new Lane(i % 3));
    }
    relay.wake();

    passUnderTheEyesOfAnother(LEASE.multipliedBy(3));
    assertThat(lanes.fenced).isEmpty();
    assertThat(fates()).isEmpty();

    lanes.refused.clear();
    passUnderTheEyesOfAnother(LEASE);

    assertThat(relay.envelopes()).containsExactlyInAnyOrderElementsOf(written);
    assertThat(fates()).hasSize(90).allMatch(fate -> fate instanceof Fate.Deliver);
    assertThat(lanes.ready.values()).allMatch(List::isEmpty);
  }

  @Test
  void a_lane_that_was_lost_meanwhile_is_dropped() {
    put(FULL);
    relay.wake();
    relay.pass(1000);
    lanes.fenced.add(QUIET);

    relay.pass(9000);

    assertThat(relay.status().counts().fenced()).isEqualTo(1);
    lanes.refused.clear();
    relay.pass(5000);
    assertThat(relay.status().lanes()).containsExactlyInAnyOrder(0, 1, 2, 4, 5);
  }

  @Test
  void the_age_of_the_leases_never_grows_far_beyond_a_renewal() {
    lanes.refused.clear();
    relay.pass(60_000);
    assertThat(relay.status().leaseAge()).isLessThan(Duration.ofSeconds(6));

    lanes.refused.addAll(Set.of(QUIET, FULL));
    put(FULL);
    relay.wake();
    relay.elapse(Duration.ofSeconds(8));

    assertThat(relay.status().leaseAge()).isBetween(Duration.ofSeconds(8), Duration.ofSeconds(14));
  }

  @Test
  void a_call_that_was_slow_to_fail_is_not_followed_by_another() {
    lanes.refusing = () -> relay.elapse(Duration.ofSeconds(1));
    put(FULL);
    relay.wake();

    relay.pass(10_000);

    assertThat(lanes.asked("settle")).hasSizeGreaterThan(2).allMatch(each -> each.contains(FULL));
    assertThat(lanes.settlements).extracting(each -> each.lease().lane()).doesNotContain(FULL);
  }

  @Test
  void a_renewal_that_fails_too_is_reported_with_the_first_failure() {
    put(FULL);
    relay.wake();
    relay.pass(100);
    lanes.refusing = () -> lanes.unheard = "settle";
    relay.elapse(Duration.ofSeconds(5));

    StoreException told = catchThrowableOfType(StoreException.class, relay::turn);

    assertThat(told).isSameAs(lanes.refusal);
    assertThat(told.getSuppressed()).hasSize(1);
  }

  @Test
  void lanes_whose_rows_others_keep_locked_cost_no_lane_and_the_others_go_on() {
    keepRowsLocked(lane(0), lane(1), lane(2), lane(4));
    for (int i = 0; i < 30; i++) {
      put(lane(i % 6));
    }
    relay.wake();

    passUnderTheEyesOfAnother(LEASE.multipliedBy(3));
    assertThat(lanes.fenced).isEmpty();
    assertThat(lanes.ready.get(lane(3))).isEmpty();
    assertThat(lanes.ready.get(lane(5))).isEmpty();

    lanes.refused.clear();
    passUnderTheEyesOfAnother(LEASE.multipliedBy(3));

    assertThat(relay.envelopes()).containsExactlyInAnyOrderElementsOf(written);
    assertThat(fates()).hasSize(30).allMatch(fate -> fate instanceof Fate.Deliver);
  }

  @Test
  void a_lane_behind_locked_ones_is_settled_within_seconds_once_these_are_known() {
    keepRowsLocked(lane(0), lane(1), lane(2), lane(4));
    for (int i = 0; i < 6; i++) {
      put(lane(i));
    }
    relay.wake();
    relay.pass(LEASE.multipliedBy(3));

    put(lane(5));
    relay.wake();
    relay.pass(LEASE);

    assertThat(lanes.ready.get(lane(5))).isEmpty();
  }

  @Test
  void a_close_beside_locked_rows_writes_what_is_not_locked() {
    keepRowsLocked(lane(0), lane(1), lane(2));
    for (int i = 0; i < 6; i++) {
      put(lane(i));
    }
    relay.wake();
    relay.turn();
    relay.land();

    Duration end = relay.time().plus(SteppedRelay.SETTINGS.deadlines().close());
    while (relay.time().compareTo(end) < 0) {
      relay.turns().windDown();
      relay.elapse(Duration.ofMillis(20));
    }

    assertThat(lanes.ready.get(lane(3))).isEmpty();
    assertThat(lanes.ready.get(lane(4))).isEmpty();
    assertThat(lanes.ready.get(lane(5))).isEmpty();
  }

  @Test
  void a_relay_that_gives_up_writes_first_what_is_not_locked_any_more() {
    keepRowsLocked(lane(0));
    put(lane(0));
    relay.wake();
    passUnderTheEyesOfAnother(LEASE.multipliedBy(3));
    relay.turns().windDown();
    lanes.refused.clear();

    relay.turns().giveUp();

    assertThat(lanes.ready.get(lane(0))).isEmpty();
    assertThat(lanes.settlements)
        .last()
        .matches(each -> each.lease().lane().equals(lane(0)))
        .matches(each -> each.after() == Settlement.After.RELEASE);
  }

  @Test
  void also_when_another_lane_is_refused_in_the_same_breath() {
    keepRowsLocked(lane(0));
    put(lane(0));
    relay.wake();
    passUnderTheEyesOfAnother(LEASE.multipliedBy(3));
    relay.latency = Duration.ofSeconds(1);
    put(lane(1));
    relay.wake(lane(1));
    relay.turn();
    relay.turns().windDown();
    lanes.refused.clear();
    keepRowsLocked(lane(1));
    relay.elapse(relay.latency);
    relay.land();

    relay.turns().giveUp();

    assertThat(lanes.ready.get(lane(1))).isNotEmpty();
    assertThat(lanes.ready.get(lane(0))).isEmpty();
  }

  @Test
  void also_when_the_row_of_an_idle_lane_is_locked() {
    keepRowsLocked(lane(0));
    put(lane(0));
    relay.wake();
    passUnderTheEyesOfAnother(LEASE.multipliedBy(3));
    lanes.refused.clear();
    lanes.locked.add(lane(2));

    relay.turns().giveUp();

    assertThat(lanes.ready.get(lane(0))).isEmpty();
    assertThat(lanes.asked("leave")).hasSize(1);
  }

  /** Each refusal takes as long as a session waits for a lock. */
  private void keepRowsLocked(Lane... locked) {
    lanes.refusal = StoreException.contended("canceling statement due to lock timeout", null);
    lanes.refusing = () -> relay.elapse(LEASE.dividedBy(4));
    lanes.refused.clear();
    lanes.refused.addAll(List.of(locked));
  }

  /** Another relay takes every lane whose lease has run out. */
  private void passUnderTheEyesOfAnother(Duration time) {
    Duration end = relay.time().plus(time);
    int seen = 0;
    while (relay.time().compareTo(end) < 0) {
      relay.pass(100);
      for (Settlement each : lanes.settlements.subList(seen, lanes.settlements.size())) {
        if (each.after() != Settlement.After.RUN_ON) {
          renewed.put(each.lease().lane(), relay.time());
        }
      }
      seen = lanes.settlements.size();
      for (int number = 0; number < lanes.number(); number++) {
        Duration last = renewed.getOrDefault(lane(number), Duration.ZERO);
        if (relay.time().minus(last).compareTo(LEASE) > 0) {
          lanes.fenced.add(lane(number));
        }
      }
    }
  }

  private List<Fate> fates() {
    return lanes.settlements.stream().map(Settlement::fates).flatMap(List::stream).toList();
  }

  private static Lane lane(int number) {
    return new Lane(number);
  }

  private void put(Lane lane) {
    StoredEnvelope message = StoredEnvelope.ready(++ids, lane, envelope("k" + ids));
    written.add(message.envelope());
    lanes.put(message);
  }
}
