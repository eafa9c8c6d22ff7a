package dev.outbox.jdbc.clusters;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.cluster.ClusterState;
import dev.outbox.jdbc.clusters.Cluster.Arrival;
import dev.outbox.jdbc.proof.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Three real servers with asynchronous logical replication among all of them, and what becomes of
 * messages when they fail. Of the time most goes into starting them and waiting for beats, alone on
 * the machine: there is no small dose of it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
@Tag("proof")
@Isolated("on a crowded machine its clusters take each other for dead")
final class ThreeServersTest {
  private static final Duration PATIENCE = Duration.ofSeconds(25);
  private static final List<String> TABLES =
      List.of("outbox", "outbox_parked", "outbox_delayed", "outbox_dead");

  private final Queue<Arrival> arrivals = new ConcurrentLinkedQueue<>();
  private final List<Cluster> clusters = new ArrayList<>();
  private Mesh mesh;

  @BeforeAll
  void start() throws Exception {
    mesh = new Mesh(3);
    for (int id = 0; id < mesh.size(); id++) {
      clusters.add(new Cluster(mesh.server(id), id, mesh.size(), arrivals));
    }
    mesh.connect();
    awaitBeats(0, 1, 2);
  }

  @AfterAll
  void stop() {
    clusters.forEach(Cluster::close);
    mesh.close();
  }

  /** Nothing is stuck after any of them, and replication never met a conflict. */
  @AfterEach
  void nothing_is_left_and_replication_met_no_conflict() throws Exception {
    arrivals.clear();
    for (Cluster cluster : clusters) {
      Await.until(
          "cluster " + cluster.id + " works",
          PATIENCE,
          () -> cluster.handover().clusterState() == ClusterState.WORKING);
      for (String table : TABLES) {
        Await.until(
            table + " of " + cluster.id + " is empty",
            PATIENCE,
            () -> mesh.number(cluster.id, "SELECT COUNT(*) FROM " + table) == 0);
      }
    }
    assertThat(mesh.conflicts()).isEmpty();
  }

  /** Every cluster hears each of the others. */
  private void awaitBeats(int... some) throws Exception {
    for (int to : some) {
      for (int from : some) {
        long before = beat(to, from);
        Await.until("a beat of " + from + " at " + to, PATIENCE, () -> beat(to, from) > before);
      }
    }
  }

  private long beat(int at, int of) throws Exception {
    return mesh.number(
        at, "SELECT COALESCE(MAX(beat), 0) FROM outbox_beat WHERE cluster_id = " + of);
  }

  /** That many beats of {@code cluster} pass, which are a tenth of the maximum delay each. */
  private void letBeatsPass(int cluster, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      long before = beat(cluster, cluster);
      Await.until("a beat of " + cluster, PATIENCE, () -> beat(cluster, cluster) > before);
    }
  }

  private void awaitArrival(Collection<String> texts) throws Exception {
    Await.until(
        "all of " + texts.size() + " arrive",
        PATIENCE,
        () -> arrived().keySet().containsAll(texts));
  }

  private Map<String, List<Arrival>> arrived() {
    return arrivals.stream().collect(Collectors.groupingBy(Arrival::text));
  }

  private void assertOnceEach(Collection<String> texts) {
    assertThat(arrivals).extracting(Arrival::text).containsExactlyInAnyOrderElementsOf(texts);
  }

  @Test
  void while_all_is_well_every_cluster_publishes_its_own_messages_once() throws Exception {
    List<String> texts = new ArrayList<>();
    for (Cluster cluster : clusters) {
      texts.addAll(cluster.write("well", 60));
    }
    awaitArrival(texts);
    letBeatsPass(0, 20);
    assertOnceEach(texts);
    assertThat(arrivals)
        .allSatisfy(arrival -> assertThat(arrival.origin()).isEqualTo(arrival.cluster()))
        .noneMatch(Arrival::takenOver);
  }

  @Test
  void what_a_killed_cluster_had_is_taken_over_by_exactly_one_other() throws Exception {
    Cluster dead = clusters.get(0);
    dead.brokerIsDown(true);
    List<String> texts = dead.write("killed", 80);
    for (int other = 1; other < mesh.size(); other++) {
      int at = other;
      Await.until("all is replicated to " + at, PATIENCE, () -> standing(at) == texts.size());
    }
    mesh.server(0).kill();
    awaitArrival(texts);
    dead.brokerIsDown(false);
    assertThat(arrivals).allMatch(Arrival::takenOver).allMatch(arrival -> arrival.origin() == 0);
    assertThat(arrivals.stream().map(Arrival::cluster).collect(Collectors.toSet()))
        .containsExactlyInAnyOrder(1, 2);
    List<String> all = new ArrayList<>(texts);
    all.addAll(clusters.get(1).write("meanwhile", 20));
    mesh.server(0).start();
    Await.until(
        "the dead one works again",
        PATIENCE,
        () -> dead.handover().clusterState() == ClusterState.WORKING);
    all.addAll(dead.write("afterwards", 20));
    awaitArrival(all);
    assertOnceEach(all);
    assertThat(dead.unheard()).isEmpty();
  }

  /** How many messages are in the tables of {@code cluster}, ready or parked. */
  private long standing(int cluster) throws Exception {
    return mesh.number(
        cluster, "SELECT (SELECT COUNT(*) FROM outbox) + (SELECT COUNT(*) FROM outbox_parked)");
  }

  @Test
  void a_cluster_that_is_cut_off_publishes_on_and_only_what_stood_in_its_tables_is_repeated()
      throws Exception {
    Cluster alone = clusters.get(1);
    alone.brokerIsDown(true);
    List<String> stood = alone.write("stood", 40);
    Await.until("replicated to 0", PATIENCE, () -> standing(0) == stood.size());
    Await.until("replicated to 2", PATIENCE, () -> standing(2) == stood.size());
    mesh.cut(1, false);
    List<String> texts = new ArrayList<>(stood);
    texts.addAll(alone.write("alone", 30));
    texts.addAll(clusters.get(0).write("others", 30));
    awaitArrival(stood);
    alone.brokerIsDown(false);
    awaitArrival(texts);
    mesh.cut(1, true);
    awaitBeats(0, 1, 2);
    Await.until(
        "it has returned", PATIENCE, () -> alone.handover().clusterState() == ClusterState.WORKING);
    texts.addAll(alone.write("afterwards", 10));
    awaitArrival(texts);
    Map<String, List<Arrival>> arrived = arrived();
    assertThat(arrived.keySet()).containsExactlyInAnyOrderElementsOf(new TreeSet<>(texts));
    arrived.forEach(
        (text, each) ->
            assertThat(each).as(text).hasSizeLessThanOrEqualTo(stood.contains(text) ? 2 : 1));
  }

  @Test
  void replication_that_stood_still_for_long_goes_on_without_a_conflict_or_a_repeat()
      throws Exception {
    for (int cluster = 0; cluster < mesh.size(); cluster++) {
      mesh.cut(cluster, false);
    }
    List<String> texts = new ArrayList<>();
    for (Cluster cluster : clusters) {
      texts.addAll(cluster.write("still", 30));
    }
    awaitArrival(texts);
    letBeatsPass(2, 25);
    for (int cluster = 0; cluster < mesh.size(); cluster++) {
      mesh.cut(cluster, true);
    }
    awaitBeats(0, 1, 2);
    letBeatsPass(0, 15);
    assertOnceEach(texts);
  }

  @Test
  void a_cluster_hands_over_and_comes_back_with_nothing_repeated() throws Exception {
    Cluster leaving = clusters.get(2);
    List<String> texts = new ArrayList<>(leaving.write("before", 40));
    leaving.handover().leave();
    texts.addAll(leaving.write("during", 40));
    assertThat(leaving.handover().await(ClusterState.LEFT, PATIENCE)).isTrue();
    texts.addAll(leaving.write("left", 40));
    awaitArrival(texts);
    assertThat(by("left")).doesNotContain(2);
    leaving.handover().comeBack();
    assertThat(leaving.handover().await(ClusterState.WORKING, PATIENCE)).isTrue();
    texts.addAll(leaving.write("back", 40));
    awaitArrival(texts);
    assertOnceEach(texts);
    assertThat(by("back")).containsExactly(2);
    assertThat(leaving.unheard()).isEmpty();
  }

  @Test
  void two_hand_over_and_one_is_back_while_the_other_is_down_with_nothing_repeated()
      throws Exception {
    Cluster down = clusters.get(0);
    Cluster back = clusters.get(1);
    down.handover().leave();
    back.handover().leave();
    assertThat(down.handover().await(ClusterState.LEFT, PATIENCE)).isTrue();
    assertThat(back.handover().await(ClusterState.LEFT, PATIENCE)).isTrue();
    List<String> texts = new ArrayList<>(down.write("left", 20));
    back.handover().comeBack();
    for (int round = 0; round < 10; ) {
      texts.addAll(down.write("down" + texts.size(), 20));
      round += back.handover().clusterState() == ClusterState.WORKING ? 1 : 0;
    }
    awaitArrival(texts);
    down.handover().comeBack();
    assertThat(down.handover().await(ClusterState.WORKING, PATIENCE)).isTrue();
    letBeatsPass(0, 10);
    assertOnceEach(texts);
    assertThat(arrivals).extracting(Arrival::cluster).doesNotContain(0);
  }

  /** The clusters that published messages of this name. */
  private Set<Integer> by(String name) {
    return arrivals.stream()
        .filter(arrival -> arrival.text().startsWith(name + "-"))
        .map(Arrival::cluster)
        .collect(Collectors.toSet());
  }
}
