package dev.outbox.internal.relay.settle;

import static dev.outbox.internal.relay.Samples.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.StoreException;
import dev.outbox.internal.relay.Samples;
import dev.outbox.internal.relay.ScriptedLanes;
import dev.outbox.internal.relay.SteppedRelay;
import dev.outbox.publish.Ack;
import dev.outbox.publish.RelayListener;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Under light traffic, what is delivered within a few milliseconds is settled together. */
class SettleBatchingTest {
  private static final Duration LINGER = Duration.ofMillis(5);
  private static final Lane[] LANES =
      IntStream.range(0, 8).mapToObj(Lane::new).toArray(Lane[]::new);

  private final ScriptedLanes lanes = new ScriptedLanes(8);
  private final SteppedRelay relay =
      new SteppedRelay(lanes, Samples.lingering(LINGER, RelayListener.SILENT), Runnable::run);
  private long ids;

  @Test
  void messages_that_come_one_by_one_are_settled_together() {
    rest();
    for (int lane = 0; lane < 4; lane++) {
      put(lane);
      relay.pass(1);
    }
    assertThat(relay.envelopes()).hasSize(4);
    assertThat(ends()).isEmpty();

    relay.pass(3);

    assertThat(ends()).hasSize(4);
    assertThat(lanes.asked("settle").get(lanes.asked("settle").size() - 1)).hasSize(4);
    assertThat(relay.spins).isZero();
  }

  @Test
  void a_message_takes_no_turn_that_does_nothing() {
    rest();
    relay.latency = Duration.ofMillis(2);
    int before = relay.turnsTaken;
    put(1);

    relay.pass(8);

    assertThat(ends()).hasSize(1);
    assertThat(relay.turnsTaken - before).as("read, land and settle").isEqualTo(2);
  }

  @Test
  void what_waits_behind_a_message_in_flight_is_no_reason_for_a_turn() {
    rest();
    relay.latency = Duration.ofMillis(2);
    int before = relay.turnsTaken;
    lanes.put(message(1, "same"), message(1, "same"));
    relay.wake(LANES[1]);

    relay.pass(10);

    assertThat(ends()).hasSize(1);
    assertThat(relay.turnsTaken - before).as("read, land, land and settle").isEqualTo(3);
  }

  @Test
  void a_message_that_comes_while_another_of_its_lane_is_in_flight_waits_for_the_answer_alone() {
    rest();
    relay.latency = Duration.ofMillis(2);
    put(1);
    relay.pass(1);
    Duration put = relay.time();
    put(1);

    relay.pass(10);

    assertThat(relay.published).hasSize(2);
    assertThat(relay.published.get(1).at().minus(put)).isLessThan(Duration.ofMillis(2));
  }

  @Test
  void what_was_not_sent_goes_on_at_once() {
    rest();
    relay.broker =
        envelope -> relay.published.size() < 2 ? Ack.notSent("not now") : Ack.delivered();
    Duration put = relay.time();
    put(1);

    relay.pass(10);

    assertThat(relay.published).hasSize(2);
    assertThat(relay.published.get(1).at().minus(put)).isLessThan(Duration.ofMillis(2));
  }

  @Test
  void a_slow_publisher_costs_one_turn_that_finds_nothing_and_no_other() {
    rest();
    relay.latency = Duration.ofMillis(20);
    int before = relay.turnsTaken;
    put(1);
    relay.pass(40);
    assertThat(ends()).hasSize(1);
    assertThat(relay.turnsTaken - before).as("read, in vain, land, settle").isEqualTo(4);

    before = relay.turnsTaken;
    put(2);
    relay.pass(40);

    assertThat(ends()).hasSize(2);
    assertThat(relay.turnsTaken - before).as("read, land, settle").isEqualTo(3);
  }

  @Test
  void an_answer_that_comes_while_the_loop_rests_after_a_failure_ends_the_rest() {
    rest();
    relay.latency = Duration.ofMillis(20);
    put(1);
    relay.pass(1);
    lanes.reading =
        () -> {
          lanes.reading = () -> {};
          throw StoreException.passing("down", null);
        };
    put(2);

    relay.pass(30);

    assertThat(ends()).hasSize(1);
  }

  @Test
  void a_relay_at_rest_gathers_nothing() {
    rest();
    put(1);
    relay.pass(10);
    int before = relay.turnsTaken;

    relay.pass(100);

    assertThat(relay.turnsTaken - before).isLessThanOrEqualTo(2);
  }

  @Test
  void what_waits_for_its_settlement_is_no_reason_to_look_for_more() {
    rest();
    lanes.asked.clear();

    for (int message = 0; message < 500; message++) {
      put(message % 8);
      relay.pass(4);
    }

    assertThat(relay.envelopes()).hasSize(500);
    assertThat(lanes.asked("look")).as("in two seconds").hasSizeLessThanOrEqualTo(3);
    assertThat(lanes.asked("read")).hasSize(500);
  }

  @Test
  void a_lane_with_news_is_settled_at_once() {
    rest();
    put(1);
    relay.pass(1);
    assertThat(ends()).isEmpty();

    put(1);
    relay.pass(1);

    assertThat(relay.envelopes()).hasSize(2);
    assertThat(ends()).hasSize(1);
  }

  @Test
  void many_messages_are_settled_at_once() {
    rest();
    for (int i = 0; i < 63; i++) {
      lanes.put(message(i % 8));
    }
    lanes.put(message(7));
    relay.wake(LANES);
    relay.pass(1);

    assertThat(relay.envelopes()).hasSize(64);
    assertThat(ends()).hasSize(8);
  }

  @Test
  void while_most_is_in_flight_the_rest_is_waited_for_but_only_for_a_moment() {
    List<Runnable> queued = new ArrayList<>();
    SteppedRelay busy =
        new SteppedRelay(lanes, Samples.lingering(LINGER, RelayListener.SILENT), queued::add);
    busy.pass(2000);
    lanes.settlements.clear();
    for (int i = 0; i < 8 * 32; i++) {
      lanes.put(message(i % 8));
    }
    busy.wake(LANES);
    busy.pass(1);
    assertThat(queued).hasSize(8);
    queued.stream().limit(3).forEach(Runnable::run);
    busy.pass(Duration.ofNanos(500_000));
    assertThat(ends()).as("three of eight flights have landed").isEmpty();

    busy.pass(1);
    assertThat(ends()).as("a moment later").hasSize(3);
  }

  @Test
  void what_is_gathered_is_settled_before_the_relay_leaves() {
    rest();
    put(1);
    relay.pass(1);

    assertThat(relay.turns().windDown()).isTrue();

    assertThat(ends()).hasSize(1);
  }

  @Test
  void a_close_without_patience_writes_the_answers_that_there_are() {
    rest();
    relay.broker = envelope -> envelope.key() == null ? null : Ack.delivered();
    lanes.put(
        StoredEnvelope.ready(1, LANES[1], envelope("a")),
        StoredEnvelope.ready(2, LANES[1], envelope(Samples.TOPIC, null)));
    relay.wake(LANES[1]);
    relay.pass(1);
    assertThat(relay.turns().windDown()).isFalse();

    relay.turns().giveUp();

    assertThat(ends()).hasSize(1);
  }

  @Test
  void a_failure_of_the_store_does_not_make_it_wait_again() {
    rest();
    put(1);
    relay.pass(1);
    lanes.refusal = StoreException.passing("down", null);
    lanes.refused.add(new Lane(1));
    relay.pass(20);
    lanes.refused.clear();

    relay.pass(200);

    assertThat(ends()).hasSize(1);
    assertThat(relay.envelopes()).hasSize(1);
  }

  @Test
  void a_failed_message_parks_with_the_others() {
    rest();
    relay.broker = envelope -> Ack.failed(new IllegalStateException("no"));
    put(1);
    relay.pass(1);
    assertThat(ends()).isEmpty();

    relay.pass(5);

    assertThat(ends()).hasSize(1);
  }

  /** Until the relay has its lanes and knows that nothing is in them. */
  private void rest() {
    relay.pass(2000);
    lanes.settlements.clear();
  }

  private void put(int lane) {
    lanes.put(message(lane));
    relay.wake(new Lane(lane));
  }

  private StoredEnvelope message(int lane) {
    return message(lane, "k" + ids);
  }

  private StoredEnvelope message(int lane, String key) {
    return StoredEnvelope.ready(++ids, new Lane(lane), envelope(key));
  }

  private List<Settlement> ends() {
    return lanes.settlements.stream().filter(each -> !each.fates().isEmpty()).toList();
  }
}
