package dev.outbox.tck.store.claim;

import static dev.outbox.tck.fixture.Sample.keyed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.StoreCases;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A lease runs for its length, is renewed, released, or taken over when it is over. */
public abstract class LeaseCases extends StoreCases {
  protected LeaseCases(Opener opener) {
    super(opener);
  }

  @Test
  void an_expired_lease_is_taken_with_the_next_epoch() throws Exception {
    Lease lease = claimFirst(relay("a"));
    passTime(LEASE.plusSeconds(1));
    Lease taken = leaseOf(relay("b"), lease.lane());
    assertThat(taken.epoch()).isEqualTo(lease.epoch() + 1);
    assertThat(taken.owner()).isEqualTo("b");
  }

  @Test
  void an_expired_lease_is_taken_by_its_own_owner_with_the_next_epoch() throws Exception {
    LaneStore relay = relay("a");
    Lease lease = claimFirst(relay);
    passTime(LEASE.plusSeconds(1));
    assertThat(leaseOf(relay, lease.lane()).epoch()).isEqualTo(lease.epoch() + 1);
  }

  @Test
  void a_lane_that_its_owner_has_in_its_hands_is_not_claimed_again_when_its_lease_is_over()
      throws Exception {
    LaneStore relay = relay("a");
    Set<Lane> known =
        relay.claim(2).stream().map(claim -> claim.lease().lane()).collect(Collectors.toSet());
    passTime(LEASE.plusSeconds(1));

    List<LaneClaim> first = relay.claim(1, known);
    assertThat(first).hasSize(1);
    known.add(first.get(0).lease().lane());
    List<LaneClaim> second = relay.claim(4, known);
    assertThat(second).hasSize(1);

    assertThat(known).hasSize(3).doesNotContain(second.get(0).lease().lane());
    assertThat(relay.claim(4, Set.of())).extracting(claim -> claim.lease().lane()).hasSize(2);
  }

  @Test
  void a_lease_that_still_runs_is_kept() throws Exception {
    claimAll(relay("a"));
    passTime(LEASE.minusSeconds(20));
    assertThat(relay("b").claim(4)).isEmpty();
  }

  @Test
  void a_lease_further_ahead_than_twice_its_length_is_taken() throws Exception {
    Lease lease = claimFirst(relay("a"));
    passTime(LEASE.multipliedBy(-2));
    assertThat(leaseOf(relay("b"), lease.lane()).epoch()).isEqualTo(lease.epoch() + 1);
  }

  @Test
  void a_lease_less_far_ahead_is_kept() throws Exception {
    claimAll(relay("a"));
    passTime(LEASE.dividedBy(-2));
    assertThat(relay("b").claim(4)).isEmpty();
  }

  @Test
  void a_lease_is_judged_by_its_own_length_not_by_that_of_who_asks() throws Exception {
    claimAll(relay("a"));
    try (LaneStore brief = store().lanes("brief", LEASE.dividedBy(10))) {
      assertThat(brief.look(List.of(), Set.of()).freeLanes()).isZero();
      assertThat(brief.claim(4)).isEmpty();
    }
    passTime(LEASE.multipliedBy(-2));
    try (LaneStore patient = store().lanes("patient", LEASE.multipliedBy(10))) {
      assertThat(patient.look(List.of(), Set.of()).freeLanes()).isEqualTo(4);
      assertThat(patient.claim(4)).hasSize(4);
    }
  }

  @Test
  void a_renewed_lease_runs_for_its_full_length_again() throws Exception {
    LaneStore relay = relay("a");
    List<Lease> leases = claimAll(relay);
    passTime(LEASE.minusSeconds(20));
    leases.forEach(lease -> settled(settle(relay, lease)));
    passTime(LEASE.minusSeconds(20));
    assertThat(relay("b").claim(4)).isEmpty();
    passTime(Duration.ofSeconds(21));
    assertThat(relay("b").claim(4)).hasSize(4);
  }

  @Test
  void an_expired_lease_that_nobody_took_can_be_renewed() throws Exception {
    LaneStore relay = relay("a");
    List<Lease> leases = claimAll(relay);
    passTime(LEASE.plusSeconds(1));
    leases.forEach(lease -> settled(settle(relay, lease)));
    assertThat(relay("b").claim(4)).isEmpty();
  }

  @Test
  void a_released_lane_is_free_at_once_with_the_next_epoch() {
    LaneStore relay = relay("a");
    Lease lease = claimFirst(relay);
    release(relay, lease);
    assertThat(leaseOf(relay("b"), lease.lane()).epoch()).isEqualTo(lease.epoch() + 1);
  }

  @Test
  void the_floor_of_the_last_settle_comes_with_the_next_claim() throws Exception {
    environment().restartIds(43);
    LaneStore relay = relay("a");
    Lease lease = claimFirst(relay);
    settle(relay, new Settlement(lease, 17, List.of(), Settlement.After.RENEW));
    settle(relay, new Settlement(lease, 42, List.of(), Settlement.After.RELEASE));
    assertThat(leaseOf(relay("b"), lease.lane()).floor()).isEqualTo(42);
  }

  @Test
  void the_floor_survives_a_takeover_without_settle() throws Exception {
    environment().restartIds(43);
    LaneStore relay = relay("a");
    Lease lease = claimFirst(relay);
    settle(relay, new Settlement(lease, 42, List.of(), Settlement.After.RENEW));
    passTime(LEASE.plusSeconds(1));
    assertThat(leaseOf(relay("b"), lease.lane()).floor()).isEqualTo(42);
  }

  @Test
  void a_lease_that_runs_on_ends_when_it_would_have_or_later() throws Exception {
    LaneStore relay = relay("a");
    Lease lease = leaseOf(claimAll(relay), LANE);
    commit(keyed("k", "1"));
    List<Fate> fates = deliver(read(relay, lease.lane()));
    passTime(LEASE.dividedBy(2));
    settled(settle(relay, new Settlement(lease, 0, fates, Settlement.After.RUN_ON)));
    assertThat(relay("b").claim(1)).isEmpty();
    assertThat(read(relay, lease.lane())).isEmpty();
    passTime(LEASE.plusSeconds(1));
    assertThat(leaseOf(relay("b"), lease.lane()).epoch()).isEqualTo(lease.epoch() + 1);
  }
}
