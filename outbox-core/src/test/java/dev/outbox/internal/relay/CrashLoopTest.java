package dev.outbox.internal.relay;

import static dev.outbox.internal.relay.Samples.envelope;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.DeadLetter.Reason;
import dev.outbox.StoreException;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.Suspect;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A message that kills every relay that publishes it, relay after relay; each inherits what the
 * database knows of the lanes.
 */
class CrashLoopTest {
  private static final int LANES = 4;
  private static final Lane DEADLY = new Lane(1);
  private static final Duration QUARTER_OF_A_LEASE =
      SteppedRelay.SETTINGS.leasing().lease().dividedBy(4);

  private final Map<Lane, List<StoredEnvelope>> ready = new TreeMap<>();
  private final Map<Lane, Integer> takeovers = new TreeMap<>();
  private final List<Fate> fates = new ArrayList<>();
  private final Set<Envelope> innocent = new HashSet<>();
  private final Map<Lane, Suspect> suspects = new TreeMap<>();
  private long ids;

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 9})
  void it_is_buried_after_three_deaths_of_its_own_wherever_it_is_in_its_lane(int before) {
    put(DEADLY, before);
    StoredEnvelope killer = killer();
    put(DEADLY, 9 - before);
    for (int lane = 0; lane < LANES; lane++) {
      put(new Lane(lane), 5);
    }

    int relays = liveUntilNothingIsLeft(killer);

    assertThat(relays).as("relays, the last of which survived").isLessThanOrEqualTo(7);
    assertThat(fates)
        .filteredOn(fate -> fate instanceof Fate.Bury)
        .singleElement()
        .isInstanceOfSatisfying(
            Fate.Bury.class,
            bury -> {
              assertThat(bury.storedEnvelope().id()).isEqualTo(killer.id());
              assertThat(bury.reason()).isEqualTo(Reason.CRASH);
            });
    assertThat(
            fates.stream()
                .filter(fate -> fate instanceof Fate.Deliver)
                .map(fate -> fate.storedEnvelope().envelope()))
        .containsExactlyInAnyOrderElementsOf(innocent);
  }

  @Test
  void its_followers_are_published_in_order_once_it_is_buried() {
    StoredEnvelope killer = killer();
    List<Envelope> followers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      StoredEnvelope follower =
          StoredEnvelope.ready(++ids, DEADLY, envelope(killer.envelope().key().value()));
      followers.add(follower.envelope());
      ready.get(DEADLY).add(follower);
    }

    liveUntilNothingIsLeft(killer);

    assertThat(
            fates.stream()
                .filter(fate -> fate instanceof Fate.Deliver)
                .map(fate -> fate.storedEnvelope().envelope()))
        .containsExactlyElementsOf(followers);
  }

  @Test
  void relays_that_die_for_another_reason_bury_nobody() {
    put(DEADLY, 5);
    for (int life = 0; life < 10; life++) {
      ScriptedLanes lanes = inherit();
      new SteppedRelay(lanes).turns().close();
      bequeath(lanes);
    }

    SteppedRelay last = new SteppedRelay(inherit());
    last.pass(5000);

    assertThat(last.envelopes()).containsExactlyInAnyOrderElementsOf(innocent);
  }

  @Test
  void a_message_that_never_took_off_has_not_killed() {
    Careful relay = new Careful();
    for (int outage = 1; outage <= 5; outage++) {
      relay.note();
      relay.lose("look");
    }
    assertThat(relay.stepped.envelopes()).isEmpty();

    relay.takeOff();

    assertThat(relay.stepped.envelopes()).containsExactlyElementsOf(innocent);
    assertThat(relay.lanes.suspects).isEmpty();
  }

  @Test
  void what_never_took_off_has_died_as_often_as_before() {
    suspects.put(DEADLY, new Suspect(1, 2));
    Careful relay = new Careful();
    for (int outage = 1; outage <= 5; outage++) {
      relay.note();
      assertThat(relay.lanes.suspects).containsEntry(DEADLY, new Suspect(1, 3));
      relay.lose("look");
      relay.lose("restoreSuspect");
    }

    relay.stepped.turns().giveUp();

    assertThat(relay.lanes.suspects).containsEntry(DEADLY, new Suspect(1, 2));
  }

  @Test
  void a_note_whose_answer_was_lost_is_no_death() {
    Careful relay = new Careful();
    for (int outage = 1; outage <= 5; outage++) {
      relay.lanes.losing = "suspect";
      relay.note();
      relay.lose("look");
      assertThat(relay.lanes.losing).as("the answer that was to be lost").isNull();
    }

    relay.takeOff();

    assertThat(relay.stepped.envelopes()).containsExactlyElementsOf(innocent);
    assertThat(relay.lanes.suspects).isEmpty();
  }

  @Test
  void a_relay_that_gives_up_before_the_take_off_leaves_no_note() {
    Careful relay = new Careful();
    relay.note();

    relay.stepped.turns().giveUp();

    assertThat(relay.lanes.suspects).isEmpty();
    assertThat(relay.lanes.settlements)
        .filteredOn(each -> each.lease().lane().equals(DEADLY))
        .last()
        .matches(each -> each.after() == Settlement.After.RELEASE);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_locked_row_costs_no_other_lane(boolean noted) {
    Careful relay = new Careful();
    if (noted) {
      relay.note();
    }
    relay.lanes.locked.add(DEADLY);
    relay.lanes.waiting = () -> relay.stepped.elapse(QUARTER_OF_A_LEASE);
    relay.lose("look");
    relay.lanes.settlements.clear();

    relay.stepped.pass(120_000);

    for (int lane = 0; lane < LANES; lane++) {
      Lane each = new Lane(lane);
      if (!each.equals(DEADLY)) {
        assertThat(relay.lanes.settlements)
            .as("renewals of %s", each)
            .filteredOn(settlement -> settlement.lease().lane().equals(each))
            .hasSizeGreaterThan(10);
      }
    }
    assertThat(relay.stepped.status().counts().fenced()).isZero();
    relay.lanes.locked.clear();
    relay.stepped.pass(QUARTER_OF_A_LEASE.multipliedBy(4));
    relay.takeOff();
    assertThat(relay.stepped.envelopes()).containsExactlyElementsOf(innocent);
    assertThat(relay.lanes.suspects).isEmpty();
  }

  @Test
  void a_flight_that_the_relay_outlives_was_no_death() {
    Careful relay = new Careful();
    relay.stepped.silenceIsAnOutage = true;
    relay.stepped.broker = envelope -> null;
    for (int round = 0; round < 30; round++) {
      relay.takeOff();
    }
    assertThat(relay.stepped.published).as("probes").hasSizeGreaterThanOrEqualTo(5);

    relay.stepped.turns().giveUp();

    assertThat(relay.lanes.suspects).isEmpty();
    assertThat(relay.lanes.settlements)
        .flatExtracting(Settlement::fates)
        .hasOnlyElementsOfType(Fate.Deliver.class);
  }

  @Test
  void a_relay_that_gives_up_a_flight_has_not_died_of_it() {
    Careful relay = new Careful();
    relay.stepped.broker = envelope -> null;
    relay.note();
    relay.queued.forEach(Runnable::run);
    assertThat(relay.stepped.published).hasSize(1);

    relay.stepped.turns().giveUp();

    assertThat(relay.lanes.suspects).isEmpty();
  }

  @Test
  void a_lane_that_is_left_keeps_its_lease_until_its_row_is_written_back() {
    Careful relay = new Careful();
    relay.note();
    relay.lanes.unheard = "restoreSuspect";

    assertThatThrownBy(relay.stepped.turns()::giveUp).isInstanceOf(StoreException.class);

    assertThat(relay.lanes.settlements)
        .filteredOn(each -> each.lease().lane().equals(DEADLY))
        .noneMatch(each -> each.after() == Settlement.After.RELEASE);
  }

  /** A relay that owns a lane with one message, after three takeovers; its flights only queue. */
  private final class Careful {
    final List<Runnable> queued = new ArrayList<>();
    final ScriptedLanes lanes;
    final SteppedRelay stepped;

    Careful() {
      takeovers.put(DEADLY, 3);
      put(DEADLY, 1);
      lanes = inherit();
      stepped = new SteppedRelay(lanes, SteppedRelay.SETTINGS, queued::add);
    }

    /** Takes turns until the message is noted once more. */
    void note() {
      int before = lanes.asked("suspect").size();
      for (int turn = 0; turn < 5000 && lanes.asked("suspect").size() == before; turn++) {
        stepped.pass(1);
      }
      assertThat(lanes.asked("suspect")).as("notes").hasSizeGreaterThan(before);
    }

    /** Takes turns until this got no answer once. */
    void lose(String question) {
      lanes.unheard = question;
      int before = lanes.timesUnheard;
      for (int turn = 0; turn < 5000 && lanes.timesUnheard == before; turn++) {
        stepped.pass(1);
      }
      assertThat(lanes.timesUnheard).as("%s without an answer", question).isGreaterThan(before);
      lanes.unheard = null;
    }

    void takeOff() {
      for (int round = 0; round < 20; round++) {
        List.copyOf(queued).forEach(Runnable::run);
        queued.clear();
        stepped.pass(500);
      }
    }
  }

  private int liveUntilNothingIsLeft(StoredEnvelope killer) {
    for (int relays = 1; relays <= 20; relays++) {
      ScriptedLanes lanes = inherit();
      SteppedRelay relay = new SteppedRelay(lanes);
      boolean survived = lives(relay, killer);
      bequeath(lanes);
      if (survived) {
        return relays;
      }
    }
    throw new AssertionError("twenty relays died");
  }

  /** False when the killer was published: then the relay takes no turn any more. */
  private static boolean lives(SteppedRelay relay, StoredEnvelope killer) {
    relay.broker = envelope -> envelope.equals(killer.envelope()) ? null : Ack.delivered();
    for (int turn = 0; turn < 2000; turn++) {
      relay.turn();
      if (relay.envelopes().contains(killer.envelope())) {
        return false;
      }
    }
    return true;
  }

  /** The lanes as a new relay finds them once the leases of the old one have run out. */
  private ScriptedLanes inherit() {
    ScriptedLanes lanes = new ScriptedLanes(LANES);
    lanes.free.clear();
    for (int number = 0; number < LANES; number++) {
      Lane lane = new Lane(number);
      lanes.free.add(
          ScriptedLanes.claim(lane, takeovers.getOrDefault(lane, 0), suspects.get(lane)));
    }
    lanes.suspects.putAll(suspects);
    ready.forEach((lane, messages) -> lanes.put(messages.toArray(StoredEnvelope[]::new)));
    return lanes;
  }

  /** What stays in the database when a relay is no more. */
  private void bequeath(ScriptedLanes lanes) {
    ready.clear();
    lanes.ready.forEach((lane, messages) -> ready.put(lane, new ArrayList<>(messages)));
    for (int number = 0; number < LANES; number++) {
      Lane lane = new Lane(number);
      boolean settled =
          lanes.settlements.stream()
              .anyMatch(each -> each.lease().lane().equals(lane) && !each.fates().isEmpty());
      takeovers.merge(lane, 1, (old, one) -> settled ? one : old + one);
    }
    lanes.settlements.forEach(each -> fates.addAll(each.fates()));
    suspects.clear();
    suspects.putAll(lanes.suspects);
  }

  private StoredEnvelope killer() {
    StoredEnvelope killer = StoredEnvelope.ready(++ids, DEADLY, envelope("deadly"));
    ready.computeIfAbsent(DEADLY, any -> new ArrayList<>()).add(killer);
    return killer;
  }

  private void put(Lane lane, int count) {
    for (int i = 0; i < count; i++) {
      StoredEnvelope message = StoredEnvelope.ready(++ids, lane, envelope("k" + ids));
      ready.computeIfAbsent(lane, any -> new ArrayList<>()).add(message);
      innocent.add(message.envelope());
    }
  }
}
