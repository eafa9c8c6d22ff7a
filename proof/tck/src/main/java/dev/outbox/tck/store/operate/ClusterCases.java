package dev.outbox.tck.store.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetters.Filter;
import dev.outbox.cluster.ClusterState;
import dev.outbox.cluster.Clusters;
import dev.outbox.cluster.Origin;
import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.cluster.ClusterBeat.Seen;
import dev.outbox.spi.cluster.ClusterStore;
import dev.outbox.spi.cluster.ClusterStore.Extent;
import dev.outbox.spi.cluster.ClusterStore.Orphan;
import dev.outbox.spi.cluster.ClusterView;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.NewEnvelope;
import dev.outbox.spi.settle.SettleResult;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.Sample;
import dev.outbox.tck.fixture.StoreCases;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The store of one cluster among several; what it takes over here is from its own lane. */
public abstract class ClusterCases extends StoreCases {
  private static final Duration SILENCE = Duration.ofMinutes(10);
  private static final Lane FOREIGN = new Lane(1);
  private static final Lane HERE = new Lane(4);
  private static final Lane THERE = new Lane(5);

  protected ClusterCases(Opener opener) {
    super(opener);
  }

  @Override
  protected StoreSetting setting() {
    return StoreSetting.lanes(4).clusters(Clusters.of(3, 1));
  }

  private static NewEnvelope message(Lane lane, String key, String text) {
    return Sample.message(lane, key, text);
  }

  private Lease lease(LaneStore relay, Lane lane) {
    return of(claimAll(relay), lane);
  }

  private static Lease of(List<Lease> leases, Lane lane) {
    return leases.stream().filter(lease -> lease.lane().equals(lane)).findFirst().orElseThrow();
  }

  @Test
  void it_leases_lanes_of_its_own_only() {
    assertThat(store().layout().hasPeers()).isTrue();
    assertThat(claimAll(relay("a")))
        .extracting(Lease::lane)
        .containsExactly(new Lane(4), new Lane(5), new Lane(6), new Lane(7));
  }

  @Test
  void what_others_wrote_is_counted_by_them() throws Exception {
    commit(message(FOREIGN, "k", "theirs"), message(HERE, "k", "ours"));
    assertThat(store().snapshot(10).ready()).isEqualTo(1);
    assertThat(store().snapshot(10).lanes()).hasSize(4);
    assertThat(store().deadLetters().count(Filter.all(), 10)).isZero();
  }

  @Test
  void a_message_in_a_lane_of_another_cluster_than_wrote_it_is_marked() throws Exception {
    Envelope ours = Sample.envelope(Sample.TOPIC, "k", "m").from(new Origin(1, false));
    commit(Sample.ready(HERE, ours), Sample.ready(FOREIGN, ours));
    LaneStore relay = relay("a");
    assertThat(read(relay, HERE).get(0).envelope().origin()).isEqualTo(new Origin(1, false));
    assertThat(read(relay, FOREIGN).get(0).envelope().origin()).isEqualTo(new Origin(1, true));
  }

  @Test
  void each_beat_has_a_higher_number_and_tells_what_was_seen() {
    ClusterStore clusters = relay("a").clusters();
    ClusterView first = clusters.beat(SILENCE, Map.of());
    ClusterView second = store().clusters().beat(SILENCE, Map.of());
    assertThat(first.clusterState()).isEqualTo(ClusterState.WORKING);
    assertThat(second.number()).isGreaterThan(first.number());
    assertThat(clusters.roll().beats()).isEqualTo(second.beats()).hasSize(1);
  }

  @Test
  void a_cluster_that_was_silent_leases_nothing_until_it_resumes() throws Exception {
    LaneStore relay = relay("a");
    ClusterStore clusters = relay.clusters();
    clusters.beat(SILENCE, Map.of());
    passTime(SILENCE.plusSeconds(5));
    ClusterView returning = clusters.beat(SILENCE, Map.of());
    assertThat(returning.clusterState()).isEqualTo(ClusterState.RETURNING);
    assertThat(relay.claim(4)).isEmpty();
    assertThat(clusters.resume(returning.since() - 1)).isFalse();
    assertThat(clusters.resume(returning.since())).isTrue();
    assertThat(clusters.resume(returning.since())).isFalse();
    assertThat(clusters.beat(SILENCE, Map.of()).clusterState()).isEqualTo(ClusterState.WORKING);
    assertThat(clusters.roll().since()).isEqualTo(returning.since());
    assertThat(relay.claim(4)).hasSize(4);
  }

  @Test
  void a_cluster_has_left_when_no_lane_is_leased_any_more() {
    LaneStore relay = relay("a");
    ClusterStore clusters = relay.clusters();
    clusters.beat(SILENCE, Map.of());
    Lease lease = relay.claim(1).get(0).lease();
    clusters.leave();
    assertThat(clusters.beat(SILENCE, Map.of()).clusterState()).isEqualTo(ClusterState.LEAVING);
    assertThat(relay.claim(4)).isEmpty();
    release(relay, lease);
    assertThat(clusters.beat(SILENCE, Map.of()).clusterState()).isEqualTo(ClusterState.LEFT);
    assertThat(relay.claim(4)).isEmpty();
    assertThat(clusters.roll().hasLeft(1)).isTrue();
    clusters.leave();
    assertThat(clusters.roll().clusterState()).isEqualTo(ClusterState.LEFT);
    clusters.comeBack();
    assertThat(clusters.roll().clusterState()).isEqualTo(ClusterState.RETURNING);
  }

  @Test
  void who_wakes_up_when_its_cluster_has_left_is_fenced() throws Exception {
    LaneStore relay = relay("a");
    ClusterStore clusters = relay.clusters();
    clusters.beat(SILENCE, Map.of());
    Lease lease = relay.claim(1).get(0).lease();
    clusters.leave();
    passTime(LEASE.plusSeconds(1));
    assertThat(clusters.beat(SILENCE, Map.of()).clusterState()).isEqualTo(ClusterState.LEFT);
    assertThat(settle(relay, lease, List.of())).isInstanceOf(SettleResult.Fenced.class);
  }

  @Test
  void messages_are_taken_over_once_in_the_order_of_their_keys() throws Exception {
    LaneStore relay = relay("a");
    ClusterStore clusters = relay.clusters();
    commit(message(THERE, "k", "failed"), message(THERE, "k", "follower"));
    List<Lease> leases = claimAll(relay);
    List<StoredEnvelope> stored = read(relay, THERE);
    settle(relay, of(leases, THERE), fail(stored.get(0), LEASE), follow(stored.get(1)));
    commit(message(THERE, "k", "ready"));
    commit(
        new NewEnvelope(
            THERE, Sample.envelope(Sample.TOPIC, "k", "due"), new Message.Due.After(SOON)),
        new NewEnvelope(
            THERE, Sample.envelope(Sample.TOPIC, "k", "later"), new Message.Due.After(SILENCE)));
    passTime(SOON.plusSeconds(1));
    Lease here = of(leases, HERE);
    clusters.beat(SILENCE, Map.of());
    assertThat(clusters.look(THERE, 10)).hasSize(4);
    assertThat(clusters.adopt(here, THERE, clusters.roll(), Extent.ALL, 3)).isEqualTo(3);
    assertThat(clusters.adopt(here, THERE, clusters.roll(), Extent.ALL, 3)).isEqualTo(1);
    assertThat(clusters.adopt(here, THERE, clusters.roll(), Extent.ALL, 3)).isZero();
    assertThat(texts(read(relay, HERE))).containsExactly("failed", "follower", "ready", "due");
    assertThat(read(relay, THERE)).isEmpty();
    assertThat(readDue(relay, 10, THERE)).isEmpty();
    assertThat(store().snapshot(10).delayed()).isEqualTo(1);
  }

  @Test
  void nothing_is_taken_over_beyond_what_the_lane_reached() throws Exception {
    LaneStore relay = relay("a");
    ClusterStore clusters = relay.clusters();
    clusters.beat(SILENCE, Map.of());
    assertThat(clusters.extent(THERE)).isEqualTo(new Extent(0, 0));
    List<Lease> leases = claimAll(relay);
    commit(message(THERE, "k", "failed"));
    settle(relay, of(leases, THERE), fail(read(relay, THERE).get(0), LEASE));
    Extent withParked = clusters.extent(THERE);
    assertThat(withParked.id()).isPositive();
    commit(message(THERE, "l", "ready"), message(HERE, "l", "elsewhere"), due("due"));
    passTime(SOON.plusSeconds(1));
    Extent withAll = clusters.extent(THERE);
    assertThat(withAll.id()).isGreaterThan(withParked.id());
    assertThat(withAll.due()).isPositive();
    commit(message(THERE, "m", "late"), due("late due"));
    passTime(SOON.plusSeconds(1));
    Lease here = of(leases, HERE);
    assertThat(adoptUpTo(withParked, relay, here)).containsExactly("elsewhere", "failed");
    assertThat(adoptUpTo(withAll, relay, here))
        .containsExactly("elsewhere", "failed", "ready", "due");
    assertThat(adoptUpTo(Extent.ALL, relay, here))
        .containsExactly("elsewhere", "failed", "ready", "due", "late", "late due");
  }

  private static NewEnvelope due(String text) {
    return new NewEnvelope(
        THERE, Sample.envelope(Sample.TOPIC, "k", text), new Message.Due.After(SOON));
  }

  private List<String> adoptUpTo(Extent upTo, LaneStore relay, Lease here) {
    ClusterStore clusters = relay.clusters();
    clusters.adopt(here, THERE, clusters.roll(), upTo, 10);
    return texts(read(relay, HERE));
  }

  @Test
  void only_those_that_are_asked_for_are_taken_over() throws Exception {
    LaneStore relay = relay("a");
    ClusterStore clusters = relay.clusters();
    clusters.beat(SILENCE, Map.of());
    commit(message(THERE, "k", "1"), message(THERE, "l", "2"));
    List<Orphan> orphans = clusters.look(THERE, 10);
    Lease here = lease(relay, HERE);
    List<Orphan> second = List.of(orphans.get(1), new Orphan(1_000_000, false));
    assertThat(clusters.adopt(here, THERE, clusters.roll(), second)).isEqualTo(1);
    assertThat(texts(read(relay, HERE))).containsExactly("2");
    assertThat(texts(read(relay, THERE))).containsExactly("1");
  }

  @Test
  void nothing_is_taken_over_without_the_lane_or_once_something_new_was_heard() throws Exception {
    LaneStore relay = relay("a");
    ClusterStore clusters = relay.clusters();
    clusters.beat(SILENCE, Map.of());
    commit(message(THERE, "k", "m"));
    Lease here = lease(relay, HERE);
    ClusterView before = clusters.roll();
    Lease lost = new Lease(here.lane(), here.owner(), here.epoch() - 1, 0);
    assertThat(clusters.adopt(lost, THERE, before, Extent.ALL, 10)).isZero();
    clusters.beat(SILENCE, Map.of());
    assertThat(clusters.adopt(here, THERE, before, Extent.ALL, 10)).isZero();
    clusters.leave();
    assertThat(clusters.adopt(here, THERE, clusters.roll(), Extent.ALL, 10)).isZero();
    assertThat(read(relay, THERE)).hasSize(1);
  }

  @Test
  void nothing_is_taken_over_once_another_relay_of_the_cluster_has_taken_the_mark_back()
      throws Exception {
    LaneStore relay = relay("a");
    ClusterStore clusters = relay.clusters();
    clusters.beat(SILENCE, Map.of());
    commit(message(FOREIGN, "k", "m"));
    Lease here = lease(relay, HERE);
    ClusterView marked = clusters.beat(SILENCE, Map.of(0, new Seen(0, 0, true)));
    assertThat(marked.isMarked(0)).isTrue();
    store().clusters().beat(SILENCE, Map.of(0, new Seen(0, 0, false)));
    assertThat(clusters.adopt(here, FOREIGN, marked, Extent.ALL, 10)).isZero();
    clusters.beat(SILENCE, Map.of(0, new Seen(0, 0, true)));
    assertThat(clusters.adopt(here, FOREIGN, marked, Extent.ALL, 10)).isEqualTo(1);
  }

  @Test
  void what_stands_behind_a_dead_letter_that_holds_its_key_is_left() throws Exception {
    LaneStore relay = relay("a");
    commit(message(THERE, "k", "dead"), message(THERE, "k", "behind"), message(THERE, "l", "free"));
    Lease there = lease(relay, THERE);
    settle(relay, there, buryStrictly(read(relay, THERE).get(0)));
    commit(
        new NewEnvelope(
            THERE, Sample.envelope(Sample.TOPIC, "k", "due"), new Message.Due.After(SOON)),
        new NewEnvelope(
            THERE, Sample.envelope(Sample.TOPIC, "l", "free"), new Message.Due.After(SOON)));
    passTime(SOON.plusSeconds(1));
    assertThat(relay.clusters().look(THERE, 10))
        .extracting(Orphan::delayed)
        .containsExactly(false, true);
  }

  @Test
  void a_dead_letter_and_what_is_parked_hold_no_key_that_only_ends_in_a_blank_more()
      throws Exception {
    LaneStore relay = relay("a");
    ClusterStore clusters = relay.clusters();
    clusters.beat(SILENCE, Map.of());
    commit(message(THERE, "k", "dead"), message(THERE, "k ", "1"), message(THERE, "k ", "2"));
    List<Lease> leases = claimAll(relay);
    List<StoredEnvelope> stored = read(relay, THERE);
    settle(relay, of(leases, THERE), fail(stored.get(1), LEASE), follow(stored.get(2)));
    List<Orphan> head = clusters.look(THERE, 1);
    assertThat(clusters.adopt(of(leases, HERE), THERE, clusters.roll(), head)).isEqualTo(1);
    settle(relay, of(leases, THERE), buryStrictly(stored.get(0)));
    clusters.sweep(SILENCE);
    assertThat(texts(readDue(relay, 10, THERE))).containsExactly("2");
    assertThat(clusters.look(THERE, 10)).hasSize(1);
  }

  @Test
  void what_came_after_its_takeover_is_swept_away() throws Exception {
    LaneStore relay = relay("a");
    ClusterStore clusters = relay.clusters();
    clusters.beat(SILENCE, Map.of());
    commit(message(FOREIGN, "k", "m"));
    Lease here = lease(relay, HERE);
    assertThat(clusters.adopt(here, FOREIGN, clusters.roll(), Extent.ALL, 10)).isEqualTo(1);
    assertThat(clusters.sweep(SILENCE)).isZero();
    assertThat(texts(read(relay, HERE))).containsExactly("m");
  }
}
