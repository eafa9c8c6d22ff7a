package dev.outbox.internal.relay.topic;

import static dev.outbox.internal.relay.Samples.at;
import static dev.outbox.internal.relay.Samples.atSecond;
import static dev.outbox.internal.relay.Samples.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Topics.Setting;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TopicGatesTest {
  private static final Ack DOWN = Ack.unavailable(new IllegalStateException("down"));
  private static final Ack NO = Ack.failed(new IllegalStateException("no"));
  private static final Setting PAUSED = Setting.NONE.withPaused(true);

  private final TopicGates gates = new TopicGates();
  private final Envelope order = envelope("orders", "a");
  private final Envelope invoice = envelope("invoices", "a");

  @Test
  void a_topic_of_which_nothing_is_known_goes_through() {
    assertThat(gates.isHeld("orders", atSecond(0))).isFalse();
    assertThat(gates.admit(order, atSecond(0))).isTrue();
  }

  @Test
  void a_paused_topic_is_held_until_it_is_resumed_and_no_other_with_it() {
    gates.set(Map.of("orders", PAUSED));
    assertThat(gates.admit(order, atSecond(0))).isFalse();
    assertThat(gates.admit(invoice, atSecond(0))).isTrue();

    gates.set(Map.of());
    assertThat(gates.admit(order, atSecond(0))).isTrue();
  }

  @Test
  void a_paused_topic_is_held_even_if_it_was_never_met() {
    gates.set(Map.of("orders", PAUSED));

    assertThat(gates.isHeld("orders", atSecond(0))).isTrue();
  }

  @Test
  void probes_go_out_one_at_a_time_whatever_else_is_withdrawn() {
    Envelope older = envelope("orders", "b");
    gates.admit(older, atSecond(0));
    down(order);
    assertThat(gates.admit(order, atSecond(1))).as("the probe").isTrue();

    gates.answered(older, Ack.notSent("late"), gates.outages(), atSecond(1));

    assertThat(gates.admit(older, atSecond(1))).as("a second probe").isFalse();
  }

  @Test
  void workers_that_tell_their_time_late_keep_no_topic_without_messages_away() {
    down(order);

    for (int second = 10; second < 100; second++) {
      gates.looked(atSecond(second), topic -> false);
      gates.looked(atSecond(second - 10), topic -> false);
    }

    assertThat(gates.down(atSecond(100))).isEmpty();
  }

  @Test
  void a_topic_of_which_messages_may_wait_stays_down() {
    down(order);

    for (int second = 10; second < 100; second++) {
      gates.looked(atSecond(second), topic -> topic.equals("orders"));
    }

    assertThat(gates.down(atSecond(100))).containsOnlyKeys("orders");
  }

  @Test
  void nobody_sleeps_for_long_while_a_probe_of_another_is_in_flight() {
    down(order);
    gates.admit(order, atSecond(1));

    assertThat(gates.untilChange(atSecond(1))).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void a_topic_is_strict_when_it_is_set_so() {
    gates.set(Map.of("orders", Setting.NONE.withStrict(true)));

    assertThat(gates.isStrict("orders")).isTrue();
    assertThat(gates.isStrict("invoices")).isFalse();
  }

  @Test
  void no_more_than_the_cap_are_in_flight_and_an_answer_makes_room() {
    gates.set(Map.of("orders", Setting.NONE.withInFlight(2)));
    assertThat(gates.admit(order, atSecond(0))).isTrue();
    assertThat(gates.admit(order, atSecond(0))).isTrue();
    assertThat(gates.admit(order, atSecond(0))).isFalse();

    gates.answered(order, Ack.delivered(), gates.outages(), atSecond(0));
    assertThat(gates.admit(order, atSecond(0))).isTrue();
    gates.answered(order, NO, gates.outages(), atSecond(0));
    assertThat(gates.admit(order, atSecond(0))).isTrue();
    gates.answered(order, Ack.rejected("bad"), gates.outages(), atSecond(0));
    assertThat(gates.admit(order, atSecond(0))).isTrue();
    gates.answered(order, Ack.notSent("late"), gates.outages(), atSecond(0));
    assertThat(gates.admit(order, atSecond(0))).isTrue();
    gates.withdrawn(order);
    assertThat(gates.admit(order, atSecond(0))).isTrue();
    assertThat(gates.admit(order, atSecond(0))).isFalse();
  }

  @Test
  void a_cap_counts_those_that_were_in_flight_before_it_was_set() {
    gates.admit(order, atSecond(0));
    gates.admit(order, atSecond(0));

    gates.set(Map.of("orders", Setting.NONE.withInFlight(2)));

    assertThat(gates.admit(order, atSecond(0))).isFalse();
  }

  @Test
  void a_rate_is_used_up_by_what_goes_and_returned_by_what_did_not() {
    gates.set(Map.of("orders", Setting.NONE.withPerSecond(8)));
    assertThat(gates.admit(order, atSecond(0))).isTrue();
    assertThat(gates.admit(order, atSecond(0))).isTrue();
    gates.withdrawn(order);
    assertThat(gates.admit(order, atSecond(0))).isTrue();
    assertThat(gates.admit(order, atSecond(0))).isFalse();
    assertThat(gates.admit(order, at(Duration.ofMillis(250)))).isTrue();
  }

  @Test
  void a_topic_at_its_cap_is_not_held_for_long_though_it_has_a_rate_too() {
    gates.set(Map.of("orders", Setting.NONE.withPerSecond(8).withInFlight(1)));
    assertThat(gates.admit(order, atSecond(0))).isTrue();
    assertThat(gates.isHeld("orders", atSecond(0))).isTrue();
    assertThat(gates.isHeldForLong("orders", atSecond(0))).isFalse();

    gates.answered(order, Ack.delivered(), gates.outages(), atSecond(0));
    assertThat(gates.admit(order, atSecond(0))).isTrue();
    assertThat(gates.isHeldForLong("orders", atSecond(0))).as("its rate is used up").isTrue();
  }

  @Test
  void unsent_messages_say_nothing_of_the_broker() {
    for (int i = 0; i < 100; i++) {
      gates.admit(order, atSecond(0));
      gates.answered(order, Ack.notSent("late"), gates.outages(), atSecond(0));
    }

    assertThat(gates.isOpen("orders")).isFalse();
  }

  @Test
  void a_rejected_probe_makes_way_for_another() {
    down(order);
    assertThat(gates.admit(order, atSecond(1))).isTrue();
    assertThat(gates.admit(order, atSecond(1))).isFalse();

    gates.answered(order, Ack.rejected("bad"), gates.outages(), atSecond(1));

    assertThat(gates.admit(order, atSecond(1))).isTrue();
  }

  @Test
  void a_delivered_probe_opens_the_gate_for_all() {
    down(order);
    gates.admit(order, atSecond(1));

    gates.answered(order, Ack.delivered(), gates.outages(), atSecond(1));

    assertThat(gates.admit(order, atSecond(1))).isTrue();
    assertThat(gates.admit(order, atSecond(1))).isTrue();
    assertThat(gates.isOpen("orders")).isFalse();
  }

  @Test
  void what_was_in_flight_when_a_topic_went_down_takes_it_down_once() {
    Envelope slow = envelope("orders", "slow");
    long sent = gates.outages();
    gates.admit(slow, atSecond(0));
    down(order);
    deliver(order, atSecond(1));

    gates.answered(slow, DOWN, sent, atSecond(2));
    assertThat(gates.isOpen("orders")).isFalse();

    down(order);
    assertThat(gates.isOpen("orders")).as("what was sent since").isTrue();
  }

  @Test
  void names_every_topic_that_is_held_whether_it_was_met_or_not() {
    gates.set(
        Map.of(
            "paused", PAUSED,
            "capped", Setting.NONE.withInFlight(1),
            "strict", Setting.NONE.withStrict(true),
            "idle", Setting.NONE.withInFlight(1).withPerSecond(4)));
    gates.admit(envelope("capped", "a"), atSecond(0));
    gates.admit(invoice, atSecond(0));
    down(order);

    assertThat(gates.held(atSecond(0))).containsExactly("capped", "orders", "paused");
  }

  @Test
  void a_topic_is_held_while_its_probe_is_in_flight() {
    down(order);
    assertThat(gates.held(atSecond(1))).isEmpty();

    gates.admit(order, atSecond(1));

    assertThat(gates.held(atSecond(1))).containsExactly("orders");
  }

  @Test
  void asking_whether_it_is_held_takes_no_place() {
    gates.set(Map.of("orders", Setting.NONE.withInFlight(1).withPerSecond(4)));
    for (int i = 0; i < 100; i++) {
      assertThat(gates.isHeld("orders", atSecond(0))).isFalse();
      assertThat(gates.held(atSecond(0))).isEmpty();
    }

    assertThat(gates.admit(order, atSecond(0))).isTrue();
  }

  @Test
  void everything_is_down_when_every_topic_met_within_a_minute_is() {
    assertThat(gates.isDown(atSecond(0))).as("nothing was met").isFalse();
    gates.admit(invoice, atSecond(0));
    down(order);
    assertThat(gates.isDown(atSecond(59))).as("invoices were met a minute ago").isFalse();
    assertThat(gates.isDown(atSecond(60))).isTrue();

    gates.admit(invoice, atSecond(61));
    assertThat(gates.isDown(atSecond(61))).isFalse();
  }

  @Test
  void a_topic_that_was_down_is_so_until_it_is_proven_to_be_back() {
    down(order);

    assertThat(gates.isDown(atSecond(3600))).isTrue();
    gates.admit(order, atSecond(3600));
    gates.answered(order, Ack.delivered(), gates.outages(), atSecond(3600));
    assertThat(gates.isDown(atSecond(3600))).isFalse();
  }

  @Test
  void may_probe_once_a_rest_is_over_and_no_probe_is_in_flight() {
    assertThat(gates.mayProbe(atSecond(0))).isFalse();
    down(order);
    assertThat(gates.mayProbe(atSecond(0))).isFalse();
    assertThat(gates.mayProbe(atSecond(1))).isTrue();

    gates.admit(order, atSecond(1));
    assertThat(gates.mayProbe(atSecond(1))).isFalse();
  }

  @Test
  void nothing_changes_by_itself_but_waits_and_rates() {
    gates.admit(invoice, atSecond(0));
    assertThat(gates.untilChange(atSecond(0))).isEqualTo(Duration.ofDays(1));

    down(order);
    down(invoice);
    gates.admit(invoice, atSecond(1));
    gates.answered(invoice, DOWN, gates.outages(), atSecond(1));
    assertThat(gates.untilChange(atSecond(0))).isEqualTo(Duration.ofMillis(250));
    assertThat(gates.open(atSecond(1)))
        .isEqualTo(Map.of("orders", Duration.ZERO, "invoices", Duration.ofMillis(500)));

    gates.set(Map.of("orders", Setting.NONE.withPerSecond(1)));
    assertThat(gates.untilChange(atSecond(0))).isEqualTo(Duration.ofMillis(50));
  }

  @Test
  void topics_that_nobody_meets_any_more_are_forgotten() {
    for (int tenant = 0; tenant < 1000; tenant++) {
      deliver(envelope("tenant " + tenant, null), atSecond(tenant));
    }

    assertThat(gates.known()).isLessThan(150);
  }

  @Test
  void but_not_what_is_in_flight_of_them_nor_their_failures_nor_that_their_broker_is_down() {
    gates.set(Map.of("orders", Setting.NONE.withInFlight(1)));
    gates.admit(order, atSecond(0));
    down(invoice);
    for (int failure = 0; failure < 19; failure++) {
      fail(envelope("refunds", "key " + failure), atSecond(0));
    }

    deliver(envelope("others", null), atSecond(3600));

    assertThat(gates.admit(order, atSecond(3600))).isFalse();
    assertThat(gates.isOpen("invoices")).isTrue();
    fail(envelope("refunds", "key 19"), atSecond(3600));
    assertThat(gates.isOpen("refunds")).isTrue();
  }

  private void deliver(Envelope envelope, Ticker.Moment now) {
    gates.admit(envelope, now);
    gates.answered(envelope, Ack.delivered(), gates.outages(), now);
  }

  private void fail(Envelope envelope, Ticker.Moment now) {
    gates.admit(envelope, now);
    gates.answered(envelope, NO, gates.outages(), now);
  }

  /** As another of its topic found it. */
  private void down(Envelope envelope) {
    Envelope other = envelope(envelope.topic(), "other");
    gates.admit(other, atSecond(0));
    gates.answered(other, DOWN, gates.outages(), atSecond(0));
  }
}
