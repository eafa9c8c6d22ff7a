package dev.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.outbox.StoreException;
import dev.outbox.publish.RelayListener;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What one turn asks the store to settle, in which calls, and what it makes of the answers. */
class SettleTurnsTest {
  private static final Duration LEASE = Duration.ofSeconds(15);
  private static final Duration WAIT = LEASE.dividedBy(4);
  private static final Duration RENEWAL = Duration.ofSeconds(6);

  private final ScriptedLanes lanes = new ScriptedLanes(4);
  private SteppedRelay relay = new SteppedRelay(lanes);
  private long ids;

  @BeforeEach
  void leaseTheLanes() {
    relay.pass(1000);
  }

  @Test
  void a_turn_waits_for_one_locked_row_at_most() {
    keepRowsLocked(0, 1);
    publish(0, 1);

    assertThat(timeOfATurn()).isLessThan(WAIT.multipliedBy(3));
  }

  @Test
  void what_was_refused_before_is_not_waited_for_beside_another() {
    keepRowsLocked(0, 1);
    publish(0);
    relay.turn();
    publish(1);
    relay.elapse(Duration.ofSeconds(1));

    assertThat(timeOfATurn()).isBetween(WAIT.multipliedBy(2), WAIT.multipliedBy(3).minusMillis(1));
  }

  @Test
  void what_was_refused_before_is_written_in_one_turn_with_what_is_new() {
    lanes.refused.add(lane(0));
    publish(0);
    relay.turn();
    lanes.refused.clear();
    publish(1);
    relay.elapse(Duration.ofSeconds(1));

    relay.turn();

    assertThat(lanesWithFates()).containsExactly(lane(1), lane(0));
  }

  @Test
  void a_call_that_is_refused_quickly_is_made_again_by_lane_and_renews_nothing() {
    lanes.refused.add(lane(0));
    publish(0, 1);

    assertThat(callsOfATurn())
        .containsExactly(List.of(lane(0), lane(1)), List.of(lane(0)), List.of(lane(1)));
  }

  @Test
  void after_a_wait_every_lane_is_renewed_once_and_then_the_ends_follow() {
    keepRowsLocked(2);
    publish(1, 2);
    relay.elapse(RENEWAL);

    assertThat(callsOfATurn())
        .containsExactly(
            List.of(lane(0), lane(1), lane(2), lane(3)),
            List.of(lane(0)),
            List.of(lane(1)),
            List.of(lane(2)),
            List.of(lane(3)),
            List.of(lane(1)),
            List.of(lane(2)));
  }

  @Test
  void renewals_that_take_long_keep_no_end_from_being_written() {
    keepRowsLocked(3);
    publish(1, 3);
    lanes.writingEnds = () -> relay.elapse(Duration.ofMillis(1100));

    relay.turn();

    assertThat(lanesWithFates()).containsExactly(lane(1));
  }

  @Test
  void a_close_beside_a_locked_row_releases_idle_lanes() {
    keepRowsLocked(0);
    publish(0);

    relay.turns().windDown();

    assertThat(lanes.settlements)
        .filteredOn(each -> each.after() == Settlement.After.RELEASE)
        .extracting(each -> each.lease().lane())
        .containsExactly(lane(1), lane(2), lane(3));
  }

  @Test
  void the_locked_row_of_an_idle_lane_keeps_no_other_from_being_written_read_and_published() {
    publish(1);
    relay.elapse(RENEWAL);
    lockLaneRows(0);

    relay.turn();
    publish(2);
    relay.turn();

    assertThat(lanesWithFates()).containsExactly(lane(1), lane(2));
  }

  @Test
  void a_database_that_goes_down_between_two_lanes_is_asked_no_more() {
    lanes.refused.add(lane(0));
    lanes.refusing = () -> lanes.unheard = "settle";
    publish(0, 1);

    StoreException told = catchThrowableOfType(StoreException.class, relay::turn);

    assertThat(told.isOfItsRows()).isFalse();
    assertThat(lanes.timesUnheard).isEqualTo(1);
  }

  @Test
  void a_relay_that_gives_up_asks_a_database_that_is_down_once() {
    lanes.refused.add(lane(0));
    publish(0);
    relay.turn();
    lanes.unheard = "settle";

    assertThatThrownBy(() -> relay.turns().giveUp()).isInstanceOf(StoreException.class);

    assertThat(lanes.timesUnheard).isEqualTo(1);
  }

  @Test
  void renewals_without_an_answer_are_not_made_again_in_their_turn() {
    relay.elapse(RENEWAL);
    lanes.unheard = "settle";

    assertThatThrownBy(relay::turn).isInstanceOf(StoreException.class);

    assertThat(lanes.timesUnheard).isEqualTo(1);
  }

  @Test
  void when_no_renewal_is_due_a_failure_is_followed_by_no_call() {
    lanes.refused.add(lane(0));
    lanes.refusal = StoreException.passing("no space left on device", null);
    publish(0);
    int before = lanes.asked("settle").size();

    assertThatThrownBy(relay::turn).isInstanceOf(StoreException.class);

    assertThat(lanes.asked("settle")).hasSize(before + 1);
  }

  @Test
  void a_lane_that_its_renewal_finds_lost_is_counted_once_and_told_of() {
    keepRowsLocked(3);
    publish(1, 3);
    lanes.fenced.add(lane(1));

    List<String> lines = LogLines.of(relay::turn);
    relay.pass(1);

    assertThat(relay.status().counts().fenced()).isEqualTo(1);
    assertThat(lines).anyMatch(line -> line.contains("lost lanes 1 to other relays"));
  }

  @Test
  void a_turn_that_renews_leaves_the_loop_free_to_rest() {
    relay.elapse(RENEWAL);
    relay.turn();
    int before = lanes.settlements.size();
    relay.elapse(RENEWAL);

    assertThat(relay.turn()).isFalse();
    assertThat(lanes.settlements).hasSize(before + 4);
  }

  @Test
  void a_turn_that_writes_what_was_refused_is_busy() {
    lanes.refused.add(lane(0));
    publish(0);
    relay.turn();
    lanes.refused.clear();
    relay.elapse(Duration.ofSeconds(1));

    assertThat(relay.turn()).isTrue();
    assertThat(lanesWithFates()).containsExactly(lane(0));
  }

  @Test
  void a_turn_that_writes_what_was_gathered_is_busy() {
    Duration linger = Duration.ofMillis(5);
    relay = new SteppedRelay(lanes, Samples.lingering(linger, RelayListener.SILENT), Runnable::run);
    for (int number = 0; number < 4; number++) {
      lanes.free.add(ScriptedLanes.claim(lane(number), 0, null));
    }
    relay.pass(1000);
    publish(0);
    relay.turn();
    assertThat(lanesWithFates()).isEmpty();
    relay.elapse(linger);

    assertThat(relay.turn()).isTrue();
    assertThat(lanesWithFates()).containsExactly(lane(0));
  }

  /** Each refusal takes as long as a session waits for a lock. */
  private void keepRowsLocked(int... numbers) {
    lanes.refusal = StoreException.contended("canceling statement due to lock timeout", null);
    lanes.refusing = () -> relay.elapse(WAIT);
    for (int number : numbers) {
      lanes.refused.add(lane(number));
    }
  }

  /** As {@link #keepRowsLocked}, of the lanes' own rows. */
  private void lockLaneRows(int... numbers) {
    lanes.waiting = () -> relay.elapse(WAIT);
    for (int number : numbers) {
      lanes.locked.add(lane(number));
    }
  }

  /** Puts a message into each of these lanes, of which the next turn writes the end. */
  private void publish(int... numbers) {
    for (int number : numbers) {
      lanes.put(StoredEnvelope.ready(++ids, lane(number), Samples.envelope("k" + ids)));
      relay.wake(lane(number));
    }
    relay.turn();
  }

  private Duration timeOfATurn() {
    Duration before = relay.time();
    relay.turn();
    return relay.time().minus(before);
  }

  private List<List<?>> callsOfATurn() {
    int before = lanes.asked("settle").size();
    relay.turn();
    List<List<?>> calls = lanes.asked("settle");
    return calls.subList(before, calls.size());
  }

  private List<Lane> lanesWithFates() {
    return lanes.settlements.stream()
        .filter(each -> each.fates().stream().anyMatch(Fate.Deliver.class::isInstance))
        .map(each -> each.lease().lane())
        .toList();
  }

  private static Lane lane(int number) {
    return new Lane(number);
  }
}
