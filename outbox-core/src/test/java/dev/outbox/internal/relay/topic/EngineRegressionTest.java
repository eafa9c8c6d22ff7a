package dev.outbox.internal.relay.topic;

import static dev.outbox.internal.relay.Samples.atSecond;
import static dev.outbox.internal.relay.Samples.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Topics.Setting;
import dev.outbox.internal.relay.ScriptedLanes;
import dev.outbox.internal.relay.SteppedRelay;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.settle.RetryState;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the engine once did against its own essays. */
class EngineRegressionTest {
  private static final Lane BUSY = new Lane(1);
  private static final Lane QUIET = new Lane(2);
  private static final Ack DOWN = Ack.unavailable(new IllegalStateException("down"));
  private final ScriptedLanes lanes = new ScriptedLanes(4);
  private final SteppedRelay relay = new SteppedRelay(lanes);
  private final TopicGates gates = new TopicGates();
  private long ids;

  @Test
  void the_loop_waits_while_something_is_in_flight() {
    relay.latency = Duration.ofSeconds(2);
    put(BUSY);
    relay.pass(1900);
    assertThat(relay.spins).isZero();
  }

  @Test
  void the_loop_waits_while_the_broker_is_down() {
    relay.broker = each -> DOWN;
    put(BUSY);
    relay.pass(5000);
    assertThat(relay.spins).isZero();
  }

  @Test
  void busy_lanes_do_not_keep_quiet_ones_from_what_has_fallen_due() {
    relay.latency = Duration.ofMillis(3);
    keepBusy(Duration.ofSeconds(5));
    StoredEnvelope due = due(QUIET);
    StoredEnvelope delayed = delayed(QUIET);
    keepBusy(Duration.ofSeconds(60));
    assertThat(relay.envelopes()).contains(due.envelope(), delayed.envelope());
  }

  @Test
  void a_lane_that_is_never_idle_publishes_what_has_fallen_due_in_it() {
    relay.latency = Duration.ofMillis(400);
    keepBusy(Duration.ofSeconds(5));
    StoredEnvelope due = due(BUSY);
    keepBusy(Duration.ofSeconds(10));
    assertThat(relay.envelopes()).contains(due.envelope());
  }

  @Test
  void a_wake_up_reads_the_rung_lane_alone() {
    relay.pass(10_000);
    lanes.asked.clear();
    put(QUIET);
    relay.wake(QUIET);
    relay.turn();
    assertThat(lanes.asked("read")).containsExactly(List.of(QUIET));
  }

  @Test
  void while_a_careful_message_is_in_flight_nothing_else_takes_off() {
    lanes.free.clear();
    lanes.free.add(ScriptedLanes.claim(new Lane(0), 0, null));
    lanes.free.add(ScriptedLanes.claim(BUSY, 3, null));
    relay.latency = Duration.ofMillis(100);
    put(BUSY);
    put(new Lane(0));
    relay.pass(1000);
    assertThat(relay.published).hasSize(2);
    assertThat(relay.published).allSatisfy(each -> assertThat(each.together()).isEqualTo(1));
  }

  @Test
  void the_relay_reports_its_state() {
    relay.pass(1000);
    assertThat(relay.status().lanes()).hasSize(4);
  }

  @Test
  void a_lane_that_comes_free_is_taken_within_a_second_of_it() {
    Duration longest = Duration.ZERO;
    for (int phase = 0; phase < 40; phase++) {
      ScriptedLanes some = new ScriptedLanes(4);
      LaneClaim orphaned = some.free.removeLast();
      some.put(StoredEnvelope.ready(1, orphaned.lease().lane(), envelope(null)));
      SteppedRelay idle = new SteppedRelay(some);
      idle.pass(10_500 + phase * 25);
      Duration freed = idle.time();
      some.free.add(orphaned);
      idle.pass(3500);
      Duration took = idle.published.get(0).at().minus(freed);
      longest = took.compareTo(longest) > 0 ? took : longest;
    }
    assertThat(longest).isLessThan(Duration.ofMillis(1050));
  }

  @Test
  void a_paused_topic_is_held_even_if_it_was_never_met() {
    gates.set(Map.of("orders", Setting.NONE.withPaused(true)));
    assertThat(gates.isHeld("orders", atSecond(0))).isTrue();
  }

  @Test
  void probes_go_out_one_at_a_time_whatever_else_is_withdrawn() {
    Envelope first = envelope("a");
    Envelope second = envelope("b");
    gates.admit(first, atSecond(0));
    gates.admit(second, atSecond(0));
    gates.answered(first, DOWN, gates.outages(), atSecond(0));
    assertThat(gates.admit(envelope("c"), atSecond(1))).as("the probe").isTrue();
    gates.answered(second, Ack.notSent("late"), gates.outages(), atSecond(1)); // of the old flight
    assertThat(gates.admit(envelope("d"), atSecond(1))).as("a second probe").isFalse();
  }

  @Test
  void a_probe_in_flight_does_not_let_another_worker_sleep_for_a_day() {
    Envelope first = envelope("a");
    gates.admit(first, atSecond(0));
    gates.answered(first, DOWN, gates.outages(), atSecond(0));
    gates.admit(envelope("b"), atSecond(1));
    assertThat(gates.isDown(atSecond(1)) && !gates.mayProbe(atSecond(1))).isTrue();
    // RowWorker.longestRest() while down is exactly this, and only its own wake-up ends the wait
    assertThat(gates.untilChange(atSecond(1))).isLessThan(Duration.ofMinutes(1));
  }

  @Test
  void a_healthy_topic_that_was_quiet_for_a_minute_is_not_kept_waiting_by_one_that_is_down() {
    put(BUSY);
    relay.pass(1000);
    relay.broker = each -> each.topic().equals("invoices") ? DOWN : Ack.delivered();
    lanes.put(StoredEnvelope.ready(++ids, BUSY, envelope("invoices", "a")));
    relay.wake(BUSY);
    relay.pass(Duration.ofSeconds(63));
    StoredEnvelope order = put(QUIET);
    relay.wake(QUIET);
    relay.pass(1000);
    assertThat(relay.envelopes()).contains(order.envelope());
  }

  private void keepBusy(Duration time) {
    Duration end = relay.time().plus(time);
    while (relay.time().compareTo(end) < 0) {
      put(BUSY);
      relay.wake(BUSY);
      relay.pass(2);
    }
  }

  private StoredEnvelope put(Lane lane) {
    StoredEnvelope message = StoredEnvelope.ready(++ids, lane, envelope(null));
    lanes.put(message);
    return message;
  }

  private StoredEnvelope due(Lane lane) {
    StoredEnvelope message = new StoredEnvelope(++ids, lane, envelope(null), RetryState.NONE, null);
    lanes.due.computeIfAbsent(lane, any -> new ArrayList<>()).add(message);
    return message;
  }

  private StoredEnvelope delayed(Lane lane) {
    StoredEnvelope message = StoredEnvelope.ready(++ids, lane, envelope(null));
    lanes.delayed.computeIfAbsent(lane, any -> new ArrayList<>()).add(message);
    return message;
  }
}
