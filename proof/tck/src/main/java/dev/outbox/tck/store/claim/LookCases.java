package dev.outbox.tck.store.claim;

import static dev.outbox.tck.fixture.Sample.after;
import static dev.outbox.tck.fixture.Sample.keyed;
import static dev.outbox.tck.fixture.Sample.message;
import static dev.outbox.tck.fixture.Sample.unkeyed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.lane.PendingLanes;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.NewEnvelope;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.Sample;
import dev.outbox.tck.fixture.StoreCases;
import dev.outbox.testkit.internal.Crew;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A idle relay looks before it reads. */
public abstract class LookCases extends StoreCases {
  private LaneStore relay;
  private List<Lease> leases;

  @SuppressWarnings("NullAway.Init")
  protected LookCases(Opener opener) {
    super(opener);
  }

  @BeforeEach
  void claimAllLanes() {
    relay = relay("a");
    leases = claimAll(relay).stream().sorted(Comparator.comparing(Lease::lane)).toList();
  }

  private PendingLanes look(Lane... lanes) {
    return look(Set.of(), lanes);
  }

  private PendingLanes look(Set<String> heldTopics, Lane... lanes) {
    return relay.look(cursors(10, lanes), heldTopics);
  }

  private PendingLanes lookAfter(long id) {
    return relay.look(List.of(new LaneStore.Cursor(LANE, id, 10)), Set.of());
  }

  private void park(Lane lane, Function<StoredEnvelope, Fate> fate) {
    settled(
        settle(relay, leases.get(lane.number()), read(relay, lane).stream().map(fate).toList()));
  }

  @Test
  void an_empty_store_has_no_news() {
    assertThat(look(LANE, OTHER)).isEqualTo(new PendingLanes(Set.of(), Set.of(), Set.of(), 0));
    assertThat(look()).isEqualTo(new PendingLanes(Set.of(), Set.of(), Set.of(), 0));
  }

  @Test
  void lanes_with_ready_messages_are_named_if_asked_for() throws Exception {
    commit(keyed("k", "1"), message(OTHER, null, "2"), message(new Lane(3), "k", "3"));
    assertThat(look(LANE, OTHER, new Lane(2)).ready()).containsExactlyInAnyOrder(LANE, OTHER);
    assertThat(look(new Lane(2)).ready()).isEmpty();
    assertThat(look(LANE, OTHER))
        .extracting(PendingLanes::due, PendingLanes::delayed)
        .containsOnly(Set.of());
  }

  @Test
  void ready_messages_count_above_the_cursor_only() throws Exception {
    commit(keyed("k", "1"), keyed("k", "2"));
    List<Long> ids = ids(read(relay, LANE));
    assertThat(lookAfter(ids.get(0)).ready()).containsExactly(LANE);
    assertThat(lookAfter(ids.get(1)).ready()).isEmpty();
    commit(message(OTHER, "k", "3"));
    assertThat(lookAfter(ids.get(1)).ready()).isEmpty();
    commit(keyed("k", "4"));
    assertThat(lookAfter(ids.get(1)).ready()).containsExactly(LANE);
  }

  @Test
  void a_look_takes_nothing_away() throws Exception {
    commit(keyed("k", "1"));
    look(LANE);
    look(LANE);
    assertThat(texts(read(relay, LANE))).containsExactly("1");
  }

  @Test
  void uncommitted_messages_are_no_news_and_make_no_look_wait() throws Exception {
    store().append(begin(), List.of(keyed("k", "1"), after(Duration.ofSeconds(1), "2")));
    passTime(SOON);
    assertThat(Crew.within(SOON, () -> look(LANE)))
        .isEqualTo(new PendingLanes(Set.of(), Set.of(), Set.of(), 0));
  }

  @Test
  void a_lane_that_is_just_being_claimed_makes_no_look_wait() throws Exception {
    commit(keyed("k", "1"));
    try (AutoCloseable lock = environment().lock(LANE)) {
      assertThat(lock).isNotNull();
      assertThat(Crew.within(SOON, () -> look(LANE)).ready()).containsExactly(LANE);
    }
  }

  @Test
  void parked_messages_are_news_when_they_fall_due() throws Exception {
    commit(keyed("k", "1"), message(OTHER, null, "2"));
    park(LANE, storedEnvelope -> fail(storedEnvelope, LEASE));
    park(OTHER, storedEnvelope -> fail(storedEnvelope, LEASE.multipliedBy(3)));
    assertThat(look(LANE, OTHER).due()).isEmpty();
    passTime(LEASE.plusSeconds(1));
    assertThat(look(LANE, OTHER).due()).containsExactly(LANE);
    assertThat(look(OTHER).due()).isEmpty();
    assertThat(look(LANE, OTHER).ready()).isEmpty();
  }

  @Test
  void followers_are_no_news_while_their_head_waits() throws Exception {
    commit(keyed("k", "1"), keyed("k", "2"));
    List<StoredEnvelope> stored = read(relay, LANE);
    settle(relay, leases.get(0), fail(stored.get(0), LEASE), follow(stored.get(1)));
    assertThat(look(LANE).due()).isEmpty();
  }

  @Test
  void what_is_held_with_its_topic_is_no_news_until_its_release() throws Exception {
    commit(keyed("k", "1"), unkeyed("2"));
    park(LANE, StoreCases::hold);
    passTime(Duration.ofDays(1));
    assertThat(look(LANE).due()).isEmpty();
    relay.release(leases, Set.of(), 10);
    assertThat(look(LANE).due()).containsExactly(LANE);
  }

  @Test
  void due_messages_of_held_topics_are_no_news() throws Exception {
    commit(Sample.of("held", "k", "1"), Sample.of("held", null, "2"));
    park(LANE, storedEnvelope -> fail(storedEnvelope, Duration.ZERO));
    assertThat(look(Set.of("held"), LANE).due()).isEmpty();
    assertThat(look(Set.of("other"), LANE).due()).containsExactly(LANE);
    assertThat(look(LANE).due()).containsExactly(LANE);
  }

  @Test
  void many_of_a_held_topic_hide_no_due_one_of_another() throws Exception {
    NewEnvelope[] messages =
        IntStream.range(0, 300)
            .mapToObj(i -> Sample.of("held", "k" + i, "held"))
            .toArray(NewEnvelope[]::new);
    commit(messages);
    commit(Sample.of("other", "k", "due"));
    park(LANE, storedEnvelope -> fail(storedEnvelope, Duration.ZERO));
    assertThat(look(Set.of("held"), LANE).due()).containsExactly(LANE);
  }

  @Test
  void delayed_messages_are_news_when_they_fall_due() throws Exception {
    commit(after(SOON, "1"));
    assertThat(look(LANE).delayed()).isEmpty();
    passTime(SOON.plusSeconds(1));
    assertThat(look(LANE).delayed()).containsExactly(LANE);
    assertThat(look(OTHER).delayed()).isEmpty();
    assertThat(relay.promoteDue(leases, 10)).isEqualTo(1);
    assertThat(look(LANE)).isEqualTo(new PendingLanes(Set.of(LANE), Set.of(), Set.of(), 0));
  }

  @Test
  void lanes_that_nobody_owns_are_counted_wherever_one_looks() throws Exception {
    assertThat(look().freeLanes()).isZero();
    release(relay, leases.get(1));
    assertThat(look(LANE).freeLanes()).isEqualTo(1);
    assertThat(relay("b").claim(1)).hasSize(1);
    assertThat(look(LANE).freeLanes()).isZero();
  }

  @Test
  void lanes_whose_lease_has_run_out_are_free() throws Exception {
    passTime(LEASE.dividedBy(2));
    settle(relay, leases.get(0));
    passTime(LEASE.dividedBy(2).plusSeconds(1));
    assertThat(look().freeLanes()).isEqualTo(3);
  }

  @Test
  void lanes_leased_further_ahead_than_twice_the_lease_are_free() throws Exception {
    passTime(LEASE.multipliedBy(-2));
    assertThat(look().freeLanes()).isEqualTo(4);
  }

  @Test
  void all_lanes_are_looked_at_at_once() throws Exception {
    List<Lane> lanes = leases.stream().map(Lease::lane).toList();
    commit(lanes.stream().map(lane -> message(lane, "k", "text")).toList());
    assertThat(look(lanes.toArray(new Lane[0])).ready()).containsExactlyInAnyOrderElementsOf(lanes);
    assertThat(Arrays.asList(LANE, OTHER)).allMatch(lane -> look(lane).ready().contains(lane));
  }
}
