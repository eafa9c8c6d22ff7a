package dev.outbox.internal.relay;

import static dev.outbox.internal.relay.Samples.envelope;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.outbox.StoreException;
import dev.outbox.publish.Ack;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A relay that took over one careful lane among others. */
class CarefulFlightsTest {
  private static final Lane CALM = new Lane(0);
  private static final Lane CAREFUL = new Lane(1);

  private final ScriptedLanes lanes = new ScriptedLanes(2);
  private final SteppedRelay relay = new SteppedRelay(lanes);
  private long ids;

  @BeforeEach
  void takeOver() {
    lanes.free.clear();
    lanes.free.add(ScriptedLanes.claim(CALM, 0, null));
    lanes.free.add(ScriptedLanes.claim(CAREFUL, 3, null));
  }

  @Test
  void every_message_is_noted_before_it_flies_and_settled_before_the_next_is_noted() {
    List<StoredEnvelope> suspects = List.of(put(CAREFUL), put(CAREFUL), put(CAREFUL));

    relay.pass(1000);

    assertThat(relay.envelopes())
        .containsExactlyElementsOf(suspects.stream().map(StoredEnvelope::envelope).toList());
    assertThat(lanes.asked("suspect")).containsExactly(List.of(1L), List.of(2L), List.of(3L));
    List<String> steps = List.of("suspect", "publish", "settle");
    assertThat(lanes.asked.stream().map(ScriptedLanes.Asked::what).filter(steps::contains))
        .startsWith(
            "suspect", "publish", "settle", "suspect", "publish", "settle", "suspect", "publish",
            "settle");
  }

  @Test
  void nothing_is_noted_of_calm_lanes() {
    put(CALM);

    relay.pass(1000);

    assertThat(relay.published).hasSize(1);
    assertThat(lanes.asked("suspect")).isEmpty();
  }

  @Test
  void a_careful_message_waits_until_nothing_else_is_in_flight() {
    LaneClaim careful = lanes.free.removeLast();
    relay.latency = Duration.ofMillis(100);
    put(CALM);
    put(CALM);
    relay.pass(10);
    put(CAREFUL);
    lanes.free.add(careful);
    relay.turns().lookEverywhere();
    relay.pass(50);
    assertThat(lanes.asked("claim")).hasSize(2);
    assertThat(relay.published).hasSize(2);

    relay.pass(1000);

    assertThat(relay.published).hasSize(3);
    assertThat(relay.published.get(2).together()).isEqualTo(1);
    assertThat(relay.published.get(2).at()).isGreaterThanOrEqualTo(Duration.ofMillis(100));
  }

  @Test
  void nothing_else_takes_off_while_a_careful_message_is_in_flight() {
    relay.latency = Duration.ofMillis(100);
    put(CAREFUL);
    put(CALM);
    put(CAREFUL);

    relay.pass(1000);

    assertThat(relay.published).hasSize(3);
    assertThat(relay.published.subList(0, 2))
        .allSatisfy(each -> assertThat(each.together()).isEqualTo(1));
  }

  @Test
  void the_lane_is_calm_once_the_suspects_have_settled() {
    put(CAREFUL);
    put(CAREFUL);
    relay.pass(1000);
    lanes.asked.clear();

    put(CAREFUL);
    put(CAREFUL);
    relay.wake(CAREFUL);
    relay.pass(1000);

    assertThat(relay.published).hasSize(4);
    assertThat(lanes.asked("suspect")).isEmpty();
  }

  @Test
  void a_lane_with_nothing_to_read_is_calm() {
    relay.pass(1000);
    put(CAREFUL);
    relay.wake(CAREFUL);
    relay.pass(100);

    assertThat(relay.published).hasSize(1);
    assertThat(lanes.asked("suspect")).isEmpty();
  }

  @Test
  void the_lane_stays_careful_while_suspects_are_left_in_place_for_a_broker_that_is_down() {
    Ack down = Ack.unavailable(new IllegalStateException("down"));
    relay.broker = each -> each.topic().equals("invoices") ? down : Ack.delivered();
    StoredEnvelope first = put(CAREFUL, "invoices");
    StoredEnvelope second = put(CAREFUL, "invoices");
    relay.pass(3000); // beyond the grace: the lane is read on above what is left
    lanes.asked.clear();
    relay.latency = Duration.ofSeconds(2);
    StoredEnvelope healthy = put(CAREFUL);
    relay.wake(CAREFUL);
    relay.pass(1000);
    relay.broker = each -> Ack.delivered();

    relay.pass(20_000);

    assertThat(lanes.asked("suspect"))
        .containsExactly(List.of(healthy.id()), List.of(first.id()), List.of(second.id()));
  }

  @Test
  void a_careful_lane_that_leaves_its_messages_in_place_keeps_no_other_waiting() {
    Ack down = Ack.unavailable(new IllegalStateException("down"));
    relay.broker = each -> each.topic().equals("invoices") ? down : Ack.delivered();
    put(CAREFUL, "invoices");
    relay.pass(3000); // beyond the grace: the lane is read on above what is left

    put(CAREFUL, "invoices");
    StoredEnvelope healthy = put(CALM);
    relay.wake(CAREFUL, CALM);
    relay.pass(10);

    assertThat(relay.envelopes()).contains(healthy.envelope());
  }

  @Test
  void a_mark_that_is_fenced_drops_the_lane_and_nothing_of_it_is_published() {
    put(CAREFUL);
    StoredEnvelope calm = put(CALM);
    lanes.fenced.add(CAREFUL);

    relay.pass(1000);

    assertThat(relay.envelopes()).containsExactly(calm.envelope());
    assertThat(relay.status().counts().fenced()).isEqualTo(1);
    relay.pass(6000);
    assertThat(lanes.asked("settle")).last().isEqualTo(List.of(CALM));
  }

  @Test
  void a_mark_that_gets_no_answer_keeps_the_message_on_the_ground_until_it_does() {
    StoredEnvelope suspect = put(CAREFUL);
    lanes.unheard = "suspect";

    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(
            () -> {
              for (int turn = 0; turn < 10; turn++) {
                relay.turn();
              }
            });
    assertThat(relay.published).isEmpty();
    assertThat(lanes.settlements).flatExtracting(Settlement::fates).isEmpty();

    lanes.unheard = null;
    relay.turns().afterFailure(StoreException.passing("down", null));
    relay.pass(1000);

    assertThat(relay.envelopes()).containsExactly(suspect.envelope());
    assertThat(lanes.settlements)
        .flatExtracting(Settlement::fates)
        .containsExactly(new Fate.Deliver(suspect));
  }

  private StoredEnvelope put(Lane lane) {
    return put(lane, Samples.TOPIC);
  }

  private StoredEnvelope put(Lane lane, String topic) {
    StoredEnvelope message = StoredEnvelope.ready(++ids, lane, envelope(topic, "k" + ids));
    lanes.put(message);
    return message;
  }
}
