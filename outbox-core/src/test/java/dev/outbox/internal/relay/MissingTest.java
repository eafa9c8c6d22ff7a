package dev.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.StoreException;
import dev.outbox.publish.Ack;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages that are gone when their end is written are an alarm, unless it was written before. */
class MissingTest {
  private static final Lane LANE = new Lane(1);

  private final ScriptedLanes lanes = new ScriptedLanes(2);
  private final SteppedRelay relay = new SteppedRelay(lanes);

  @BeforeEach
  void putAMessageThatWillBeGone() {
    relay.pass(1000);
    lanes.gone = 1;
    lanes.put(StoredEnvelope.ready(1, LANE, Samples.envelope("a", "k")));
  }

  private long missing() {
    return relay.status().counts().missing();
  }

  @Test
  void a_message_that_a_settle_did_not_find_is_counted() {
    relay.wake();
    relay.pass(1000);
    assertThat(missing()).isEqualTo(1);
  }

  @Test
  void a_message_whose_settle_was_not_answered_is_expected_to_be_gone() {
    lanes.refused.add(LANE);
    lanes.refusal = StoreException.passing("the reply was lost", null);
    relay.wake();
    relay.pass(500);
    assertThat(lanes.settlements).allMatch(each -> each.fates().isEmpty());
    lanes.refused.clear();
    relay.pass(1000);
    assertThat(missing()).isZero();
  }

  @Test
  void a_message_whose_settle_was_refused_is_counted() {
    lanes.refused.add(LANE);
    lanes.refusal = StoreException.contended("locked", null);
    relay.wake();
    relay.pass(500);
    lanes.refused.clear();
    relay.pass(5000);
    assertThat(missing()).isEqualTo(1);
  }

  @Test
  void the_next_message_of_the_lane_is_counted_again() {
    lanes.refused.add(LANE);
    lanes.refusal = StoreException.passing("the reply was lost", null);
    relay.wake();
    relay.pass(500);
    assertThat(lanes.settlements).allMatch(each -> each.fates().isEmpty());
    lanes.refused.clear();
    relay.pass(1000);
    lanes.put(StoredEnvelope.ready(2, LANE, Samples.envelope("a", "k")));
    relay.wake();
    relay.pass(1000);
    assertThat(missing()).isEqualTo(1);
  }

  @Test
  void a_message_that_was_in_flight_beside_an_unanswered_renewal_is_counted() {
    relay.latency = Duration.ofSeconds(8);
    relay.wake();
    relay.pass(1000);
    lanes.unheard = "settle";
    relay.pass(5000);
    assertThat(lanes.timesUnheard).isPositive();
    lanes.unheard = null;

    relay.pass(5000);

    assertThat(missing()).isEqualTo(1);
  }

  @Test
  void what_is_known_of_the_lanes_is_asked_again() {
    relay.wake();
    relay.pass(1000);
    assertThat(lanes.asked("reclaim")).isNotEmpty();
  }

  @Test
  void messages_that_were_there_give_no_cause_to_ask() {
    lanes.gone = 0;
    relay.wake();
    relay.pass(1000);
    assertThat(relay.envelopes()).hasSize(1);
    assertThat(lanes.asked("reclaim")).isEmpty();
  }

  @Test
  void what_went_missing_within_a_second_is_told_in_one_line() {
    relay.wake();
    relay.pass(200);
    lanes.put(StoredEnvelope.ready(2, new Lane(0), Samples.envelope("b")));
    relay.wake();

    List<String> lines = LogLines.of(() -> relay.pass(3000));

    assertThat(lines).filteredOn(MissingTest::isOfMissing).hasSize(1);
    assertThat(lines).anyMatch(line -> line.contains(" 2 messages disappeared"));
  }

  @Test
  void what_went_missing_at_a_close_is_told_before_the_relay_ends() {
    relay.wake();
    relay.turn();
    lanes.writingEnds = () -> relay.elapse(Duration.ofMillis(3));

    List<String> lines = LogLines.of(() -> relay.turns().windDown());

    assertThat(lanes.settlements).anyMatch(each -> !each.fates().isEmpty());
    assertThat(lines).filteredOn(MissingTest::isOfMissing).hasSize(1);
  }

  @Test
  void what_went_missing_when_the_relay_gave_up_is_told_as_well() {
    relay.broker = envelope -> envelope.key().value().equals("k") ? Ack.delivered() : null;
    lanes.put(StoredEnvelope.ready(2, new Lane(0), Samples.envelope("silent")));
    relay.wake();
    relay.turn();
    lanes.writingEnds = () -> relay.elapse(Duration.ofMillis(3));

    List<String> lines = LogLines.of(() -> relay.turns().giveUp());

    assertThat(lines).filteredOn(MissingTest::isOfMissing).hasSize(1);
  }

  private static boolean isOfMissing(String line) {
    return line.contains("messages disappeared before their results were saved");
  }
}
