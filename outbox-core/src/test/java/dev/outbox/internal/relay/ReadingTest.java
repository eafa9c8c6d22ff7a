package dev.outbox.internal.relay;

import static dev.outbox.internal.relay.Samples.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.StoreException;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.RelayListener;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.OpenTransactions;
import dev.outbox.spi.settle.RetryState;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a relay of four lanes looks, and what it reads. */
class ReadingTest {
  private static final Lane BUSY = new Lane(1);
  private static final Lane QUIET = new Lane(2);
  private static final Lane OTHER = new Lane(3);
  private static final OpenTransactions WRITING =
      new OpenTransactions.Known(Set.of("long"), Duration.ZERO);
  private static final Duration SOON = Duration.ofMillis(1100);

  private final ScriptedLanes lanes = new ScriptedLanes(4);
  private final SteppedRelay relay = new SteppedRelay(lanes);
  private long ids;

  @Test
  void an_idle_relay_asks_at_most_twice_a_second() {
    relay.pass(10_000);
    lanes.asked.clear();

    relay.pass(60_000);

    assertThat(lanes.asked).hasSizeBetween(60, 120);
    assertThat(relay.spins).isZero();
  }

  @Test
  void idle_looks_get_rarer_and_rarer_up_to_the_poll() {
    List<Duration> looks = looksWithin(Duration.ofSeconds(20));

    List<Duration> rests = new ArrayList<>();
    for (int i = 1; i < looks.size(); i++) {
      rests.add(looks.get(i).minus(looks.get(i - 1)));
    }
    assertThat(rests.get(0)).isLessThan(Duration.ofMillis(20));
    assertThat(rests.get(5)).isGreaterThan(Duration.ofMillis(100));
    assertThat(rests.subList(10, rests.size()))
        .hasSizeGreaterThan(5)
        .allSatisfy(
            rest -> assertThat(rest).isBetween(Duration.ofMillis(899), Duration.ofMillis(1002)));
  }

  @Test
  void what_nobody_woke_for_is_found_within_a_poll() {
    relay.pass(10_000);
    StoredEnvelope message = put(QUIET);

    relay.pass(SOON);

    assertThat(relay.envelopes()).containsExactly(message.envelope());
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 50})
  void where_every_message_is_told_of_nothing_else_is_looked_for_but_once_a_poll(int between) {
    put(QUIET); // without a wake-up, long before the others
    relay.pass(10_000);
    lanes.asked.clear();

    for (int message = 0; message < 40; message++) {
      put(QUIET);
      relay.wake(QUIET);
      relay.pass(between);
    }

    assertThat(relay.envelopes()).hasSize(41);
    assertThat(lanes.asked("look")).hasSizeLessThanOrEqualTo(3);
    assertThat(lanes.asked("read")).containsOnly(List.of(QUIET));
  }

  @Test
  void messages_that_are_told_of_do_not_put_off_the_look_for_others() {
    relay.pass(10_000);
    StoredEnvelope untold = put(BUSY);
    while (!relay.envelopes().contains(untold.envelope())) {
      tellOf(1);
    }
    tellOf(3);

    StoredEnvelope next = put(BUSY);
    tellOf(5);

    assertThat(relay.envelopes()).contains(next.envelope());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 20})
  void busy_lanes_keep_no_other_from_being_looked_at_while_no_floor_is_known(int statement) {
    lanes.openTransactions = WRITING;
    lanes.wading = cursors -> relay.elapse(Duration.ofMillis(statement));
    relay.pass(10_000);
    StoredEnvelope untold = put(QUIET);

    keepBusy(relay, lanes, SOON);

    assertThat(relay.envelopes()).contains(untold.envelope());
  }

  @Test
  void nor_do_they_when_wading_is_quick_again_after_it_was_slow() {
    ScriptedLanes deep = new ScriptedLanes(32);
    SteppedRelay among = new SteppedRelay(deep);
    deep.openTransactions = WRITING;
    deep.wading = cursors -> among.elapse(Duration.ofMillis(600).multipliedBy(cursors.size()));
    among.pass(Duration.ofMinutes(3));
    deep.wading = cursors -> {};
    keepBusy(among, deep, SOON);
    StoredEnvelope untold = StoredEnvelope.ready(++ids, new Lane(20), envelope(null));
    deep.put(untold);

    Duration end = among.time().plusSeconds(20);
    while (among.time().compareTo(end) < 0 && !among.envelopes().contains(untold.envelope())) {
      keepBusy(among, deep, Duration.ofMillis(100));
    }

    assertThat(among.envelopes()).contains(untold.envelope());
  }

  @Test
  void what_comes_untold_soon_after_another_is_read_along_with_lanes_that_are_always_busy() {
    relay.pass(10_000);
    put(QUIET);
    keepBusy(relay, lanes, SOON);
    StoredEnvelope next = put(QUIET);

    keepBusy(relay, lanes, Duration.ofMillis(200));

    assertThat(relay.envelopes()).contains(next.envelope());
  }

  /** At each turn two lanes have messages that are told of. */
  private void keepBusy(SteppedRelay busy, ScriptedLanes lanes, Duration time) {
    Duration end = busy.time().plus(time);
    while (busy.time().compareTo(end) < 0) {
      for (Lane lane : List.of(BUSY, OTHER)) {
        lanes.put(StoredEnvelope.ready(++ids, lane, envelope(null)));
        busy.wake(lane);
      }
      busy.pass(Duration.ofNanos(1));
    }
  }

  @Test
  void a_wake_up_tells_of_what_the_next_read_finds_and_of_nothing_later() {
    relay.pass(10_000);
    relay.wake(QUIET);
    relay.pass(SOON);
    Map<Envelope, Duration> untold = new LinkedHashMap<>();

    for (int milli = 0; milli < 5000; milli++) {
      if (milli % 150 == 0) {
        untold.put(put(QUIET).envelope(), relay.time());
      }
      put(BUSY);
      relay.wake(BUSY);
      relay.pass(1);
    }

    List<SteppedRelay.Published> later =
        relay.published.stream().filter(each -> untold.containsKey(each.envelope())).toList();
    assertThat(later.subList(8, later.size()))
        .hasSizeGreaterThan(20)
        .allSatisfy(
            each ->
                assertThat(each.at().minus(untold.get(each.envelope())))
                    .as("read along with the lane that is told of")
                    .isLessThan(Duration.ofMillis(100)));
  }

  @Test
  void what_failed_is_looked_for_when_it_falls_due() {
    Duration rest = Duration.ofMillis(200);
    ScriptedLanes own = new ScriptedLanes(4);
    SteppedRelay retrying =
        new SteppedRelay(
            own,
            Samples.settings((attempts, failing) -> Optional.of(rest), RelayListener.SILENT),
            Runnable::run);
    retrying.pass(10_000);
    retrying.broker = envelope -> Ack.failed(new IllegalStateException("not now"));
    Envelope failing = envelope("a");
    own.put(StoredEnvelope.ready(1, QUIET, failing));
    retrying.wake(QUIET);
    retrying.pass(rest);
    retrying.broker = envelope -> Ack.delivered();
    own.due.put(
        QUIET,
        new ArrayList<>(
            List.of(new StoredEnvelope(1, QUIET, failing, new RetryState(1, rest, ""), null))));

    retrying.pass(10);

    assertThat(retrying.envelopes()).containsExactly(failing, failing);
  }

  @Test
  void a_retry_in_flight_is_not_looked_for_again_and_again() {
    relay.latency = Duration.ofSeconds(2);
    relay.pass(10_000);
    due(QUIET, "a");
    relay.pass(SOON);
    assertThat(relay.envelopes()).hasSize(1);
    lanes.asked.clear();

    relay.pass(800);

    assertThat(lanes.asked("look")).hasSizeLessThanOrEqualTo(10);
  }

  @Test
  void what_falls_due_behind_a_retry_is_read_when_that_lands() {
    relay.latency = Duration.ofSeconds(2);
    relay.pass(10_000);
    due(QUIET, "a");
    relay.pass(SOON);
    StoredEnvelope behind = due(QUIET, "b");

    relay.pass(2000);

    assertThat(relay.envelopes()).contains(behind.envelope());
  }

  @Test
  void what_falls_due_behind_a_flight_of_ready_messages_is_read_when_that_lands() {
    relay.latency = Duration.ofSeconds(2);
    relay.pass(10_000);
    put(QUIET);
    relay.wake(QUIET);
    relay.pass(10);
    StoredEnvelope behind = due(QUIET, "a");

    relay.pass(2050);

    assertThat(relay.envelopes()).contains(behind.envelope());
  }

  @Test
  void what_comes_behind_a_flight_untold_is_read_when_that_lands() {
    relay.latency = Duration.ofSeconds(2);
    relay.pass(10_000);
    put(BUSY);
    relay.wake(BUSY);
    relay.pass(10);
    StoredEnvelope behind = put(BUSY);

    relay.pass(2000);

    assertThat(relay.envelopes()).contains(behind.envelope());
  }

  @Test
  void what_commits_late_below_a_flight_untold_is_found_within_a_poll_of_its_landing() {
    lanes.openTransactions = WRITING;
    relay.latency = Duration.ofSeconds(2);
    relay.pass(10_000);
    ids = 100;
    put(BUSY);
    relay.wake(BUSY);
    relay.pass(10);
    ids = 1;
    StoredEnvelope late = put(BUSY);
    lanes.openTransactions = new OpenTransactions.Known(Set.of(), Duration.ZERO);

    relay.pass(2000);
    relay.pass(SOON);

    assertThat(relay.envelopes()).contains(late.envelope());
    assertThat(relay.status().counts().foundLate()).isZero();
  }

  @Test
  void what_had_no_room_beside_a_large_flight_is_read_when_that_lands() {
    relay.pass(10_000);
    relay.latency = Duration.ofMillis(300);
    putLarge(BUSY, 900 << 10);
    relay.wake(BUSY);
    relay.pass(10);
    putLarge(QUIET, 1 << 10);
    putLarge(QUIET, 200 << 10);
    relay.wake(QUIET);

    relay.pass(350);

    assertThat(relay.envelopes()).hasSize(3);
  }

  private StoredEnvelope putLarge(Lane lane, int size) {
    StoredEnvelope message =
        StoredEnvelope.ready(++ids, lane, envelope(Samples.TOPIC, "k" + ids, new byte[size]));
    lanes.put(message);
    return message;
  }

  private void tellOf(int messages) {
    for (int message = 0; message < messages; message++) {
      put(QUIET);
      relay.wake(QUIET);
      relay.pass(20);
    }
  }

  @Test
  void a_wake_up_is_followed_at_once_by_a_read_of_its_lane_alone() {
    relay.pass(10_000);
    lanes.asked.clear();
    StoredEnvelope message = put(QUIET);
    relay.wake(QUIET);

    relay.turn();

    assertThat(relay.envelopes()).containsExactly(message.envelope());
    assertThat(lanes.asked("read")).containsExactly(List.of(QUIET));
    assertThat(lanes.asked("look")).isEmpty();
  }

  @Test
  void a_wake_up_from_anywhere_finds_it_wherever_it_is() {
    relay.pass(10_000);
    StoredEnvelope message = put(QUIET);
    relay.wake();

    relay.pass(1);

    assertThat(relay.envelopes()).containsExactly(message.envelope());
  }

  @Test
  void a_wake_up_for_a_lane_in_flight_is_remembered_until_it_has_landed() {
    relay.latency = Duration.ofMillis(300);
    put(BUSY);
    relay.pass(10);
    StoredEnvelope second = put(BUSY);
    relay.wake(BUSY);
    relay.pass(10);
    assertThat(relay.envelopes()).doesNotContain(second.envelope());

    relay.pass(300);

    assertThat(relay.envelopes()).contains(second.envelope());
  }

  @Test
  void a_wake_up_for_a_lane_of_another_relay_is_nothing_to_us() {
    relay.pass(10_000);
    lanes.asked.clear();
    relay.wake(new Lane(99));

    relay.turn();

    assertThat(lanes.asked("read")).isEmpty();
  }

  @Test
  void everything_delayed_is_promoted_batch_by_batch() {
    List<StoredEnvelope> later = new ArrayList<>();
    for (int i = 0; i < 3 * SteppedRelay.SETTINGS.volume().batch(); i++) {
      later.add(delayed(QUIET));
    }

    relay.pass(50);

    assertThat(relay.envelopes())
        .containsExactlyInAnyOrderElementsOf(later.stream().map(StoredEnvelope::envelope).toList());
    assertThat(lanes.asked("promote")).hasSize(4);
  }

  @Test
  void a_lane_that_comes_free_is_taken_and_read_within_a_poll() {
    for (int phase = 0; phase < 5000; phase += 250) {
      ScriptedLanes some = new ScriptedLanes(4);
      LaneClaim orphaned = some.free.removeLast();
      StoredEnvelope message = StoredEnvelope.ready(1, orphaned.lease().lane(), envelope(null));
      some.put(message);
      SteppedRelay idle = new SteppedRelay(some);
      idle.pass(10_000 + phase);
      some.free.add(orphaned);

      idle.pass(SOON);

      assertThat(idle.envelopes()).as("phase %d", phase).containsExactly(message.envelope());
    }
  }

  @Test
  void a_sweep_finds_what_came_below_the_floor_and_reports_it() {
    lanes.openTransactions = new OpenTransactions.Known(Set.of(), Duration.ZERO);
    ids = 100;
    put(QUIET);
    relay.pass(SOON);
    ids = 0;
    StoredEnvelope late = put(QUIET);
    relay.wake(QUIET);
    relay.pass(SOON);
    assertThat(relay.envelopes()).doesNotContain(late.envelope());

    relay.pass(62_000);

    assertThat(relay.envelopes()).contains(late.envelope());
    assertThat(relay.status().counts().foundLate()).isEqualTo(1);
  }

  @Test
  void sweeps_come_once_a_minute() {
    lanes.openTransactions = new OpenTransactions.Known(Set.of(), Duration.ZERO);
    ids = 100;
    put(QUIET);
    relay.pass(10_000);
    lanes.asked.clear();

    relay.pass(Duration.ofMinutes(10));

    assertThat(lanes.asked("sweep")).hasSizeBetween(9, 11);
    assertThat(lanes.asked("read")).isEmpty();
  }

  @Test
  void beside_dead_rows_a_relay_that_lost_its_floors_serves_the_other_lanes() {
    ScriptedLanes deep = new ScriptedLanes(32);
    SteppedRelay among = new SteppedRelay(deep);
    deep.openTransactions = new OpenTransactions.Known(Set.of(), Duration.ZERO);
    deep.wading =
        cursors -> {
          long low = cursors.stream().filter(cursor -> cursor.after() == 0).count();
          among.elapse(Duration.ofMillis(400).multipliedBy(Math.min(25, low)));
          if (low > 24) {
            throw StoreException.slow("gave up", null);
          }
        };
    deep.put(StoredEnvelope.ready(100, BUSY, envelope(null)));
    among.pass(Duration.ofMinutes(3));
    among.turns().afterFailure(StoreException.passing("down", null));
    among.pass(Duration.ofMinutes(3));
    StoredEnvelope message = StoredEnvelope.ready(1000, new Lane(31), envelope(null));
    deep.put(message);

    among.pass(Duration.ofMinutes(4));
    assertThat(among.envelopes()).hasSize(2).contains(message.envelope());

    int before = among.published.size();
    for (int i = 1; i <= 20; i++) {
      deep.put(StoredEnvelope.ready(1000 + i, new Lane(31), envelope(null)));
      among.wake(new Lane(31));
      among.pass(SOON);
    }
    assertThat(among.published).hasSizeGreaterThan(before + 15);
  }

  @Test
  void what_is_due_in_a_lane_is_found_before_it_is_its_turn_to_be_waded_through() {
    ScriptedLanes deep = new ScriptedLanes(32);
    SteppedRelay among = new SteppedRelay(deep);
    deep.wading =
        cursors -> {
          long low = cursors.stream().filter(cursor -> cursor.after() == 0).count();
          among.elapse(Duration.ofMillis(600).multipliedBy(low));
        };
    among.pass(Duration.ofMinutes(5));
    StoredEnvelope due = new StoredEnvelope(7, new Lane(30), envelope("a"), RetryState.NONE, null);
    deep.due.put(new Lane(30), new ArrayList<>(List.of(due)));

    among.pass(Duration.ofSeconds(5));

    assertThat(among.envelopes()).containsExactly(due.envelope());
  }

  @Test
  void a_lane_that_nobody_can_wade_through_keeps_no_other_waiting() {
    ScriptedLanes deep = new ScriptedLanes(4);
    SteppedRelay among = new SteppedRelay(deep);
    deep.wading =
        cursors -> {
          if (cursors.stream().anyMatch(each -> each.lane().equals(BUSY) && each.after() == 0)) {
            among.elapse(Duration.ofSeconds(10));
            throw StoreException.slow("gave up", null);
          }
        };
    among.pass(Duration.ofMinutes(5));
    StoredEnvelope message = StoredEnvelope.ready(8, new Lane(3), envelope(null));
    deep.put(message);

    among.pass(Duration.ofMinutes(1));

    assertThat(among.envelopes()).containsExactly(message.envelope());
  }

  @Test
  void a_store_that_was_only_slow_makes_nothing_be_read_from_the_start() {
    lanes.openTransactions = new OpenTransactions.Known(Set.of(), Duration.ZERO);
    ids = 100;
    put(QUIET);
    relay.pass(SOON);
    lanes.cursors.clear();

    relay.turns().afterFailure(StoreException.slow("gave up", null));
    put(QUIET);
    relay.wake(QUIET);
    relay.pass(SOON);

    assertThat(lanes.cursors).extracting(LaneStore.Cursor::after).contains(101L).doesNotContain(0L);
  }

  @Test
  void after_a_failure_of_the_store_everything_is_read_from_the_start() {
    lanes.openTransactions = new OpenTransactions.Known(Set.of(), Duration.ZERO);
    ids = 100;
    put(QUIET);
    relay.pass(SOON);
    ids = 0;
    StoredEnvelope restored = put(QUIET);

    relay.turns().afterFailure(StoreException.passing("down", null));
    relay.pass(SOON);

    assertThat(relay.envelopes()).contains(restored.envelope());
  }

  @Test
  void after_a_failure_of_the_store_no_id_from_before_is_taken_for_visible() {
    lanes.openTransactions = new OpenTransactions.Known(Set.of(), Duration.ZERO);
    ids = 100;
    put(QUIET);
    relay.pass(SOON);
    relay.turns().afterFailure(StoreException.passing("down", null));
    lanes.openTransactions = new OpenTransactions.Known(Set.of("slow"), Duration.ZERO);
    ids = 2;
    put(QUIET);
    relay.wake(QUIET);
    relay.pass(20);
    assertThat(relay.envelopes()).hasSize(2);

    lanes.openTransactions = new OpenTransactions.Known(Set.of(), Duration.ZERO);
    ids = 1;
    StoredEnvelope slow = put(QUIET);
    relay.wake(QUIET);
    relay.pass(20);

    assertThat(relay.envelopes()).contains(slow.envelope());
  }

  @Test
  void a_relay_reports_its_state() {
    relay.latency = Duration.ofSeconds(1);
    put(BUSY);
    relay.pass(500);

    assertThat(relay.status().lanes()).hasSize(4);
    assertThat(relay.status().inMemory()).isEqualTo(1);
    relay.pass(2000);
    assertThat(relay.status().inMemory()).isZero();
  }

  private List<Duration> looksWithin(Duration time) {
    List<Duration> looks = new ArrayList<>();
    Duration end = relay.time().plus(time);
    int seen = 0;
    while (relay.time().compareTo(end) < 0) {
      relay.pass(1);
      if (lanes.asked("look").size() > seen) {
        seen = lanes.asked("look").size();
        looks.add(relay.time());
      }
    }
    return looks;
  }

  private StoredEnvelope put(Lane lane) {
    StoredEnvelope message = StoredEnvelope.ready(++ids, lane, envelope(null));
    lanes.put(message);
    return message;
  }

  private StoredEnvelope due(Lane lane, String key) {
    StoredEnvelope message = new StoredEnvelope(++ids, lane, envelope(key), RetryState.NONE, null);
    lanes.due.computeIfAbsent(lane, any -> new ArrayList<>()).add(message);
    return message;
  }

  private StoredEnvelope delayed(Lane lane) {
    StoredEnvelope message = StoredEnvelope.ready(++ids, lane, envelope(null));
    lanes.delayed.computeIfAbsent(lane, any -> new ArrayList<>()).add(message);
    return message;
  }
}
