package dev.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.StoreException;
import dev.outbox.publish.RelayListener;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What other sessions keep locked stops nothing else, costs no lease and is told of. */
class LockedRowsTest {
  private static final Duration LEASE = Duration.ofSeconds(15);
  private static final Duration WAIT = LEASE.dividedBy(4);
  private static final Duration REST = WAIT.multipliedBy(3).plusSeconds(3);
  private static final Duration RENEWAL = Duration.ofSeconds(6);

  private ScriptedLanes lanes = watchedLanes(4);
  private SteppedRelay relay = new SteppedRelay(lanes);
  private long ids;
  private Duration waited = Duration.ZERO;
  private final Map<Lane, Duration> renewed = new HashMap<>();
  private final Map<Lane, Duration> longestGap = new HashMap<>();

  @BeforeEach
  void leaseTheLanes() {
    relay.pass(1000);
  }

  private ScriptedLanes watchedLanes(int number) {
    ScriptedLanes watched = new ScriptedLanes(number);
    watched.written = this::noteRenewal;
    return watched;
  }

  private void start(int number) {
    lanes = watchedLanes(number);
    relay = new SteppedRelay(lanes);
    relay.pass(1000);
  }

  @Test
  void locked_lane_rows_that_are_known_cost_the_other_lanes_nothing() {
    relay.elapse(RENEWAL);
    lockLaneRows(0, 1);
    relay.pass(10);
    Duration before = relay.time();
    waited = Duration.ZERO;

    while (relay.time().minus(before).compareTo(Duration.ofMinutes(5)) < 0) {
      publish(2, 3);
      relay.pass(100);
      assertThat(ageOfTheLease(2)).isLessThan(LEASE);
      assertThat(ageOfTheLease(3)).isLessThan(LEASE);
    }

    assertThat(waited).isZero();
    assertThat(relay.published).hasSize((int) ids);
  }

  @Test
  void lanes_whose_rows_were_locked_go_on_together_when_they_are_free() {
    lockLaneRows(0, 1, 2);
    relay.pass(3000);
    publish(0, 1, 2, 3);
    relay.pass(100);
    assertThat(lanesWithFates()).containsExactly(lane(3));
    lanes.locked.clear();

    relay.pass(1500);

    assertThat(lanesWithFates()).containsExactlyInAnyOrder(lane(0), lane(1), lane(2), lane(3));
  }

  @Test
  void many_locked_lane_rows_are_found_by_one_wait() {
    relay.elapse(RENEWAL);
    lockLaneRows(0, 1, 2);

    assertThat(timeOfATurn()).isLessThan(WAIT.plusSeconds(1));
    assertThat(lanes.settlements).last().matches(each -> each.lease().lane().equals(lane(3)));
  }

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
  void work_in_a_lane_that_rests_is_not_looked_for_all_the_time() {
    lockLaneRows(0);
    relay.pass(30_000);
    delay(0);
    lanes.due.put(lane(0), new ArrayList<>(List.of(message(0))));
    int before = lanes.asked("look").size();

    relay.pass(60_000);

    assertThat(lanes.asked("look").size() - before).isLessThan(200);
  }

  @Test
  void a_lane_whose_row_is_free_is_renewed_though_a_message_of_it_is_locked() {
    publish(0);
    lockLaneRows(0);
    put(0);
    relay.pass(20_000);
    lanes.locked.clear();
    keepRowsLocked(0);
    lanes.settlements.clear();

    relay.pass(60_000);

    assertThat(lanes.settlements)
        .filteredOn(each -> each.lease().lane().equals(lane(0)))
        .hasSizeGreaterThan(5);
  }

  @Test
  void a_close_tells_which_results_a_locked_row_kept_from_being_saved() {
    relay.latency = Duration.ofSeconds(8);
    put(0);
    relay.pass(100);
    lockLaneRows(0);
    relay.pass(20_000);

    List<String> lines =
        LogLines.of(
            () -> {
              relay.turns().windDown();
              relay.turns().giveUp();
            });

    assertThat(lines)
        .singleElement()
        .asString()
        .contains("WARN", "results of 1 messages of lane=0 are not saved");
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
  void a_lane_row_that_is_locked_is_told_of_once_and_when_it_is_free() {
    lockLaneRows(0);

    List<String> lines = LogLines.of(() -> relay.pass(20_000));
    lanes.locked.clear();
    List<String> after = LogLines.of(() -> relay.pass(REST));

    assertThat(lines).singleElement().asString().contains("WARN", "lane=0", "locked");
    assertThat(after).singleElement().asString().contains("INFO", "lane=0", "free again");
  }

  @Test
  void a_close_beside_a_locked_lane_row_releases_the_others() {
    lockLaneRows(0);
    relay.elapse(RENEWAL);
    relay.turn();

    relay.turns().windDown();
    relay.turns().giveUp();

    assertThat(lanes.settlements)
        .filteredOn(each -> each.after() == Settlement.After.RELEASE)
        .extracting(each -> each.lease().lane())
        .containsExactly(lane(1), lane(2), lane(3));
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

  /** The row is locked for 3.8 s, just before a message of it is noted. */
  @Test
  void a_careful_lane_whose_row_was_locked_shortly_keeps_its_lease() {
    Duration[] since = {null};
    careful(2, Duration.ofMillis(2400), since, 0);

    while (relay.time().compareTo(Duration.ofMinutes(1)) < 0) {
      passWatchingLeases(Duration.ofMillis(50));
      if (since[0] != null && relay.time().minus(since[0]).toMillis() > 3800) {
        lanes.locked.clear();
      }
    }

    assertThat(since[0]).isNotNull();
    assertThat(longestGap.get(lane(0))).isLessThan(LEASE);
  }

  /** The rows of a careful lane, and of one with a delayed message. */
  @Test
  void waits_of_several_kinds_do_not_add_up_between_two_renewals() {
    Duration[] since = {null};
    careful(4, Duration.ofMillis(4900), since, 0, 1);

    passWatchingLeases(Duration.ofMinutes(1));

    assertThat(since[0]).isNotNull();
    assertThat(longestGap.get(lane(3))).isLessThan(LEASE);
  }

  /** A relay whose first lane is careful; then these rows get locked. */
  private void careful(int number, Duration latency, Duration[] since, int... locked) {
    lanes = watchedLanes(number);
    lanes.free.clear();
    for (int i = 0; i < number; i++) {
      lanes.free.add(ScriptedLanes.claim(lane(i), i == 0 ? 3 : 0, null));
    }
    relay = new SteppedRelay(lanes);
    relay.latency = latency;
    put(0, 0);
    lanes.writingEnds =
        () -> {
          boolean once = since[0] == null && relay.published.size() == 1;
          if (once && relay.time().compareTo(latency) >= 0) {
            since[0] = relay.time();
            lockLaneRows(locked);
            delay(locked[locked.length - 1]);
          }
        };
  }

  @Test
  void a_locked_lane_does_not_keep_the_others_from_gathering_their_ends() {
    int free = settlesOfManyMessages(false);

    assertThat(settlesOfManyMessages(true)).isLessThan(free * 3 / 2);
  }

  private int settlesOfManyMessages(boolean locked) {
    lanes = watchedLanes(4);
    Duration linger = Duration.ofMillis(5);
    relay = new SteppedRelay(lanes, Samples.lingering(linger, RelayListener.SILENT), Runnable::run);
    relay.pass(1000);
    put(new int[80]);
    if (locked) {
      lockLaneRows(0);
    }
    relay.pass(20_000);
    int before = lanes.asked("settle").size();
    for (int i = 0; i < 2000; i++) {
      put(1 + i % 3);
      relay.pass(1);
    }
    return lanes.asked("settle").size() - before;
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
    relay.pass(100);

    assertThat(lanes.due.get(lane(0))).isNotEmpty();
    assertThat(relay.envelopes()).anyMatch(each -> each.key().value().equals("unannounced"));
  }

  private void keepRowsLocked(int... numbers) {
    lanes.refusal = StoreException.contended("canceling statement due to lock timeout", null);
    lanes.refusing = this::waitForALock;
    for (int number : numbers) {
      lanes.refused.add(lane(number));
    }
  }

  private void lockLaneRows(int... numbers) {
    lanes.waiting = this::waitForALock;
    for (int number : numbers) {
      lanes.locked.add(lane(number));
    }
  }

  private void failLocked() {
    waitForALock();
    throw StoreException.contended("canceling statement due to lock timeout", null);
  }

  private void failWithTheFirstLane() {
    List<List<?>> promotions = lanes.asked("promote");
    if (promotions.get(promotions.size() - 1).contains(lane(0))) {
      failLocked();
    }
  }

  private void failWithOddLanes() {
    List<List<?>> promotions = lanes.asked("promote");
    if (promotions.get(promotions.size() - 1).stream()
        .anyMatch(each -> ((Lane) each).number() % 2 == 1)) {
      failLocked();
    }
  }

  /** As long as a session waits for a lock. */
  private void waitForALock() {
    relay.elapse(WAIT);
    waited = waited.plus(WAIT);
  }

  /** What is refused is logged each time: that is left out here. */
  private void passWatchingLeases(Duration time) {
    Duration end = relay.time().plus(time);
    List<String> unused =
        LogLines.of(
            () -> {
              while (relay.time().compareTo(end) < 0) {
                relay.pass(50);
                lanes.settlements.clear();
              }
            });
  }

  private void noteRenewal(Settlement written) {
    if (written.after() != Settlement.After.RUN_ON) {
      Lane lane = written.lease().lane();
      Duration gap = relay.time().minus(renewed.getOrDefault(lane, Duration.ZERO));
      longestGap.merge(lane, gap, (old, one) -> old.compareTo(one) > 0 ? old : one);
      renewed.put(lane, relay.time());
    }
  }

  private Duration ageOfTheLease(int number) {
    return relay.time().minus(renewed.getOrDefault(lane(number), Duration.ZERO));
  }

  private void delay(int number) {
    lanes.delayed.put(lane(number), new ArrayList<>(List.of(message(number))));
    relay.turns().lookEverywhere();
  }

  /** Above all that are published meanwhile. */
  private static StoredEnvelope message(int number) {
    return StoredEnvelope.ready(1_000_000 - number, lane(number), Samples.envelope("later"));
  }

  /** Puts a message into each of these lanes, of which the next turn writes the end. */
  private void publish(int... numbers) {
    put(numbers);
    relay.turn();
  }

  private void put(int... numbers) {
    for (int number : numbers) {
      lanes.put(StoredEnvelope.ready(++ids, lane(number), Samples.envelope("k" + ids)));
      relay.wake(lane(number));
    }
  }

  private Duration timeOfATurn() {
    Duration before = relay.time();
    relay.turn();
    return relay.time().minus(before);
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
