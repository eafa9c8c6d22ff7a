package dev.outbox.spi.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Claiming;
import dev.outbox.cluster.ClusterState;
import dev.outbox.spi.Layout;
import dev.outbox.spi.cluster.ClusterBeat.Seen;
import dev.outbox.spi.cluster.ClusterBeat.Shape;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What follows from the signs of life that the second of four clusters has. */
final class ClusterViewTest {
  private static final Layout LAYOUT = new Layout(3, 8, Claiming.LANES, 4, 1);
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final Duration SILENCE = Duration.ofMinutes(10);
  private static final int TARGET = 0;
  private static final ClusterBeat DEAD = beat(TARGET, 5, ClusterState.WORKING, 0, Map.of());
  private static final ClusterBeat OURS =
      beat(1, 9, ClusterState.WORKING, 0, Map.of(TARGET, new Seen(5, 0, true)));

  private static ClusterBeat beat(
      int cluster, long number, ClusterState clusterState, long since, Map<Integer, Seen> seen) {
    return new ClusterBeat(cluster, number, clusterState, since, seen, NOW, Shape.of(LAYOUT));
  }

  private static ClusterView roll(ClusterBeat... beats) {
    return ClusterView.of(LAYOUT, List.of(beats), NOW);
  }

  private static ClusterBeat third(ClusterState clusterState) {
    return beat(2, 20, clusterState, 15, Map.of());
  }

  /** What the fourth has heard of the third. */
  private static ClusterBeat hearsay(long number, long since) {
    return beat(3, 7, ClusterState.WORKING, 0, Map.of(2, new Seen(number, since, false)));
  }

  @Test
  void only_one_that_works_may_be_taking_over() {
    assertThat(roll(OURS, third(ClusterState.WORKING)).mayTakeOver(2)).isTrue();
    assertThat(roll(OURS, third(ClusterState.RETURNING)).mayTakeOver(2)).isFalse();
    assertThat(roll(OURS, third(ClusterState.LEAVING)).mayTakeOver(2)).isFalse();
    assertThat(roll(OURS, third(ClusterState.LEFT)).mayTakeOver(2)).isFalse();
    assertThat(roll(OURS).mayTakeOver(2)).isFalse();
  }

  @Test
  void one_of_whom_others_have_heard_more_than_has_come_may_be() {
    assertThat(roll(OURS, third(ClusterState.LEFT), hearsay(30, 15)).mayTakeOver(2)).isFalse();
    assertThat(roll(OURS, third(ClusterState.LEFT), hearsay(30, 25)).mayTakeOver(2)).isTrue();
    assertThat(roll(OURS, third(ClusterState.RETURNING), hearsay(20, 15)).mayTakeOver(2)).isFalse();
    assertThat(roll(OURS, third(ClusterState.RETURNING), hearsay(21, 15)).mayTakeOver(2)).isTrue();
    assertThat(roll(OURS, hearsay(30, 25)).mayTakeOver(2)).isTrue();
  }

  @Test
  void one_that_is_taken_over_itself_is_not() {
    ClusterBeat ours = beat(1, 9, ClusterState.WORKING, 0, Map.of(2, new Seen(20, 15, true)));
    assertThat(roll(ours, third(ClusterState.WORKING)).mayTakeOver(2)).isFalse();
    assertThat(roll(ours, third(ClusterState.WORKING), hearsay(21, 15)).mayTakeOver(2)).isTrue();
  }

  @Test
  void a_decision_holds_while_what_it_depends_on_does() {
    ClusterView before = roll(DEAD, OURS, third(ClusterState.RETURNING));
    assertThat(before.allows(TARGET, before)).isTrue();
    assertThat(roll(DEAD, OURS, third(ClusterState.LEFT)).allows(TARGET, before)).isTrue();
    assertThat(roll(DEAD, OURS, third(ClusterState.WORKING)).allows(TARGET, before)).isFalse();
    ClusterBeat denied =
        beat(1, 10, ClusterState.WORKING, 0, Map.of(TARGET, new Seen(5, 0, false, 5)));
    assertThat(roll(DEAD, denied, third(ClusterState.RETURNING)).allows(TARGET, before)).isFalse();
    ClusterBeat leaving = beat(1, 10, ClusterState.LEAVING, 10, OURS.seen());
    assertThat(roll(DEAD, leaving, third(ClusterState.RETURNING)).allows(TARGET, before)).isFalse();
    ClusterBeat alive = beat(TARGET, 6, ClusterState.WORKING, 0, Map.of());
    assertThat(roll(alive, OURS, third(ClusterState.RETURNING)).allows(TARGET, before)).isFalse();
  }

  @Test
  void no_decision_holds_through_a_return_of_its_own_cluster() {
    ClusterBeat third = beat(2, 20, ClusterState.WORKING, 15, Map.of(1, new Seen(9, 0, false)));
    ClusterView before = roll(DEAD, working(9, 0, 4), third);
    assertThat(before.isHeardBy(2)).isTrue();
    assertThat(roll(DEAD, working(10, 0, 4), third).allows(TARGET, before)).isTrue();
    assertThat(roll(DEAD, working(12, 10, 11), third).allows(TARGET, before)).isFalse();
    assertThat(roll(DEAD, working(12, 10, 4), third).allows(TARGET, before)).isFalse();
    assertThat(roll(DEAD, working(12, 0, 11), third).allows(TARGET, before)).isFalse();
  }

  @Test
  void no_decision_holds_once_one_that_had_heard_of_this_cluster_has_not() {
    ClusterBeat heard = beat(2, 20, ClusterState.WORKING, 15, Map.of(1, new Seen(9, 0, false)));
    ClusterBeat deaf = beat(2, 21, ClusterState.WORKING, 15, Map.of(1, new Seen(3, 0, false)));
    ClusterView before = roll(DEAD, working(9, 0, 4), heard);
    assertThat(roll(DEAD, working(10, 0, 4), deaf).allows(TARGET, before)).isFalse();
    assertThat(before.allows(TARGET, roll(DEAD, working(9, 0, 4), deaf))).isTrue();
  }

  /** Our beat, which says that the first is taken over, and since when we work. */
  private static ClusterBeat working(long number, long since, long first) {
    return beat(
        1,
        number,
        ClusterState.WORKING,
        since,
        Map.of(TARGET, new Seen(5, 0, true), 1, new Seen(first, since, true)));
  }

  @Test
  void a_beat_tells_since_when_its_cluster_works_and_whether_all_have_heard_it() {
    ClusterBeat third = third(ClusterState.WORKING);
    ClusterBeat first = roll(third).next(SILENCE, Map.of(), false);
    assertThat(first.seen()).containsEntry(1, new Seen(first.number(), 0, false));
    assertThat(roll(first, third).isHeardBy(2)).isFalse();
    ClusterBeat second = roll(first, third).next(SILENCE, Map.of(), false);
    assertThat(second.seen()).containsEntry(1, new Seen(first.number(), 0, false));
    ClusterBeat answer =
        beat(2, 21, ClusterState.WORKING, 15, Map.of(1, new Seen(first.number(), 0, false)));
    assertThat(roll(second, answer).isHeardBy(2)).isTrue();
    ClusterBeat last = roll(second, answer).next(SILENCE, Map.of(), false);
    assertThat(last.seen()).containsEntry(1, new Seen(first.number(), 0, true));
    assertThat(roll(last, answer).turning(ClusterState.LEAVING, Map.of()).seen())
        .doesNotContainKey(1);
  }
}
