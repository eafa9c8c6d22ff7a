package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.StoreException;
import dev.outbox.cluster.ClusterState;
import dev.outbox.cluster.Clusters;
import dev.outbox.cluster.Origin;
import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import dev.outbox.publish.Publisher;
import dev.outbox.spi.OutboxStore;
import dev.outbox.spi.cluster.ClusterBeat;
import dev.outbox.spi.cluster.ClusterBeat.Seen;
import dev.outbox.spi.cluster.ClusterBeat.Shape;
import dev.outbox.spi.lane.Lane;
import dev.outbox.testkit.internal.tables.InMemoryTables;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The second of four clusters takes over; the beats of the others are written here. */
@Isolated("it listens to the log")
final class TakingOverTest {
  private static final int LANES = 8;
  private static final Duration DELAY = Duration.ofSeconds(100);
  private static final Duration LEASE = Duration.ofSeconds(4);
  private static final Payload PAYLOAD = new Payload("text/plain", new byte[0]);
  private static final Duration STEP = Duration.ofMillis(200);

  private final SettableClock clock = SettableClock.create();
  private final InMemoryStore store =
      InMemoryStore.builder().lanes(LANES).clock(clock).clusters(new Clusters(4, 1, DELAY)).build();
  private final InMemoryTables inMemoryTables = store.inMemoryTables();
  private final List<Envelope> published = new ArrayList<>();
  private long number = 10;

  private ManualRelay relay(OutboxStore over) {
    return relay(over, DELAY);
  }

  private ManualRelay relay(OutboxStore over, Duration delay) {
    return ManualRelay.builder(over, Publisher.blocking(published::add))
        .clock(clock)
        .lease(LEASE, LEASE.dividedBy(4))
        .maximumDelay(delay)
        .build();
  }

  private void beat(int cluster, ClusterState clusterState, Map<Integer, Seen> seen) {
    inMemoryTables.beats.removeIf(beat -> beat.cluster() == cluster);
    inMemoryTables.beats.add(
        new ClusterBeat(
            cluster,
            number++,
            clusterState,
            0,
            seen,
            clock.instant(),
            Shape.of(inMemoryTables.layout)));
  }

  private void writeOneInEachLaneOf(int cluster) {
    writeInEachLaneOf(cluster, 1);
  }

  private void writeInEachLaneOf(int cluster, int each) {
    for (int i = 0; i < each * LANES; i++) {
      int lane = cluster * LANES + i % LANES;
      Envelope envelope =
          new Envelope(MessageId.next(), "t", null, Map.of(), PAYLOAD, null)
              .from(new Origin(cluster, false));
      long id = inMemoryTables.nextId();
      inMemoryTables.ready.put(
          id, new InMemoryTables.Ready(id, new Lane(lane), envelope, clock.instant()));
    }
  }

  @Test
  void takeovers_that_are_slow_leave_half_of_every_lease_and_come_to_all_lanes_of_all_clusters() {
    List<Integer> left = List.of(0, 2, 3);
    left.forEach(this::writeOneInEachLaneOf);
    Set<Lane> nearlyOver = new HashSet<>();
    ManualRelay relay =
        relay(
            TamperedClusters.before(
                store,
                () -> {
                  clock.advance(STEP);
                  inMemoryTables.lanes.stream()
                      .filter(
                          row ->
                              row.owner != null
                                  && row.until.isBefore(clock.instant().plus(LEASE.dividedBy(2))))
                      .forEach(row -> nearlyOver.add(row.lane));
                }));
    for (int turn = 0; turn < 250; turn++) {
      left.forEach(cluster -> beat(cluster, ClusterState.LEFT, Map.of()));
      relay.turn();
      clock.advance(STEP);
    }
    assertThat(nearlyOver).isEmpty();
    assertThat(published).hasSize(left.size() * LANES).doesNotHaveDuplicates();
  }

  @Test
  void what_is_taken_over_without_an_answer_of_who_comes_before_is_reported_once_for_each_lane() {
    writeOneInEachLaneOf(0);
    beat(0, ClusterState.WORKING, Map.of());
    Seen dead = new Seen(number - 1, 0, true);
    ManualRelay relay = relay(store);
    String log =
        logOf(
            () -> {
              for (int second = 0; second < 14 * DELAY.toSeconds(); second += 10) {
                beat(2, ClusterState.WORKING, Map.of(0, dead));
                beat(3, ClusterState.LEFT, Map.of());
                relay.turn();
                relay.turn();
                clock.advance(Duration.ofSeconds(10));
              }
            });
    assertThat(published).hasSize(LANES);
    for (int lane = 0; lane < LANES; lane++) {
      assertThat(log)
          .containsOnlyOnce(
              "takes over lane=%d of cluster=0 after 12 maximum delays without an answer from clusters=[2]"
                  .formatted(lane));
    }
  }

  @Test
  void a_lane_that_cannot_be_taken_over_keeps_no_other_from_it_nor_the_sweep() {
    writeOneInEachLaneOf(0);
    Lane bad = new Lane(2);
    List<String> asked = new ArrayList<>();
    ManualRelay relay = relay(TamperedClusters.failingAt(store, bad, asked::add));
    int failures = 0;
    for (int turn = 0; turn < 60; turn++) {
      List.of(0, 2, 3).forEach(cluster -> beat(cluster, ClusterState.LEFT, Map.of()));
      try {
        relay.turn();
      } catch (StoreException e) {
        assertThat(e).hasMessageContaining("lane " + bad);
        failures++;
      }
      clock.advance(LEASE.dividedBy(4));
    }
    assertThat(failures).isPositive();
    assertThat(published).hasSize(LANES - 1).doesNotHaveDuplicates();
    assertThat(inMemoryTables.ready.values())
        .extracting(InMemoryTables.Ready::lane)
        .containsExactly(bad);
    assertThat(asked).contains("sweep");
  }

  @Test
  void a_locked_message_to_take_over_costs_a_quarter_of_the_time_and_holds_up_no_other_lane() {
    writeOneInEachLaneOf(0);
    Lane locked = new Lane(2);
    Duration wait = LEASE.dividedBy(4);
    int[] waits = {0};
    OutboxStore locking =
        TamperedClusters.failingAt(
            store,
            locked,
            any -> {},
            () -> {
              clock.advance(wait);
              waits[0]++;
              return StoreException.contended("lock timeout", null);
            });
    ManualRelay relay = relay(locking, LEASE); // its beats are closer than its rests
    Instant end = clock.instant().plusSeconds(600);
    String log =
        logOf(
            () -> {
              while (clock.instant().isBefore(end)) {
                List.of(0, 2, 3).forEach(other -> beat(other, ClusterState.LEFT, Map.of()));
                relay.turn();
                clock.advance(STEP);
              }
            });
    assertThat(wait.multipliedBy(waits[0]))
        .isBetween(Duration.ofSeconds(60), Duration.ofSeconds(150));
    assertThat(published).hasSize(LANES - 1).doesNotHaveDuplicates();
    assertThat(log).containsOnlyOnce("waits to take over from clusters, another session");
  }

  @Test
  void what_a_wait_left_of_a_takeover_goes_on_after_its_rest_and_not_at_the_next_beat() {
    writeInEachLaneOf(0, 3_000); // three pieces
    int[] waits = {0};
    OutboxStore locking =
        TamperedClusters.before(
            store,
            () -> {
              if (leftOf(0) < 1_000 * LANES && waits[0]++ == 0) {
                throw StoreException.contended("lock timeout", null);
              }
            });
    ManualRelay relay = relay(locking); // it beats every 10 s, marks with the second, then begins
    Instant end = clock.instant().plusSeconds(28);
    logOf(
        () -> {
          while (clock.instant().isBefore(end)) {
            List.of(0, 2, 3).forEach(other -> beat(other, ClusterState.LEFT, Map.of()));
            relay.turn();
            clock.advance(STEP);
          }
        });
    assertThat(waits[0]).isPositive();
    assertThat(leftOf(0)).isZero();
  }

  @Test
  void who_was_first_for_a_while_waits_again_for_one_that_comes_before_it_again() {
    writeInEachLaneOf(0, 1_200);
    ManualRelay relay = relay(store);
    Map<Integer, Integer> left = new HashMap<>();
    for (int second = 0; second <= 200; second += 10) {
      beat(0, ClusterState.LEFT, Map.of());
      beat(3, ClusterState.LEFT, Map.of());
      if (second == 50) {
        beat(2, ClusterState.LEFT, Map.of());
      } else {
        beat(2, ClusterState.WORKING, agreeing());
      }
      relay.turn();
      left.put(second, leftOf(0));
      clock.advance(Duration.ofSeconds(10));
    }
    int itsLanes = left.get(40) / 1_200;
    assertThat(itsLanes).isBetween(1, LANES - 1);
    assertThat(left).containsEntry(50, itsLanes * 200).containsEntry(150, itsLanes * 200);
    assertThat(left).containsEntry(200, 0);
  }

  @Test
  void what_comes_of_a_silent_cluster_is_left_until_its_sign_of_life_has_had_time_to_come() {
    writeOneInEachLaneOf(0);
    beat(0, ClusterState.WORKING, Map.of());
    ManualRelay relay = relay(store);
    letTheOthersBeat(relay, 15);
    assertThat(published).as("what stood there").hasSize(LANES);
    writeOneInEachLaneOf(0);
    letTheOthersBeat(relay, 1);
    assertThat(published).as("what has just come").hasSize(LANES);
    beat(0, ClusterState.WORKING, Map.of());
    letTheOthersBeat(relay, 5);
    assertThat(published).as("what a beat came behind").hasSize(LANES);
    letTheOthersBeat(relay, 15);
    assertThat(published).as("what no beat came behind for long").hasSize(2 * LANES);
  }

  @Test
  void what_comes_of_a_cluster_that_has_left_is_taken_over_at_once() {
    beat(0, ClusterState.LEFT, Map.of());
    ManualRelay relay = relay(store);
    letTheOthersBeat(relay, 3);
    writeOneInEachLaneOf(0);
    letTheOthersBeat(relay, 1);
    assertThat(published).hasSize(LANES);
  }

  /** That many times: a tenth of the maximum delay, a beat of each, and two turns. */
  private void letTheOthersBeat(ManualRelay relay, int times) {
    for (int i = 0; i < times; i++) {
      clock.advance(DELAY.dividedBy(10));
      beat(2, ClusterState.LEFT, Map.of());
      beat(3, ClusterState.LEFT, Map.of());
      relay.turn();
      relay.turn();
    }
  }

  /** It takes over from cluster 0, all have heard it, and it has heard all of us. */
  private Map<Integer, Seen> agreeing() {
    return Map.of(
        0,
        new Seen(number - 2, 0, true),
        1,
        new Seen(store.clusters().roll().number(), 0, false),
        2,
        new Seen(1, 0, true));
  }

  private int leftOf(int cluster) {
    return (int)
        inMemoryTables.ready.values().stream()
            .filter(row -> inMemoryTables.layout.clusterOf(row.lane()) == cluster)
            .count();
  }

  private static String logOf(Runnable step) {
    PrintStream before = System.err;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      step.run();
    } finally {
      System.setErr(before);
      before.print(bytes.toString(StandardCharsets.UTF_8));
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
