package dev.outbox.internal.relay;

import static dev.outbox.internal.relay.Samples.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetter.Reason;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.Suspect;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.StoredEnvelope;
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
