package dev.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.StoreException;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.StoredEnvelope;
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
}
