package dev.outbox.internal.relay;

import static dev.outbox.internal.relay.Samples.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.RetryState;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** A relay of four lanes, one of which has no rest. */
class BusyLanesTest {
  private static final Lane BUSY = new Lane(1);
  private static final Lane QUIET = new Lane(2);
  private static final Duration SOON = Duration.ofMillis(1100);

  private final ScriptedLanes lanes = new ScriptedLanes(4);
  private final SteppedRelay relay = new SteppedRelay(lanes);
  private long ids;

  @Test
  void busy_lanes_do_not_keep_quiet_ones_from_being_read() {
    relay.latency = Duration.ofMillis(3);
    keepBusy(Duration.ofSeconds(5));
    StoredEnvelope quiet = put(QUIET);

    keepBusy(SOON);

    assertThat(relay.envelopes()).contains(quiet.envelope());
  }

  @Test
  void ready_and_due_messages_of_a_lane_take_turns() {
    relay.latency = Duration.ofMillis(10);
    for (int i = 0; i < 300; i++) {
      put(BUSY);
      due(BUSY);
    }
    relay.pass(150);

    long dueOnes =
        lanes.settlements.stream()
            .flatMap(each -> each.fates().stream())
            .filter(fate -> fate.storedEnvelope().isParked())
            .count();
    long readyOnes = relay.status().counts().delivered() - dueOnes;
    assertThat(dueOnes).isGreaterThan(50);
    assertThat(readyOnes).isGreaterThan(50);
  }

  @Test
  void busy_lanes_do_not_keep_quiet_ones_from_what_has_fallen_due() {
    relay.latency = Duration.ofMillis(3);
    keepBusy(Duration.ofSeconds(5));
    StoredEnvelope due = due(QUIET);
    StoredEnvelope delayed = delayed(QUIET);

    keepBusy(SOON);

    assertThat(relay.envelopes()).contains(due.envelope(), delayed.envelope());
  }

  @Test
  void a_lane_that_is_never_idle_publishes_what_has_fallen_due_in_it() {
    relay.latency = Duration.ofMillis(400);
    keepBusy(Duration.ofSeconds(5));
    StoredEnvelope due = due(BUSY);
    StoredEnvelope delayed = delayed(BUSY);

    keepBusy(Duration.ofMillis(2500));

    assertThat(relay.envelopes()).contains(due.envelope(), delayed.envelope());
  }

  @Test
  void the_loop_waits_while_something_is_in_flight() {
    relay.latency = Duration.ofSeconds(2);
    put(BUSY);
    put(QUIET);

    relay.pass(1900);

    assertThat(relay.spins).isZero();
  }

  /** A lane into which somebody writes and rings all the time. */
  private void keepBusy(Duration time) {
    Duration end = relay.time().plus(time);
    while (relay.time().compareTo(end) < 0) {
      put(BUSY);
      relay.wake(BUSY);
      relay.pass(5);
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
