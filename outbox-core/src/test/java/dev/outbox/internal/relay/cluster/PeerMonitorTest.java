package dev.outbox.internal.relay.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Claiming;
import dev.outbox.cluster.ClusterState;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.spi.Layout;
import dev.outbox.spi.cluster.ClusterBeat;
import dev.outbox.spi.cluster.ClusterBeat.Seen;
import dev.outbox.spi.cluster.ClusterBeat.Shape;
import dev.outbox.spi.cluster.ClusterStore.Orphan;
import dev.outbox.spi.cluster.ClusterView;
import dev.outbox.spi.lane.Lane;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class PeerMonitorTest {
  private static final Duration DELAY = Duration.ofSeconds(10);
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
  private static final int LANES = 32;

  private final long[] numbers = {1, 1, 1};
  private Shape shape = Shape.of(layout(0));
  private Duration setForward = Duration.ZERO;
  private ClusterState ourStanding = ClusterState.WORKING;
  private long ourSince;
  private @Nullable Long answered;
  private long working = 1;
  private final PeerMonitor watch = watch(1);
  private int second;

  private static Layout layout(int own) {
    return new Layout(3, LANES, Claiming.LANES, 3, own);
  }

  private PeerMonitor watch(int own) {
    return new PeerMonitor(layout(own), DELAY, roll(own), now());
  }

  private ClusterView roll(int own) {
    return roll(own, Map.of(), ClusterState.WORKING);
  }

  /** What is in the tables; this cluster has said so of others, and cluster 0 stands so. */
  private ClusterView roll(int own, Map<Integer, Seen> said, ClusterState clusterState) {
    List<ClusterBeat> beats = new ArrayList<>();
    for (int cluster = 0; cluster < numbers.length; cluster++) {
      beats.add(
          new ClusterBeat(
              cluster,
              numbers[cluster],
              cluster == 0 ? clusterState : cluster == 1 ? ourStanding : ClusterState.WORKING,
              cluster == 1 ? ourSince : 0,
              cluster == own ? with(said, own) : heard(cluster),
              START,
              cluster == 0 ? shape : Shape.of(layout(0))));
    }
    return ClusterView.of(layout(own), beats, START);
  }

  private Map<Integer, Seen> with(Map<Integer, Seen> said, int own) {
    Map<Integer, Seen> seen = new HashMap<>(said);
    if (own != 1 || ourStanding == ClusterState.WORKING) {
      seen.put(own, new Seen(own == 1 ? working : 1, 0, true));
    }
    return seen;
  }

  private Map<Integer, Seen> heard(int by) {
    Map<Integer, Seen> seen = new HashMap<>();
    for (int cluster = 0; cluster < numbers.length; cluster++) {
      long last = cluster == 1 && answered != null ? answered : numbers[cluster];
      seen.put(cluster, new Seen(last, cluster == 1 ? ourSince : 0, false));
    }
    seen.remove(by);
    return seen;
  }

  private ClusterView marked() {
    return marked(0);
  }

  private ClusterView marked(int cluster) {
    return roll(1, Map.of(cluster, new Seen(numbers[cluster], 0, true)), ClusterState.WORKING);
  }

  private Ticker.Moment now() {
    return new Ticker.Moment(
        Duration.ofSeconds(second).toNanos(), START.plusSeconds(second).plus(setForward));
  }

  /** That many seconds pass, in which these beat every second. */
  private void pass(int seconds, int... living) {
    for (int i = 0; i < seconds; i++) {
      second++;
      for (int cluster : living) {
        numbers[cluster]++;
      }
      watch.observe(roll(1), now());
    }
  }

  @Test
  void one_that_is_silent_while_another_is_heard_is_overdue_after_the_maximum_delay() {
    pass(5, 0, 2);
    pass(9, 2);
    assertThat(watch.taking()).isEmpty();
    pass(1, 2);
    assertThat(watch.taking()).containsOnlyKeys(0);
    pass(1, 0, 2);
    assertThat(watch.taking()).isEmpty();
  }

  @Test
  void who_hears_nobody_takes_over_nothing_and_then_begins_again() {
    pass(5, 0, 2);
    pass(60);
    assertThat(watch.taking()).isEmpty();
    pass(9, 2);
    assertThat(watch.taking()).isEmpty();
    pass(2, 2);
    assertThat(watch.taking()).containsOnlyKeys(0);
  }

  @Test
  void who_stood_still_itself_begins_again() {
    pass(5, 0, 2);
    second += 60;
    pass(9, 2);
    assertThat(watch.taking()).isEmpty();
  }

  @Test
  void a_relay_takes_the_mark_back_that_it_finds_and_goes_along_with_one_that_is_set_after_that() {
    PeerMonitor young = new PeerMonitor(layout(1), DELAY, marked(), now());
    assertThat(young.marks()).containsEntry(0, new Seen(numbers[0], 0, false));
    numbers[2]++;
    young.observe(marked(), now());
    assertThat(young.taking()).isEmpty();
    assertThat(young.marks()).containsEntry(0, new Seen(numbers[0], 0, false));
    young.observe(roll(1), now());
    assertThat(young.marks()).isEmpty();
    young.observe(marked(), now());
    assertThat(young.taking()).containsOnlyKeys(0);
    Map<Integer, Seen> before = Map.of(0, new Seen(numbers[0], 0, true));
    numbers[0]++;
    young.observe(roll(1, before, ClusterState.WORKING), now());
    assertThat(young.taking()).isEmpty();
  }

  @Test
  void who_was_deaf_takes_its_mark_back_too() {
    pass(5, 0, 2);
    pass(10, 2);
    watch.observe(marked(), now());
    assertThat(watch.marks()).containsEntry(0, new Seen(numbers[0], 0, true));
    second += 6;
    watch.observe(marked(), now());
    assertThat(watch.taking()).isEmpty();
    assertThat(watch.marks()).containsEntry(0, new Seen(numbers[0], 0, false));
    numbers[2]++;
    watch.observe(marked(), now());
    assertThat(watch.taking()).isEmpty();
    assertThat(watch.marks()).containsEntry(0, new Seen(numbers[0], 0, false));
  }

  @Test
  void what_has_left_is_taken_over_by_whoever_hears() {
    watch.observe(roll(1, Map.of(), ClusterState.LEFT), now());
    assertThat(watch.taking()).isEmpty();
    numbers[2]++;
    watch.observe(roll(1, Map.of(), ClusterState.LEFT), now());
    assertThat(watch.taking()).containsOnlyKeys(0);
    second += 6;
    watch.observe(roll(1, Map.of(), ClusterState.LEFT), now());
    assertThat(watch.taking()).isEmpty();
  }

  @Test
  void nobody_is_taken_over_while_one_has_another_number_of_lanes() {
    shape = new Shape(LANES + 1, 3);
    pass(5, 0, 2);
    pass(20, 2);
    assertThat(watch.taking()).isEmpty();
    shape = Shape.of(layout(0));
    pass(1, 2);
    assertThat(watch.taking()).containsOnlyKeys(0);
  }

  @Test
  void notes_are_kept_for_a_week_and_for_ten_maximum_delays() {
    assertThat(AmongPeers.retention(DELAY)).isEqualTo(Duration.ofDays(7));
    assertThat(AmongPeers.retention(Duration.ofDays(2))).isEqualTo(Duration.ofDays(20));
  }

  @Test
  void two_that_live_agree_who_is_first_for_each_lane_and_share_them() {
    pass(5, 0, 2);
    PeerMonitor other = watch(2);
    for (int i = 0; i < 12; i++) {
      second++;
      numbers[1]++;
      numbers[2]++;
      watch.observe(roll(1), now());
      other.observe(roll(2), now());
    }
    Set<Integer> first = new HashSet<>();
    for (int lane = 0; lane < LANES; lane++) {
      boolean ours = watch.before(0, new Lane(LANES + lane)).isEmpty();
      boolean theirs = other.before(0, new Lane(2 * LANES + lane)).isEmpty();
      assertThat(ours).isNotEqualTo(theirs);
      first.add(ours ? 1 : 2);
    }
    assertThat(first).containsExactlyInAnyOrder(1, 2);
  }

  private List<Lane> lanesWhereWeAreFirst() {
    return IntStream.range(LANES, 2 * LANES)
        .mapToObj(Lane::new)
        .filter(lane -> watch.before(0, lane).isEmpty())
        .toList();
  }

  @Test
  void who_works_again_is_first_for_nothing_until_the_others_have_heard_of_it() {
    pass(5, 0, 2);
    List<Lane> ours = lanesWhereWeAreFirst();
    assertThat(ours).hasSizeBetween(1, LANES - 1);
    ourStanding = ClusterState.RETURNING;
    ourSince = ++numbers[1];
    answered = numbers[1];
    pass(1, 1, 2);
    ourStanding = ClusterState.WORKING;
    working = ++numbers[1];
    pass(1, 2);
    assertThat(lanesWhereWeAreFirst()).isEmpty();
    pass(5, 1, 2);
    assertThat(watch.before(0, ours.get(0))).containsExactly(2);
    answered = working;
    pass(1, 1, 2);
    assertThat(lanesWhereWeAreFirst()).isEqualTo(ours);
  }

  @Test
  void one_that_is_silent_comes_before_us_until_we_say_that_we_take_over_from_it() {
    pass(5, 0, 2);
    List<Lane> ours = lanesWhereWeAreFirst();
    pass(10, 0);
    assertThat(watch.taking()).containsOnlyKeys(2);
    assertThat(lanesWhereWeAreFirst()).isEqualTo(ours);
    watch.observe(marked(2), now());
    assertThat(lanesWhereWeAreFirst()).hasSize(LANES);
  }

  @Test
  void a_clock_that_is_set_forward_is_no_silence() {
    pass(5, 0, 2);
    pass(6, 2);
    setForward = Duration.ofSeconds(4);
    pass(1, 2);
    assertThat(watch.taking()).isEmpty();
    pass(3, 2);
    assertThat(watch.taking()).containsOnlyKeys(0);
  }

  @Test
  void a_clock_that_is_set_forward_makes_no_message_stand_longer() {
    OrphanQueue orphanQueue = new OrphanQueue().behind(List.of(2));
    List<Orphan> there = List.of(new Orphan(7, false));
    assertThat(orphanQueue.ripe(there, DELAY, 100, beat -> true, now()).orphans()).isEmpty();
    setForward = Duration.ofHours(1);
    assertThat(orphanQueue.ripe(there, DELAY, 100, beat -> true, now()).orphans()).isEmpty();
    second += 10;
    assertThat(orphanQueue.ripe(there, DELAY, 100, beat -> true, now()).orphans()).hasSize(1);
  }

  @Test
  void the_second_takes_what_has_stood_there_for_a_step_once_the_first_has_answered() {
    OrphanQueue orphanQueue = new OrphanQueue().behind(List.of(2));
    List<Orphan> there = List.of(new Orphan(7, false));
    assertThat(orphanQueue.ripe(there, DELAY, 100, beat -> true, now()).orphans()).isEmpty();
    second += 10;
    assertThat(orphanQueue.ripe(there, DELAY, 110, beat -> beat < 105, now()).orphans()).isEmpty();
    assertThat(orphanQueue.ripe(there, DELAY, 120, beat -> beat <= 110, now()))
        .isEqualTo(new OrphanQueue.Ripe(there, 0));
    second += 10 * OrphanQueue.PATIENCE;
    List<Orphan> both = List.of(new Orphan(7, false), new Orphan(8, false));
    assertThat(orphanQueue.ripe(both, DELAY, 130, beat -> false, now()))
        .isEqualTo(new OrphanQueue.Ripe(there, 1));
  }

  @Test
  void only_what_is_asked_of_all_that_take_over_before_counts_as_answered() {
    OrphanQueue orphanQueue = new OrphanQueue().behind(List.of(2));
    List<Orphan> there = List.of(new Orphan(7, false));
    assertThat(orphanQueue.ripe(there, DELAY, 100, beat -> false, now()).orphans()).isEmpty();
    second += 10;
    assertThat(orphanQueue.ripe(there, DELAY, 110, beat -> false, now()).orphans()).isEmpty();
    assertThat(orphanQueue.ripe(there, DELAY, 120, beat -> beat < 115, now()).orphans()).isEmpty();
    orphanQueue.behind(List.of(0, 2));
    second += 10;
    assertThat(orphanQueue.ripe(there, DELAY, 130, beat -> beat < 125, now()).orphans()).isEmpty();
    second += 20;
    assertThat(orphanQueue.ripe(there, DELAY, 140, beat -> beat < 135, now()).orphans()).isEmpty();
    assertThat(orphanQueue.ripe(there, DELAY, 150, beat -> beat < 145, now()).orphans()).hasSize(1);
  }

  @Test
  void the_step_begins_when_those_before_us_say_that_they_take_over() {
    OrphanQueue orphanQueue = new OrphanQueue().behind(List.of(2));
    List<Orphan> there = orphans(7);
    assertThat(orphanQueue.ripe(there, DELAY, 100, beat -> false, now()).orphans()).isEmpty();
    second += 10 * OrphanQueue.PATIENCE - 1;
    assertThat(orphanQueue.ripe(there, DELAY, 110, beat -> true, now()).orphans()).isEmpty();
    second += 9;
    assertThat(orphanQueue.ripe(there, DELAY, 120, beat -> true, now()).orphans()).isEmpty();
    second += 1;
    assertThat(orphanQueue.ripe(there, DELAY, 130, beat -> true, now()))
        .isEqualTo(new OrphanQueue.Ripe(there, 0));
  }

  @Test
  void who_says_now_and_then_that_it_takes_over_is_not_waited_for_for_ever() {
    OrphanQueue orphanQueue = new OrphanQueue().behind(List.of(2));
    List<Orphan> there = orphans(7);
    for (int i = 0; i < 2 * OrphanQueue.PATIENCE; i++) {
      boolean says = i % 2 == 0;
      assertThat(orphanQueue.ripe(there, DELAY, 100, beat -> says, now()).orphans()).isEmpty();
      second += 5;
    }
    assertThat(orphanQueue.ripe(there, DELAY, 100, beat -> false, now()))
        .isEqualTo(new OrphanQueue.Ripe(there, 1));
  }

  @Test
  void what_stands_behind_something_that_goes_waits_for_another_step_and_answer() {
    OrphanQueue orphanQueue = new OrphanQueue().behind(List.of(2));
    assertThat(ripe(orphanQueue, 100, 5, 6, 7, 8)).isEmpty();
    second += 10;
    assertThat(
            orphanQueue.ripe(orphans(5, 6, 7, 8), DELAY, 110, beat -> beat < 105, now()).orphans())
        .isEmpty();
    assertThat(ripe(orphanQueue, 120, 5, 7, 8, 9)).isEqualTo(orphans(5));
    second += 9;
    assertThat(ripe(orphanQueue, 130, 5, 7, 8, 9)).isEqualTo(orphans(5));
    orphanQueue.took(orphans(5));
    second += 1;
    assertThat(orphanQueue.ripe(orphans(7, 8, 9), DELAY, 140, beat -> beat < 135, now()).orphans())
        .isEmpty();
    assertThat(ripe(orphanQueue, 150, 7, 8, 9)).isEqualTo(orphans(7, 8, 9));
  }

  @Test
  void what_we_took_ourselves_makes_nothing_wait() {
    OrphanQueue orphanQueue = new OrphanQueue().behind(List.of(2));
    assertThat(ripe(orphanQueue, 100, 5, 6, 7)).isEmpty();
    second += 10;
    assertThat(ripe(orphanQueue, 110, 5, 6, 7)).isEqualTo(orphans(5, 6, 7));
    orphanQueue.took(orphans(5, 6));
    assertThat(ripe(orphanQueue, 120, 7)).isEqualTo(orphans(7));
    orphanQueue.took(orphans(7));
    assertThat(ripe(orphanQueue, 130, 7)).isEmpty();
    second += 10;
    assertThat(ripe(orphanQueue, 140, 7)).isEqualTo(orphans(7));
  }

  /** What is to take of these by who comes next, once the first has answered everything. */
  private List<Orphan> ripe(OrphanQueue orphanQueue, long beat, long... there) {
    return orphanQueue.ripe(orphans(there), DELAY, beat, any -> true, now()).orphans();
  }

  private static List<Orphan> orphans(long... ids) {
    return LongStream.of(ids).mapToObj(id -> new Orphan(id, false)).toList();
  }
}
