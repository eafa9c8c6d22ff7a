package dev.outbox.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Claiming;
import dev.outbox.spi.Layout;
import dev.outbox.spi.cluster.ClusterBeat;
import dev.outbox.spi.cluster.ClusterBeat.Seen;
import dev.outbox.spi.cluster.ClusterBeat.Shape;
import dev.outbox.spi.cluster.ClusterView;
import dev.outbox.spi.lane.Lane;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ClustersTest {
  private static final Duration SILENCE = Duration.ofSeconds(10);
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

  @Test
  void the_environment_says_which_cluster_this_is() {
    assertThat(Clusters.from(Map.of())).isEqualTo(Clusters.ONE);
    assertThat(
            Clusters.from(
                Map.of("CLUSTERS_COUNT", "3", "CLUSTER_ID", " 2 ", "MAXIMUM_DELAY", "90")))
        .isEqualTo(new Clusters(3, 2, Duration.ofSeconds(90)));
    assertThat(Clusters.from(Map.of("MAXIMUM_DELAY", "PT1M")).maximumDelay())
        .isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void what_cannot_be_is_refused_with_name_value_and_limit() {
    refused(() -> Clusters.from(Map.of("CLUSTERS_COUNT", "3")), "no CLUSTER_ID");
    refused(() -> Clusters.from(Map.of("CLUSTERS_COUNT", "x")), "CLUSTERS_COUNT is 'x'");
    refused(() -> Clusters.from(Map.of("MAXIMUM_DELAY", "soon")), "MAXIMUM_DELAY is 'soon'");
    refused(() -> Clusters.of(17, 0), "clusters is 17, it must be 1 to 16");
    refused(() -> Clusters.of(3, 3), "cluster id is 3, with 3 clusters it must be 0 to 2");
    refused(() -> new Clusters(3, 0, Duration.ZERO), "maximumDelay is PT0S");
    refused(() -> new Layout(3, 1, Claiming.ROWS, 2, 0), "row claims know 1 cluster, not 2");
    refused(
        () -> layout(1).require(Clusters.of(3, 2)), "cluster 1 of 3, the setting says cluster 2");
  }

  private static void refused(Runnable call, String text) {
    assertThatThrownBy(call::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(text);
  }

  private static Layout layout(int cluster) {
    return new Layout(3, 8, Claiming.LANES, 3, cluster);
  }

  @Test
  void every_cluster_has_lanes_of_its_own() {
    assertThat(layout(0).own(new Lane(5))).isEqualTo(new Lane(5));
    assertThat(layout(2).own(new Lane(5))).isEqualTo(new Lane(21));
    assertThat(layout(2).of(1, new Lane(21))).isEqualTo(new Lane(13));
    assertThat(layout(0).clusterOf(new Lane(21))).isEqualTo(2);
  }

  private static ClusterBeat beat(int cluster, long number, Map<Integer, Seen> seen) {
    return new ClusterBeat(
        cluster, number, ClusterState.WORKING, 0, seen, NOW, Shape.of(layout(0)));
  }

  @Test
  void what_others_have_heard_of_a_cluster_is_known_too() {
    ClusterView roll =
        ClusterView.of(
            layout(1),
            List.of(
                beat(0, 5, Map.of()),
                beat(0, 7, Map.of()),
                beat(2, 9, Map.of(0, new Seen(8, 0, false)))),
            NOW);
    assertThat(roll.known(0).number()).isEqualTo(8);
    assertThat(roll.next(SILENCE, Map.of(), false).seen().get(0).number()).isEqualTo(8);
  }

  @Test
  void a_mark_stays_until_something_new_is_heard() {
    ClusterBeat mine = beat(1, 3, Map.of(0, new Seen(5, 0, true)));
    ClusterView same = ClusterView.of(layout(1), List.of(mine, beat(0, 5, Map.of())), NOW);
    ClusterView later = ClusterView.of(layout(1), List.of(mine, beat(0, 6, Map.of())), NOW);
    assertThat(same.next(SILENCE, Map.of(), false).seen().get(0).taking()).isTrue();
    assertThat(later.next(SILENCE, Map.of(), false).seen().get(0).taking()).isFalse();
    Map<Integer, Seen> stale = Map.of(0, new Seen(5, 0, false));
    assertThat(later.next(SILENCE, stale, false).seen().get(0).taking()).isFalse();
  }

  @Test
  void a_mark_goes_when_the_relay_that_beats_denies_it_or_the_cluster_does_not_work() {
    ClusterBeat mine = beat(1, 3, Map.of(0, new Seen(5, 0, true)));
    ClusterView roll = ClusterView.of(layout(1), List.of(mine, beat(0, 5, Map.of())), NOW);
    Map<Integer, Seen> denied = Map.of(0, new Seen(5, 0, false));
    assertThat(roll.next(SILENCE, denied, false).seen().get(0).taking()).isFalse();
    assertThat(roll.turning(ClusterState.LEAVING, Map.of()).seen().get(0).taking()).isFalse();
  }

  @Test
  void that_a_cluster_was_taken_over_is_reported_after_the_mark_has_gone() {
    ClusterBeat taker = beat(0, 4, Map.of(1, new Seen(20, 0, true)));
    ClusterBeat next =
        ClusterView.of(layout(0), List.of(taker, beat(1, 21, Map.of())), NOW)
            .next(SILENCE, Map.of(), false);
    assertThat(next.seen().get(1)).isEqualTo(new Seen(21, 0, false, 20));
    ClusterView taken = ClusterView.of(layout(1), List.of(beat(1, 22, Map.of()), next), NOW);
    assertThat(taken.next(SILENCE, Map.of(), false).clusterState())
        .isEqualTo(ClusterState.RETURNING);
  }

  @Test
  void a_cluster_that_is_taken_over_returns_once_for_each_time() {
    ClusterBeat taker = beat(0, 4, Map.of(1, new Seen(20, 0, true)));
    ClusterView taken = ClusterView.of(layout(1), List.of(beat(1, 21, Map.of()), taker), NOW);
    ClusterBeat returning = taken.next(SILENCE, Map.of(), false);
    assertThat(returning.clusterState()).isEqualTo(ClusterState.RETURNING);
    ClusterBeat works = ClusterView.of(layout(1), List.of(returning, taker), NOW).resuming();
    assertThat(works.since()).isEqualTo(returning.since());
    assertThat(
            ClusterView.of(layout(1), List.of(works, taker), NOW)
                .next(SILENCE, Map.of(), false)
                .clusterState())
        .isEqualTo(ClusterState.WORKING);
  }
}
