package dev.outbox.tck.store.claim;

import static dev.outbox.tck.fixture.Sample.keyed;
import static dev.outbox.tck.fixture.Sample.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetters.Filter;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.NewEnvelope;
import dev.outbox.spi.settle.RetryState;
import dev.outbox.spi.settle.SettleResult;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.tck.StoreEnvironment;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.Sample;
import dev.outbox.tck.fixture.StoreCases;
import dev.outbox.testkit.internal.Crew;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A relay that lost its lane changes nothing any more. */
public abstract class FencingCases extends StoreCases {
  protected FencingCases(Opener opener) {
    super(opener);
  }

  private @Nullable LaneStore reader;

  private record Zombie(LaneStore relay, Lease lease, LaneStore owner, Lease taken) {}

  /** A relay whose only lane was taken by another one after its lease had expired. */
  private Zombie takenOver() throws Exception {
    LaneStore relay = relay("zombie");
    Lease lease = claimFirst(relay);
    return takenOver(relay, lease);
  }

  private Zombie takenOver(LaneStore relay, Lease lease) throws Exception {
    passTime(LEASE.plusSeconds(1));
    LaneStore owner = relay("owner");
    return new Zombie(relay, lease, owner, claimFirst(owner));
  }

  @Override
  protected StoreSetting setting() {
    return StoreSetting.lanes(1);
  }

  private LaneStore reader() {
    reader = reader == null ? relay("reader") : reader;
    return reader;
  }

  /** All that can be seen of the store. */
  private List<Object> picture() {
    LaneStore reader = reader();
    List<Object> picture = new ArrayList<>();
    for (StoredEnvelope storedEnvelope : readAll(reader)) {
      picture.add("ready " + storedEnvelope.id());
    }
    for (StoredEnvelope storedEnvelope : readDue(reader)) {
      RetryState retryState = requireParking(storedEnvelope);
      picture.add(
          "parked " + storedEnvelope.id() + " " + retryState.attempts() + retryState.history());
    }
    store()
        .deadLetters()
        .page(Filter.all(), 0, 100)
        .forEach(letter -> picture.add("dead " + letter.number()));
    return picture;
  }

  private void assertFenced(Zombie zombie, Fate... fates) {
    List<Object> before = picture();
    for (Settlement.After after : Settlement.After.values()) {
      Settlement settlement = new Settlement(zombie.lease, 77, Arrays.asList(fates), after);
      assertThat(settle(zombie.relay, settlement)).isInstanceOf(SettleResult.Fenced.class);
      assertThat(picture()).isEqualTo(before);
    }
    assertThat(relay("third").claim(1)).isEmpty();
    settled(settle(zombie.owner, zombie.taken));
    release(zombie.owner, zombie.taken);
    assertThat(claimFirst(relay("next")).floor()).isZero();
  }

  private List<StoredEnvelope> readyMessages() throws Exception {
    commit(keyed("a", "1"), keyed("a", "2"), keyed("b", "3"), Sample.unkeyed("4"));
    return readAll(reader());
  }

  @Test
  void it_neither_renews_nor_releases() throws Exception {
    assertFenced(takenOver());
  }

  @Test
  void it_delivers_nothing() throws Exception {
    List<StoredEnvelope> stored = readyMessages();
    assertFenced(takenOver(), deliver(stored).toArray(new Fate[0]));
  }

  @Test
  void it_parks_nothing() throws Exception {
    List<StoredEnvelope> stored = readyMessages();
    assertFenced(takenOver(), fail(stored.get(0), Duration.ZERO), follow(stored.get(1)));
  }

  @Test
  void it_buries_nothing() throws Exception {
    List<StoredEnvelope> stored = readyMessages();
    assertFenced(takenOver(), bury(stored.get(0)), bury(stored.get(3)));
  }

  private Zombie takenOverWithParked(List<StoredEnvelope> due) throws Exception {
    List<StoredEnvelope> stored = readyMessages();
    LaneStore relay = relay("zombie");
    Lease lease = claimFirst(relay);
    settle(relay, lease, fail(stored.get(0), Duration.ZERO), follow(stored.get(1)));
    due.addAll(readDue(relay));
    assertThat(due).hasSize(2);
    return takenOver(relay, lease);
  }

  @Test
  void it_delivers_nothing_that_is_parked() throws Exception {
    List<StoredEnvelope> due = new ArrayList<>();
    Zombie zombie = takenOverWithParked(due);
    assertFenced(zombie, deliver(due).toArray(new Fate[0]));
  }

  @Test
  void it_parks_nothing_again() throws Exception {
    List<StoredEnvelope> due = new ArrayList<>();
    Zombie zombie = takenOverWithParked(due);
    assertFenced(zombie, fail(due.get(0), 9, LEASE));
  }

  @Test
  void it_buries_nothing_that_is_parked() throws Exception {
    List<StoredEnvelope> due = new ArrayList<>();
    Zombie zombie = takenOverWithParked(due);
    assertFenced(zombie, bury(due.get(0)));
  }

  @Test
  void it_promotes_nothing() throws Exception {
    commit(Sample.after(Duration.ofSeconds(1), "delayed"));
    Zombie zombie = takenOver();
    assertThat(zombie.relay.promoteDue(List.of(zombie.lease), 10)).isZero();
    assertThat(readAll(zombie.owner)).isEmpty();
    assertThat(zombie.owner.promoteDue(List.of(zombie.taken), 10)).isEqualTo(1);
  }

  @Test
  void it_releases_nothing() throws Exception {
    List<StoredEnvelope> stored = readyMessages();
    LaneStore relay = relay("zombie");
    Lease lease = claimFirst(relay);
    settle(relay, lease, stored.stream().map(StoreCases::hold).toList());
    Zombie zombie = takenOver(relay, lease);

    assertThat(zombie.relay.release(List.of(zombie.lease), Set.of(), 10)).isZero();

    assertThat(readDue(zombie.owner)).isEmpty();
    assertThat(zombie.owner.release(List.of(zombie.taken), Set.of(), 10)).isPositive();
  }

  @Test
  void an_older_epoch_of_the_same_owner_is_fenced() throws Exception {
    List<StoredEnvelope> stored = readyMessages();
    LaneStore relay = relay("a");
    Lease old = claimFirst(relay);
    passTime(LEASE.plusSeconds(1));
    Lease current = claimFirst(relay);
    assertFenced(new Zombie(relay, old, relay, current), deliver(stored).toArray(new Fate[0]));
  }

  @Test
  void another_owner_of_the_same_epoch_is_fenced() throws Exception {
    List<StoredEnvelope> stored = readyMessages();
    LaneStore relay = relay("a");
    Lease lease = claimFirst(relay);
    Lease forged = new Lease(lease.lane(), "forger", lease.epoch(), 0);
    assertFenced(new Zombie(relay("forger"), forged, relay, lease), deliver(stored.get(0)));
  }

  @Test
  void a_released_lane_is_fenced_for_its_last_owner() throws Exception {
    List<StoredEnvelope> stored = readyMessages();
    LaneStore relay = relay("a");
    Lease lease = claimFirst(relay);
    release(relay, lease);
    assertThat(settle(relay, lease, deliver(stored))).isInstanceOf(SettleResult.Fenced.class);
    assertThat(readAll(relay)).hasSize(4);
  }

  @Test
  void a_lane_that_is_released_with_its_last_deliveries_is_free_at_once() throws Exception {
    commit(keyed("k", "1"));
    LaneStore relay = relay("leaving");
    Lease lease = claimFirst(relay);
    List<StoredEnvelope> stored = readAll(relay);
    settled(settle(relay, new Settlement(lease, 0, deliver(stored), Settlement.After.RELEASE)));
    LaneStore next = relay("next");
    assertThat(claimFirst(next).lane()).isEqualTo(lease.lane());
    assertThat(readAll(next)).isEmpty();
  }

  @Test
  void one_fenced_lane_does_not_disturb_the_others() throws Exception {
    try (StoreEnvironment wide = opener.open(StoreSetting.lanes(4))) {
      List<NewEnvelope> messages = new ArrayList<>();
      for (int lane = 0; lane < 4; lane++) {
        messages.add(message(new Lane(lane), "k", "lane " + lane));
      }
      try (Connection connection = wide.applications().getConnection()) {
        connection.setAutoCommit(false);
        wide.store().append(connection, messages);
        connection.commit();
      }
      settleWithOneLaneLost(wide);
    }
  }

  private void settleWithOneLaneLost(StoreEnvironment wide) {
    try (LaneStore relay = wide.store().lanes("a", LEASE);
        LaneStore thief = wide.store().lanes("thief", LEASE)) {
      List<Lease> leases = relay.claim(4).stream().map(LaneClaim::lease).toList();
      Lease lost = leases.get(1);
      release(relay, lost);
      assertThat(claimFirst(thief).lane()).isEqualTo(lost.lane());
      List<Settlement> settlements =
          leases.stream()
              .map(lease -> new Settlement(lease, 0, deliver(read(relay, lease.lane())), RENEW))
              .toList();
      Map<Lane, SettleResult> settleResults = relay.settle(settlements);
      assertThat(settleResults).hasSize(4);
      for (Lease lease : leases) {
        boolean isLost = lease.equals(lost);
        assertThat(settleResults.get(lease.lane()) instanceof SettleResult.Fenced)
            .isEqualTo(isLost);
        assertThat(read(relay, lease.lane())).hasSize(isLost ? 1 : 0);
      }
    }
  }

  private static final Settlement.After RENEW = Settlement.After.RENEW;

  @Test
  void two_that_settle_and_take_over_at_the_same_time_never_both_succeed() throws Exception {
    LaneStore relay = relay("a");
    LaneStore rival = relay("b");
    for (int round = 0; round < 20; round++) {
      commit(keyed("k", "round " + round));
      Lease lease = claimFirst(relay);
      List<StoredEnvelope> stored = readAll(relay);
      passTime(LEASE.plusSeconds(1));
      List<Boolean> won =
          Crew.together(
              List.of(
                  () -> settle(relay, lease, deliver(stored)) instanceof SettleResult.Settled,
                  () -> !rival.claim(1).isEmpty()));
      assertThat(won.get(0)).isNotEqualTo(won.get(1));
      assertThat(readAll(relay).isEmpty()).isEqualTo(won.get(0));
      finish(relay, rival);
    }
  }

  /** Empties the lane for the next round. */
  private void finish(LaneStore relay, LaneStore rival) throws Exception {
    passTime(LEASE.plusSeconds(1));
    List<LaneClaim> claims = relay.claim(1);
    assertThat(claims).hasSize(1);
    settle(relay, claims.get(0).lease(), deliver(readAll(rival)));
    release(relay, claims.get(0).lease());
  }
}
