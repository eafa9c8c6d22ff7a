package dev.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.StoreException;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What other sessions keep locked stops nothing else, costs no lease and is told of. */
class LockedRowsTest extends LockedCases {
  @Test
  void locked_rows_of_every_kind_cost_no_lease() {
    keepRowsLocked(0);
    lanes.promoting = this::failLocked;
    lanes.beating = this::failLocked;
    delay(1);
    publish(0);

    passWatchingLeases(Duration.ofMinutes(10));

    assertThat(longestGap.get(lane(3))).isLessThan(LEASE);
  }

  @Test
  void a_locked_delayed_message_holds_up_those_of_no_other_lane() {
    delay(0);
    delay(1);
    delay(2);
    lanes.promoting = this::failWithTheFirstLane;

    relay.pass(60_000);

    assertThat(relay.published).hasSize(2);
    lanes.promoting = () -> {};
    relay.pass(REST.multipliedBy(2));
    assertThat(relay.published).hasSize(3);
  }

  /** As one that plain SQL has written, and whose column another session does not take. */
  @Test
  void neither_does_one_that_the_database_refuses_to_move_nor_is_a_ready_one_held_up() {
    delay(0);
    delay(1);
    lanes.promoting = this::refuseTheFirstLane;

    List<String> told =
        LogLines.of(
            () -> {
              relay.pass(1000);
              put(0, 2);
              relay.pass(1000);
            });

    assertThat(relay.published).hasSize(3);
    assertThat(told).filteredOn(line -> line.contains("the database refuses it")).hasSize(2);
    lanes.promoting = () -> {};
    relay.pass(Duration.ofMinutes(1));
    assertThat(relay.published).hasSize(4);
  }

  private void refuseTheFirstLane() {
    if (lanes.asked.get(lanes.asked.size() - 1).of().contains(lane(0))) {
      throw StoreException.lasting("incorrect datetime value", null);
    }
  }

  @Test
  void delayed_messages_of_other_lanes_come_on_at_once_while_one_rests() {
    delay(0);
    lanes.promoting = this::failWithTheFirstLane;
    relay.pass(Duration.ofMinutes(1));
    waited = Duration.ZERO;

    for (int round = 0; round < 300; round++) {
      delay(1);
      Duration before = relay.time().minus(waited);
      relay.pass(1000);
      assertThat(lanes.delayed.get(lane(1))).isEmpty();
      assertThat(relay.time().minus(waited).minus(before)).isLessThan(Duration.ofSeconds(2));
    }

    assertThat(waited).isLessThan(Duration.ofSeconds(150));
  }

  @Test
  void delayed_messages_of_free_lanes_come_on_before_any_lane_is_waited_for_twice() {
    start(6);
    keepRowsLocked(0);
    put(0);
    lanes.beating = this::failLocked;
    for (int number = 0; number < 6; number++) {
      delay(number);
    }
    lanes.promoting = () -> failWith(lane -> lane.number() < 3);
    lanes.asked.clear();

    while (!lanes.delayed.get(lane(5)).isEmpty()) {
      passWatchingLeases(Duration.ofSeconds(1));
    }

    assertThat(lanes.asked("promote").stream().takeWhile(of -> !of.equals(List.of(lane(5)))))
        .doesNotHaveDuplicates();
  }

  @Test
  void steps_that_wait_for_many_lanes_take_no_more_than_a_part_of_the_time() {
    start(16);
    for (int number = 0; number < 14; number++) {
      delay(number);
    }
    lanes.promoting = this::failWithOddLanes;
    passWatchingLeases(Duration.ofMinutes(5));
    waited = Duration.ZERO;

    passWatchingLeases(Duration.ofMinutes(60));

    assertThat(waited).isBetween(Duration.ofMinutes(8), Duration.ofMinutes(20));
    assertThat(longestGap.get(lane(15))).isLessThan(LEASE);
    assertThat(lanes.delayed.get(lane(0))).isEmpty();
    assertThat(lanes.delayed.get(lane(13))).isNotEmpty();
  }

  @Test
  void results_of_many_lanes_that_get_locked_at_once_are_waited_for_once_together_and_once_each() {
    start(8);
    keepRowsLocked(0, 1, 2, 3, 4, 5);
    put(0, 1, 2, 3, 4, 5, 6, 7);
    relay.turn();

    List<String> unused = LogLines.of(() -> relay.pass(WAIT.multipliedBy(7).plusSeconds(1)));

    assertThat(lanesWithFates()).containsExactly(lane(6), lane(7));
  }

  @Test
  void a_large_message_whose_row_is_locked_leaves_other_lanes_room() {
    putLarge(0);
    keepRowsLocked(0);
    passWatchingLeases(Duration.ofSeconds(10));

    put(1, 2, 3);
    passWatchingLeases(Duration.ofSeconds(30));

    assertThat(relay.published).hasSize(4);
  }

  @Test
  void a_lane_whose_renewal_fails_is_renewed_before_anything_else_is_waited_for() {
    keepRowsLocked(0);
    publish(0);
    lanes.hearing =
        (what, of) -> {
          if (what.equals("settle") && of.equals(List.of(lane(3)))) {
            throw StoreException.contended("deadlock detected", null);
          }
        };

    assertThatThrownBy(relay::turn).hasMessageContaining("deadlock");

    assertThat(waited).isEqualTo(WAIT);
  }

  @Test
  void results_are_saved_while_many_lanes_are_found_to_be_locked() {
    start(16);
    for (int number = 0; number < 14; number++) {
      delay(number);
    }
    lanes.promoting = this::failLocked;
    put(15);
    relay.turn();

    relay.pass(WAIT.multipliedBy(3));

    assertThat(lanesWithFates()).containsExactly(lane(15));
  }

  @Test
  void a_close_beside_locked_rows_keeps_the_lease_of_what_still_flies() {
    put(0, 1, 2);
    keepRowsLocked(0, 1, 2);
    relay.turn();
    relay.latency = Duration.ofSeconds(60);
    put(3);
    relay.turn();

    Duration end = relay.time().plusSeconds(50);
    List<String> unused =
        LogLines.of(
            () -> {
              while (relay.time().compareTo(end) < 0) {
                relay.turns().windDown();
                relay.elapse(Duration.ofMillis(50));
              }
            });

    assertThat(longestGap.get(lane(3))).isLessThan(LEASE);
  }

  @Test
  void a_close_beside_many_locked_rows_waits_for_one_at_a_time_and_loses_no_lease() {
    start(8);
    put(0, 1, 2, 3, 4, 5, 6, 7);
    relay.turn();
    keepRowsLocked(0, 1, 2, 3, 4, 5);

    List<String> unused =
        LogLines.of(
            () -> {
              for (int turn = 0; turn < 30; turn++) {
                Duration before = relay.time();
                relay.turns().windDown();
                assertThat(relay.time().minus(before)).isLessThan(WAIT.multipliedBy(3));
                relay.elapse(Duration.ofMillis(20));
              }
            });

    assertThat(lanes.settlements)
        .filteredOn(each -> each.after() == Settlement.After.RELEASE)
        .extracting(each -> each.lease().lane())
        .containsExactly(lane(6), lane(7));
    assertThat(longestGap.get(lane(7))).isLessThan(LEASE);
  }

  @Test
  void a_renewal_that_waits_for_a_row_which_is_free_by_then_is_told() {
    lanes.writingEnds = this::failLocked;

    List<String> lines = LogLines.of(() -> relay.pass(20_000));

    assertThat(lines).anyMatch(line -> line.contains("lock timeout"));
  }

  @Test
  void a_topic_is_resumed_though_the_row_of_the_relay_is_locked() {
    lanes.beating = this::failLocked;
    relay.pass(30_000);
    int before = lanes.asked("topics").size();

    relay.pass(60_000);

    assertThat(lanes.asked("topics").size() - before).isBetween(5, 60);
  }

  @Test
  void delayed_messages_whose_rows_are_locked_keep_nothing_else_waiting() {
    delay(0);
    lanes.promoting = this::failWithTheFirstLane;
    relay.pass(3000);
    waited = Duration.ZERO;
    Duration before = relay.time();

    while (relay.time().minus(before).compareTo(Duration.ofMinutes(5)) < 0) {
      publish(1);
      relay.pass(100);
    }

    assertThat(relay.published).hasSize((int) ids);
    assertThat(waited).isLessThan(Duration.ofSeconds(80));
    lanes.promoting = () -> {};
    relay.pass(REST.multipliedBy(2));
    assertThat(relay.published).hasSize((int) ids + 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 12, 30})
  void locked_messages_of_many_lanes_leave_time_for_all_else(int locked) {
    start(locked + 2);
    int[] numbers = IntStream.range(0, locked).toArray();
    keepRowsLocked(numbers);
    put(numbers);
    passWatchingLeases(Duration.ofMinutes(5));
    int beats = lanes.asked("beat").size();
    waited = Duration.ZERO;
    delay(locked + 1);

    passWatchingLeases(Duration.ofMinutes(30));

    assertThat(relay.envelopes()).anyMatch(each -> each.key().value().equals("later"));
    assertThat(lanes.asked("beat").size() - beats).isGreaterThan(60);
    assertThat(waited).isLessThan(Duration.ofMinutes(14));
    assertThat(longestGap.get(lane(locked))).isLessThan(LEASE);
  }

  @Test
  void a_lane_that_works_off_due_messages_keeps_no_other_from_being_looked_at() {
    relay.latency = Duration.ofMillis(300);
    List<StoredEnvelope> due =
        IntStream.range(0, 20_000)
            .mapToObj(i -> StoredEnvelope.ready(5_000_000 + i, lane(0), Samples.envelope("d" + i)))
            .toList();
    lanes.due.put(lane(0), new ArrayList<>(due));
    relay.turns().lookEverywhere();
    relay.pass(3000);

    lanes.put(StoredEnvelope.ready(++ids, lane(2), Samples.envelope("unannounced")));
    relay.pass(1100); // without a wake-up, a poll finds it

    assertThat(lanes.due.get(lane(0))).isNotEmpty();
    assertThat(relay.envelopes()).anyMatch(each -> each.key().value().equals("unannounced"));
  }

  private void failWithTheFirstLane() {
    failWith(lane(0)::equals);
  }

  private void failWithOddLanes() {
    failWith(lane -> lane.number() % 2 == 1);
  }

  private void failWith(Predicate<Lane> locked) {
    List<List<?>> promotions = lanes.asked("promote");
    if (promotions.get(promotions.size() - 1).stream().map(Lane.class::cast).anyMatch(locked)) {
      failLocked();
    }
  }
}
