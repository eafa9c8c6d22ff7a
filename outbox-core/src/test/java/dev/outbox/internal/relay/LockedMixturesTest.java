package dev.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.StoreException;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows of all kinds that get locked and free by chance, beside deadlocks, cost no free lane. */
class LockedMixturesTest {
  private static final Duration LEASE = Duration.ofSeconds(15);
  private static final Duration LENGTH = Duration.ofMinutes(3);

  private final Set<Lane> delayed = new HashSet<>();
  private final Map<Lane, Duration> renewed = new HashMap<>();
  private Duration longestGap = Duration.ZERO;
  private boolean beats;
  private long ids;
  private int free;
  private double deadlocks;
  private Random random = new Random();
  private ScriptedLanes lanes = new ScriptedLanes(1);
  private SteppedRelay relay = new SteppedRelay(lanes);

  static LongStream seeds() {
    return LongStream.range(0, 20);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void a_free_lane_keeps_its_lease_and_its_results_are_saved(long seed) {
    play(seed);

    assertThat(longestGap).as("between two renewals").isLessThan(LEASE);
    assertThat(lanes.ready.values()).as("messages").allMatch(List::isEmpty);
    assertThat(relay.spins).isLessThan(500);
  }

  @Test
  void a_seed_repeats_its_run() {
    LockedMixturesTest again = new LockedMixturesTest();

    play(2);
    again.play(2);

    assertThat(again.relay.time()).isEqualTo(relay.time());
    assertThat(again.asked()).isEqualTo(asked());
  }

  private List<String> asked() {
    return lanes.asked.stream().map(ScriptedLanes.Asked::what).toList();
  }

  private void play(long seed) {
    begin(new Random(seed));
    List<String> unused =
        LogLines.of(
            () -> {
              while (relay.time().compareTo(LENGTH) < 0) {
                changeALock();
                put(random.nextInt(free + 1));
                put(free);
                relay.pass(random.nextInt(4000));
              }
              unlockAll();
              relay.pass(Duration.ofMinutes(15));
            });
  }

  private void begin(Random chance) {
    random = chance;
    free = 1 + random.nextInt(14);
    deadlocks = random.nextBoolean() ? 0 : random.nextDouble() * 0.02;
    lanes = new ScriptedLanes(free + 1);
    relay = new SteppedRelay(lanes, random);
    relay.latency = Duration.ofMillis(random.nextInt(500));
    lanes.refusal = StoreException.contended("lock timeout", null);
    lanes.refusing = this::waitForALock;
    lanes.waiting = this::waitForALock;
    lanes.hearing = this::hear;
    lanes.written = this::note;
    relay.pass(500);
  }

  private void waitForALock() {
    relay.elapse(LEASE.dividedBy(4));
  }

  private void hear(String what, List<?> of) {
    if (List.of("settle", "promote", "beat").contains(what) && random.nextDouble() < deadlocks) {
      relay.elapse(Duration.ofMillis(random.nextInt(900)));
      throw StoreException.contended("deadlock detected", null);
    }
    boolean locked =
        (what.equals("beat") && beats)
            || (what.equals("promote") && of.stream().anyMatch(delayed::contains));
    if (locked) {
      waitForALock();
      throw StoreException.contended("lock timeout", null);
    }
  }

  private void note(Settlement settlement) {
    if (settlement.after() == Settlement.After.RENEW) {
      Lane lane = settlement.lease().lane();
      Duration before = renewed.put(lane, relay.time());
      Duration gap = relay.time().minus(before == null ? Duration.ZERO : before);
      longestGap = lane.number() == free && gap.compareTo(longestGap) > 0 ? gap : longestGap;
    }
  }

  private void changeALock() {
    Lane lane = new Lane(random.nextInt(free));
    switch (random.nextInt(20)) {
      case 0 -> change(lanes.refused, lane);
      case 1 -> change(lanes.locked, lane);
      case 2 -> {
        change(delayed, lane);
        lanes.delayed.computeIfAbsent(lane, any -> new ArrayList<>()).add(message(lane));
        relay.turns().lookEverywhere();
      }
      case 3 -> beats = !beats;
      default -> {}
    }
  }

  private static void change(Set<Lane> locks, Lane lane) {
    if (!locks.remove(lane)) {
      locks.add(lane);
    }
  }

  private void unlockAll() {
    lanes.refused.clear();
    lanes.locked.clear();
    delayed.clear();
    beats = false;
    deadlocks = 0;
  }

  private void put(int number) {
    Lane lane = new Lane(number);
    lanes.put(message(lane));
    relay.wake(lane);
  }

  private StoredEnvelope message(Lane lane) {
    return StoredEnvelope.ready(++ids, lane, Samples.envelope("k" + ids));
  }
}
