package dev.outbox.internal.relay;

import static dev.outbox.internal.relay.Samples.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Topics.Setting;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LiveRelay;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.HoldReason;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Paused topics, topics at their limits, and brokers that are down, over the life of a relay. */
class HoldsTest {
  private static final Lane ONE = new Lane(1);
  private static final Lane TWO = new Lane(2);
  private static final Duration A_RENEWAL = Duration.ofSeconds(6);
  private static final Ack DOWN = Ack.unavailable(new IllegalStateException("down"));

  private static final int BACKLOG = 10_000;

  private final ScriptedLanes lanes = new ScriptedLanes(4);
  private final SteppedRelay relay = new SteppedRelay(lanes);
  private long ids;

  @Test
  void a_paused_topic_is_parked_once_and_published_in_order_when_it_is_resumed() {
    lanes.settings = Map.of(Samples.TOPIC, Setting.NONE.withPaused(true));
    List<StoredEnvelope> messages = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      messages.add(put(ONE, Samples.TOPIC, "k" + i % 3));
    }
    relay.pass(Duration.ofMinutes(1));
    assertThat(relay.published).isEmpty();
    assertThat(parked(HoldReason.TOPIC)).hasSize(50);

    lanes.settings = Map.of();
    relay.pass(A_RENEWAL);

    for (int key = 0; key < 3; key++) {
      String name = "k" + key;
      assertThat(relay.envelopes().stream().filter(each -> name.equals(each.key().value())))
          .containsExactlyElementsOf(
              messages.stream()
                  .map(StoredEnvelope::envelope)
                  .filter(each -> name.equals(each.key().value()))
                  .toList());
    }
    assertThat(parked(HoldReason.TOPIC)).hasSize(50);
  }

  @Test
  void a_paused_topic_holds_no_other() {
    lanes.settings = Map.of("invoices", Setting.NONE.withPaused(true));
    put(ONE, "invoices", "a");
    StoredEnvelope order = put(ONE, Samples.TOPIC, "a");

    relay.pass(1000);

    assertThat(relay.envelopes()).containsExactly(order.envelope());
  }

  @Test
  void no_more_than_the_cap_are_in_flight_and_all_get_through() {
    lanes.settings = Map.of(Samples.TOPIC, Setting.NONE.withInFlight(3));
    relay.latency = Duration.ofMillis(20);
    for (int i = 0; i < 60; i++) {
      put(new Lane(i % 4), Samples.TOPIC, null);
    }

    relay.pass(Duration.ofSeconds(30));

    assertThat(relay.published).hasSize(60);
    assertThat(relay.published).allSatisfy(each -> assertThat(each.together()).isLessThan(4));
  }

  @Test
  void no_more_than_the_rate_go_out_in_a_second_and_all_get_through() {
    lanes.settings = Map.of(Samples.TOPIC, Setting.NONE.withPerSecond(10));
    for (int i = 0; i < 100; i++) {
      put(new Lane(i % 4), Samples.TOPIC, "k" + i);
    }

    relay.pass(Duration.ofSeconds(20));

    assertThat(relay.published).hasSize(100);
    assertThat(relay.published.get(99).at()).isGreaterThan(Duration.ofSeconds(9));
  }

  @Test
  void a_cap_is_used_while_another_topic_is_busy() {
    SteppedRelay busy = besideOrders(Setting.NONE.withInFlight(3), 2);

    busy.pass(Duration.ofSeconds(4));

    assertThat(mails(busy)).isEqualTo(64);
  }

  @Test
  void a_rate_is_met_while_another_topic_is_busy() {
    SteppedRelay busy = besideOrders(Setting.NONE.withPerSecond(10), 3);

    busy.pass(Duration.ofSeconds(8));

    assertThat(mails(busy)).isBetween(65L, 82L);
  }

  private static long mails(SteppedRelay relay) {
    return relay.envelopes().stream().filter(each -> each.topic().equals("mails")).count();
  }

  /** Has {@code each} mails in each lane, and in one lane more orders than a test has time for. */
  private SteppedRelay besideOrders(Setting ofMails, int each) {
    ScriptedLanes many = new ScriptedLanes(32);
    many.settings = Map.of("mails", ofMails);
    for (int number = 0; number < 32 * each; number++) {
      many.put(StoredEnvelope.ready(++ids, new Lane(number / each), envelope("mails", null)));
    }
    for (int number = 0; number < 8 * BACKLOG; number++) {
      many.put(StoredEnvelope.ready(++ids, ONE, envelope(Samples.TOPIC, null)));
    }
    SteppedRelay busy = new SteppedRelay(many);
    busy.latency = Duration.ofMillis(20);
    return busy;
  }

  @Test
  void while_the_broker_is_down_nothing_is_moved_or_counted_and_little_is_tried() {
    relay.broker = envelope -> DOWN;
    putEverywhere(100);
    relay.pass(2000);
    relay.published.clear();

    relay.pass(Duration.ofSeconds(40));

    assertThat(fates()).isEmpty();
    assertThat(relay.spins).isZero();
    assertThat(relay.published).hasSizeBetween(3, 6);
    assertThat(relay.published).allSatisfy(each -> assertThat(each.together()).isEqualTo(1));
  }

  @Test
  void while_every_broker_is_down_what_is_left_in_place_is_not_read_over_and_over() {
    relay.broker = envelope -> DOWN;
    putEverywhere(8000);
    relay.pass(2000);
    lanes.asked.clear();

    relay.pass(Duration.ofMinutes(10));

    assertThat(lanesRead()).isLessThan(1000);
  }

  @Test
  void a_probe_that_nothing_is_left_for_costs_at_most_one_walk_through_a_lane_every_200_ms() {
    relay.broker = envelope -> DOWN;
    StoredEnvelope discarded = put(ONE, "invoices", "a");
    relay.pass(100);
    lanes.ready.get(ONE).remove(discarded);
    putEverywhere(800);
    relay.pass(2000);
    lanes.asked.clear();

    relay.pass(Duration.ofMinutes(1));

    assertThat(lanesRead()).isLessThan(5 * 300);
  }

  @Test
  void a_broker_that_comes_back_is_found_behind_a_long_backlog_of_one_that_does_not() {
    leaveABacklogBefore(envelope("invoices", "a"));

    relay.broker = envelope -> envelope.topic().equals("invoices") ? Ack.delivered() : DOWN;
    relay.pass(Duration.ofSeconds(40));

    assertThat(relay.envelopes()).extracting(Envelope::topic).contains("invoices");
  }

  @Test
  void a_walk_for_a_probe_arrives_however_long_it_takes() {
    leaveABacklogBefore(envelope("invoices", "a"));
    lanes.reading = () -> relay.elapse(Duration.ofSeconds(2));

    relay.broker = envelope -> envelope.topic().equals("invoices") ? Ack.delivered() : DOWN;
    relay.pass(Duration.ofMinutes(10));

    assertThat(relay.envelopes()).extracting(Envelope::topic).contains("invoices");
  }

  @Test
  void a_probe_costs_at_most_two_walks_through_a_long_backlog() {
    leaveABacklogBefore(envelope("invoices", "a"));
    lanes.asked.clear();

    relay.pass(Duration.ofMinutes(5));

    int probes = relay.published.size();
    assertThat(probes).isPositive();
    assertThat(lanesRead())
        .isLessThan(2 * (BACKLOG / SteppedRelay.SETTINGS.volume().batch() + 1) * probes);
  }

  /** Every broker is down; reads take their time. */
  private void leaveABacklogBefore(Envelope last) {
    for (int i = 0; i < BACKLOG; i++) {
      put(ONE, Samples.TOPIC, "k" + i);
    }
    lanes.put(StoredEnvelope.ready(++ids, ONE, last));
    lanes.newest = ids;
    lanes.reading = () -> relay.elapse(Duration.ofMillis(5));
    relay.broker = envelope -> DOWN;
    relay.pass(Duration.ofMinutes(3));
    relay.published.clear();
  }

  @Test
  void a_broker_that_comes_back_gets_everything_within_the_longest_rest() {
    relay.broker = envelope -> DOWN;
    putEverywhere(100);
    relay.pass(40_000);
    relay.published.clear();

    relay.broker = envelope -> Ack.delivered();
    relay.pass(34_000);

    assertThat(relay.published).hasSize(100);
    assertThat(fates()).hasSize(100).allMatch(fate -> fate instanceof Fate.Deliver);
  }

  @Test
  void one_topic_that_is_down_holds_no_other() {
    put(ONE, Samples.TOPIC, "a");
    relay.pass(100);
    relay.broker = envelope -> envelope.topic().equals("invoices") ? DOWN : Ack.delivered();
    put(ONE, "invoices", "a");
    relay.wake(ONE);
    relay.pass(1000);

    StoredEnvelope order = put(ONE, Samples.TOPIC, "a");
    relay.wake(ONE);
    relay.pass(100);

    assertThat(relay.envelopes()).contains(order.envelope());
  }

  @Test
  void a_healthy_topic_that_was_quiet_for_a_minute_is_not_kept_waiting_by_one_that_is_down() {
    put(ONE, Samples.TOPIC, "a");
    relay.pass(1000);
    relay.broker = envelope -> envelope.topic().equals("invoices") ? DOWN : Ack.delivered();
    put(ONE, "invoices", "a");
    relay.wake(ONE);
    relay.pass(Duration.ofSeconds(63));

    StoredEnvelope order = put(TWO, Samples.TOPIC, "a");
    relay.wake(TWO);
    relay.pass(1000);

    assertThat(relay.envelopes()).contains(order.envelope());
  }

  @Test
  void a_topic_that_was_not_met_before_is_published_at_once_while_all_known_ones_are_down() {
    relay.broker = envelope -> envelope.topic().equals("invoices") ? DOWN : Ack.delivered();
    put(ONE, "invoices", "a");
    put(TWO, "invoices", "b");
    relay.pass(Duration.ofSeconds(70));

    StoredEnvelope order = put(TWO, Samples.TOPIC, "a");
    relay.wake(TWO);
    relay.pass(50);

    assertThat(relay.envelopes()).contains(order.envelope());
  }

  @Test
  void with_everything_away_a_relay_keeps_one_lane_if_others_may_be_better_off() {
    lanes.others.add(new LiveRelay("other", true, Samples.START));
    relay.broker = envelope -> DOWN;
    putEverywhere(4);

    relay.pass(A_RENEWAL);

    assertThat(lanes.asked("beat")).last().isEqualTo(List.of(false));
    assertThat(releases()).hasSize(1);
    assertThat(lanes.asked("claim")).containsExactly(List.of(2));
  }

  @Test
  void alone_it_keeps_them_all() {
    relay.broker = envelope -> DOWN;
    putEverywhere(4);

    relay.pass(A_RENEWAL);

    assertThat(releases()).isEmpty();
  }

  @Test
  void twenty_failures_of_two_keys_open_the_breaker_and_the_others_lose_no_attempt() {
    relay.broker = envelope -> Ack.failed(new IllegalStateException("no"));
    for (int i = 0; i < 90; i++) {
      put(ONE, Samples.TOPIC, "k" + i);
    }

    relay.pass(100);

    assertThat(relay.relayState.gates.isOpen(Samples.TOPIC)).isTrue();
    assertThat(parked(HoldReason.FAILED)).isEmpty();
  }

  private int lanesRead() {
    return lanes.asked("read").stream().mapToInt(List::size).sum();
  }

  private List<Settlement> releases() {
    return lanes.settlements.stream()
        .filter(each -> each.after() == Settlement.After.RELEASE)
        .toList();
  }

  private void putEverywhere(int count) {
    for (int i = 0; i < count; i++) {
      put(new Lane(i % 4), Samples.TOPIC, "k" + i);
    }
  }

  private StoredEnvelope put(Lane lane, String topic, String key) {
    StoredEnvelope message = StoredEnvelope.ready(++ids, lane, envelope(topic, key));
    lanes.put(message);
    return message;
  }

  private List<Fate> fates() {
    return lanes.settlements.stream().map(Settlement::fates).flatMap(List::stream).toList();
  }

  private Stream<Fate> parked(HoldReason reason) {
    return fates().stream()
        .filter(fate -> fate instanceof Fate.Park park && park.reason() == reason);
  }
}
