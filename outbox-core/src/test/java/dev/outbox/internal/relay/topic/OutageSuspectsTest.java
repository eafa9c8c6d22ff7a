package dev.outbox.internal.relay.topic;

import static dev.outbox.internal.relay.Samples.atSecond;
import static dev.outbox.internal.relay.Samples.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.internal.relay.base.ErrorText;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One message that is an outage of itself, through the gates of its topic. */
class OutageSuspectsTest {
  private static final Ack DOWN = Ack.unavailable(new IllegalStateException("channel closed"));

  /** Longer than the rest before a probe, shorter than a topic is remembered that is not met. */
  private static final int LONGEST_REST = 40;

  private final TopicGates gates = new TopicGates();
  private final Envelope culprit = envelope("culprit");
  private final Envelope other = envelope("other");
  private int second;

  @Test
  void the_fourth_outage_of_one_message_alone_is_its_failure() {
    for (int end = 0; end < OutageSuspects.ENOUGH; end++) {
      assertThat(send(culprit, DOWN)).isInstanceOf(Ack.Unavailable.class);
      send(other, Ack.delivered());
    }

    assertThat(send(culprit, DOWN)).isInstanceOfSatisfying(Ack.Failed.class, this::saysWhy);
  }

  private void saysWhy(Ack.Failed failed) {
    assertThat(failed.cause()).isInstanceOf(LoneOutage.class);
    assertThat(ErrorText.of(failed.cause()))
        .endsWith(
            "3 sends of this message ended in an outage while others of its topic were delivered: "
                + "java.lang.IllegalStateException: channel closed");
  }

  @Test
  void then_each_of_its_outages_is_if_another_was_delivered_between() {
    convict();

    assertThat(send(culprit, DOWN)).isInstanceOf(Ack.Failed.class);
    assertThat(send(culprit, DOWN)).as("nobody was delivered").isInstanceOf(Ack.Unavailable.class);
    send(other, Ack.delivered());
    assertThat(send(culprit, DOWN)).isInstanceOf(Ack.Failed.class);
  }

  @Test
  void it_says_nothing_of_the_broker_then() {
    convict();
    send(other, Ack.delivered());

    send(culprit, DOWN);

    assertThat(gates.isOpen(culprit.topic())).isFalse();
  }

  @Test
  void a_probe_that_is_its_own_outage_makes_room_for_another_at_once() {
    convict();
    Envelope beside = envelope("beside");
    sendTogether(List.of(other, beside), DOWN);
    Ack probe = send(culprit, DOWN);

    assertThat(probe).isInstanceOf(Ack.Failed.class);
    assertThat(gates.isOpen(culprit.topic())).isTrue();
    assertThat(gates.mayProbe(atSecond(second))).isTrue();
  }

  @Test
  void its_delivery_clears_it() {
    convict();
    send(culprit, Ack.delivered());
    send(other, Ack.delivered());

    assertThat(send(culprit, DOWN)).isInstanceOf(Ack.Unavailable.class);
  }

  @Test
  void an_outage_in_which_nobody_is_delivered_counts_once_however_long() {
    for (int probe = 0; probe < 1000; probe++) {
      assertThat(send(culprit, DOWN)).isInstanceOf(Ack.Unavailable.class);
      assertThat(send(other, DOWN)).isInstanceOf(Ack.Unavailable.class);
    }
    Envelope back = envelope("back");
    send(back, Ack.delivered());

    assertThat(send(culprit, DOWN)).isInstanceOf(Ack.Unavailable.class);
    send(back, Ack.delivered());
    assertThat(send(culprit, DOWN)).isInstanceOf(Ack.Unavailable.class);
  }

  @Test
  void nobody_is_suspected_of_an_outage_that_others_met_beside_it() {
    for (int time = 0; time < 10; time++) {
      assertThat(sendTogether(List.of(culprit, other), DOWN))
          .allMatch(Ack.Unavailable.class::isInstance);
      send(envelope("back"), Ack.delivered());
    }
  }

  @Test
  void nor_when_its_flight_lands_after_a_delivery_of_one_that_was_in_flight_beside_it() {
    for (int time = 0; time < 10; time++) {
      long sent = gates.outages();
      second += LONGEST_REST;
      admit(culprit);
      admit(other);
      Envelope third = envelope("third");
      admit(third);
      assertThat(answer(culprit, DOWN, sent)).isInstanceOf(Ack.Unavailable.class);
      answer(third, Ack.delivered(), sent);
      assertThat(answer(other, DOWN, sent)).isInstanceOf(Ack.Unavailable.class);
      send(envelope("back"), Ack.delivered());
    }
  }

  @Test
  void outages_of_other_topics_say_nothing() {
    for (int end = 0; end < OutageSuspects.ENOUGH; end++) {
      send(culprit, DOWN);
      send(envelope("elsewhere", "a"), Ack.delivered());
    }

    assertThat(send(culprit, DOWN)).isInstanceOf(Ack.Unavailable.class);
  }

  @Test
  void what_was_sent_before_its_end_says_nothing_either() {
    List<Envelope> early = List.of(envelope("a"), envelope("b"), envelope("c"), envelope("d"));
    early.forEach(this::admit);
    for (Envelope before : early) {
      assertThat(send(culprit, DOWN)).isInstanceOf(Ack.Unavailable.class);
      answer(before, Ack.delivered(), 0);
    }
  }

  @Test
  void the_next_probe_is_another_message_if_there_is_one() {
    send(culprit, DOWN);
    second += LONGEST_REST;

    assertThat(admit(culprit)).isFalse();
    assertThat(admit(other)).isTrue();
  }

  @Test
  void and_the_same_one_if_there_is_none() {
    send(culprit, DOWN);
    for (int probe = 0; probe < 10; probe++) {
      second += LONGEST_REST;
      long sent = gates.outages();
      assertThat(admit(culprit)).as("makes room for another").isFalse();
      assertThat(admit(culprit)).as("there is no other").isTrue();
      answer(culprit, DOWN, sent);
    }
  }

  @Test
  void a_suspect_is_probed_again_though_there_are_always_others() {
    send(culprit, DOWN);
    for (int probe = 0; probe < OutageSuspects.FEWEST_PROBES; probe++) {
      second += LONGEST_REST;
      assertThat(admit(culprit)).as("makes room for another").isFalse();
      assertThat(admit(other)).isTrue();
      answer(other, Ack.failed(new IllegalStateException("sick")), gates.outages());
    }
    second += LONGEST_REST;

    assertThat(admit(culprit)).as("after as many in vain").isTrue();
  }

  @Test
  void several_suspects_make_room_too_and_none_of_them_twice() {
    send(culprit, DOWN);
    send(other, DOWN);
    second += LONGEST_REST;

    assertThat(admit(culprit)).isFalse();
    assertThat(admit(other)).isFalse();
    assertThat(admit(culprit)).isTrue();
  }

  @Test
  void while_its_broker_is_not_down_nobody_makes_room() {
    send(culprit, DOWN);
    long sent = gates.outages();
    second += LONGEST_REST;
    admit(other);
    answer(other, Ack.delivered(), sent);
    sent = gates.outages();
    admit(culprit);
    admit(other);
    answer(culprit, DOWN, sent);
    second++;
    answer(other, Ack.delivered(), sent);

    assertThat(admit(culprit)).isTrue();
  }

  @Test
  void as_many_are_to_be_read_as_may_make_room_and_they_are_bounded() {
    for (int message = 0; message < 100; message++) {
      send(envelope("key " + message), DOWN);
    }
    second += LONGEST_REST;

    assertThat(gates.toPassOver(atSecond(second))).isEqualTo(OutageSuspects.MOST);
    send(other, Ack.delivered());
    assertThat(gates.toPassOver(atSecond(second))).isZero();
  }

  @Test
  void a_culprit_is_remembered_while_its_topic_is_quiet() {
    convict();

    second += (int) Duration.ofHours(1).toSeconds();
    Envelope elsewhere = envelope("elsewhere", "a");
    gates.admit(elsewhere, atSecond(second));

    assertThat(send(culprit, DOWN)).isInstanceOf(Ack.Failed.class);
  }

  private void convict() {
    for (int end = 0; end < OutageSuspects.ENOUGH; end++) {
      send(culprit, DOWN);
      send(other, Ack.delivered());
    }
  }

  /** Sends it alone, as a probe if its broker counts as down. Returns what its answer counts as. */
  private Ack send(Envelope envelope, Ack ack) {
    return sendTogether(List.of(envelope), ack).get(0);
  }

  private List<Ack> sendTogether(List<Envelope> envelopes, Ack ack) {
    second += LONGEST_REST;
    long sent = gates.outages();
    for (Envelope envelope : envelopes) {
      if (!admit(envelope)) {
        assertThat(admit(envelope)).as("the second time").isTrue();
      }
    }
    List<Ack> counted = new ArrayList<>();
    envelopes.forEach(envelope -> counted.add(answer(envelope, ack, sent)));
    return counted;
  }

  private boolean admit(Envelope envelope) {
    return gates.admit(envelope, atSecond(second));
  }

  private Ack answer(Envelope envelope, Ack ack, long sent) {
    return gates.answered(envelope, ack, sent, atSecond(second));
  }
}
