package dev.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.StoreException;
import dev.outbox.publish.Ack;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.LiveRelay;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import java.util.List;
import org.junit.jupiter.api.Test;

class LostClaimsTest {
  private static final Lane FIRST = new Lane(0);
  private static final Lane SECOND = new Lane(1);

  private final ScriptedLanes lanes = new ScriptedLanes(2);
  private final SteppedRelay relay = new SteppedRelay(lanes);

  @Test
  void the_lanes_of_a_claim_without_an_answer_are_asked_for_at_the_next_turn() {
    StoredEnvelope waiting = StoredEnvelope.ready(1, SECOND, Samples.envelope(null));
    lanes.put(waiting);
    loseClaim();

    relay.turn();
    relay.turn();

    assertThat(relay.envelopes()).containsExactly(waiting.envelope());
    assertThat(relay.turns().windDown()).isTrue();
    assertThat(epochs(Settlement.After.RELEASE)).containsExactly(2L, 2L);
  }

  @Test
  void a_close_releases_what_a_claim_without_an_answer_has_taken() {
    loseClaim();

    assertThat(relay.turns().windDown()).isFalse();
    assertThat(relay.turns().windDown()).isTrue();

    assertThat(epochs(Settlement.After.RELEASE)).containsExactly(2L, 2L);
  }

  @Test
  void a_close_that_gets_no_answer_asks_again() {
    loseClaim();
    lanes.unheard = "reclaim";
    assertThatThrownBy(relay.turns()::windDown).isInstanceOf(StoreException.class);

    lanes.unheard = null;
    relay.turns().windDown();

    assertThat(relay.turns().windDown()).isTrue();
    assertThat(epochs(Settlement.After.RELEASE)).containsExactly(2L, 2L);
  }

  @Test
  void a_lane_with_an_unanswered_flight_is_known_and_left_to_expire() {
    lanes.others.add(new LiveRelay("other", true, Samples.START));
    relay.broker = envelope -> null;
    lanes.put(StoredEnvelope.ready(1, FIRST, Samples.envelope(null)));
    relay.pass(1000);
    lanes.others.clear();
    lanes.losing = "claim";
    relay.pass(5000);

    relay.turns().windDown();
    relay.turns().giveUp();

    assertThat(lanes.asked("reclaim")).isNotEmpty().allMatch(known -> known.contains(FIRST));
    assertThat(lanes.settlements)
        .filteredOn(each -> each.after() == Settlement.After.RELEASE)
        .extracting(each -> each.lease().lane())
        .containsExactly(SECOND);
  }

  @Test
  void a_claim_that_is_written_after_the_question_is_found_by_the_next_beat() {
    loseClaim();
    List<LaneClaim> late = List.copyOf(lanes.lost);
    lanes.lost.clear();
    relay.pass(1000);
    assertThat(lanes.asked("reclaim")).hasSize(1);

    lanes.lost.addAll(late);
    lanes.put(StoredEnvelope.ready(1, FIRST, Samples.envelope(null)));
    relay.pass(5000);

    assertThat(relay.envelopes()).hasSize(1);
  }

  @Test
  void once_a_lease_has_passed_nothing_is_in_doubt() {
    loseClaim();
    relay.pass(60_000);
    int asked = lanes.asked("reclaim").size();
    assertThat(asked).isBetween(4, 5);

    relay.pass(60_000);
    relay.turns().windDown();

    assertThat(lanes.asked("reclaim")).hasSize(asked);
  }

  @Test
  void nothing_is_asked_while_every_claim_was_answered() {
    relay.pass(60_000);
    relay.turns().windDown();

    assertThat(lanes.asked("claim")).isNotEmpty();
    assertThat(lanes.asked("reclaim")).isEmpty();
  }

  @Test
  void a_claim_of_a_lane_that_is_owned_already_forgets_its_probe_as_well() {
    lanes.others.add(new LiveRelay("other", true, Samples.START));
    relay.broker = envelope -> Ack.unavailable(new IllegalStateException("down"));
    StoredEnvelope probe = StoredEnvelope.ready(1, FIRST, Samples.envelope(null));
    lanes.put(probe);
    relay.pass(100);
    relay.broker = envelope -> null;
    relay.pass(1000);
    assertThat(relay.envelopes()).as("the probe is in flight").hasSize(2);

    lanes.others.clear();
    lanes.free.addFirst(ScriptedLanes.claim(FIRST, 1, null));
    relay.broker = envelope -> Ack.delivered();
    relay.pass(10_000);

    assertThat(lanes.settlements)
        .flatExtracting(Settlement::fates)
        .containsExactly(new Fate.Deliver(probe));
    assertThat(relay.status().brokersDown()).isEmpty();
  }

  private void loseClaim() {
    lanes.losing = "claim";
    assertThatThrownBy(relay::turn).isInstanceOf(StoreException.class);
    relay.turns().afterFailure(StoreException.passing("down", null));
  }

  private List<Long> epochs(Settlement.After after) {
    return lanes.settlements.stream()
        .filter(each -> each.after() == after)
        .map(each -> each.lease().epoch())
        .toList();
  }
}
