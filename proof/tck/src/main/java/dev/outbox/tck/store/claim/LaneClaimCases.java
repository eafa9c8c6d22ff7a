package dev.outbox.tck.store.claim;

import static dev.outbox.tck.fixture.Sample.keyed;
import static dev.outbox.tck.fixture.Sample.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Key;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.HeldKey;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.Sample;
import dev.outbox.tck.fixture.StoreCases;
import dev.outbox.testkit.internal.Crew;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** A lane has one owner at a time. */
public abstract class LaneClaimCases extends StoreCases {
  protected LaneClaimCases(Opener opener) {
    super(opener);
  }

  @Test
  void a_claim_takes_no_more_than_asked() {
    LaneStore relay = relay("a");
    assertThat(relay.claim(3)).hasSize(3);
    assertThat(relay.claim(3)).hasSize(1);
    assertThat(relay.claim(3)).isEmpty();
  }

  @Test
  void a_claim_names_lane_owner_and_the_first_epoch() {
    List<Lease> leases = claimAll(relay("a"));
    assertThat(leases)
        .extracting(lease -> lease.lane().number())
        .containsExactlyInAnyOrder(0, 1, 2, 3);
    assertThat(leases).allMatch(lease -> lease.owner().equals("a"));
    assertThat(leases).extracting(Lease::epoch).containsOnly(leases.get(0).epoch());
  }

  @Test
  void a_leased_lane_is_not_claimed_by_others_nor_again() {
    LaneStore relay = relay("a");
    claimAll(relay);
    assertThat(relay("b").claim(4)).isEmpty();
    assertThat(relay.claim(4)).isEmpty();
  }

  @Test
  void two_owners_never_share_a_lane() throws Exception {
    claimTogether(2);
  }

  @Test
  void four_owners_never_share_a_lane() throws Exception {
    claimTogether(4);
  }

  private void claimTogether(int owners) throws Exception {
    List<Callable<List<Lease>>> claims = new ArrayList<>();
    for (int owner = 0; owner < owners; owner++) {
      LaneStore relay = relay("owner " + owner);
      claims.add(() -> claimOneByOne(relay));
    }
    for (int round = 0; round < 10; round++) {
      List<Lease> leases = Crew.together(claims).stream().flatMap(List::stream).toList();
      assertThat(leases)
          .extracting(lease -> lease.lane().number())
          .containsExactlyInAnyOrder(0, 1, 2, 3);
      passTime(LEASE.plusSeconds(1));
    }
  }

  /**
   * Goes on until every lane is taken: a lane that another session was just claiming is free for no
   * other session.
   */
  private static List<Lease> claimOneByOne(LaneStore relay) {
    List<Lease> leases = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      relay.claim(1).forEach(claim -> leases.add(claim.lease()));
    }
    return leases;
  }

  @Test
  void four_owners_that_claim_and_release_at_random_never_share_a_lane() throws Exception {
    Random random = seeded("claim and release at random");
    Map<Lane, String> owners = new ConcurrentHashMap<>();
    Map<Lane, Long> epochs = new ConcurrentHashMap<>();
    List<Callable<Integer>> relays = new ArrayList<>();
    for (String owner : List.of("a", "b", "c", "d")) {
      LaneStore relay = relay(owner);
      long seed = random.nextLong();
      relays.add(() -> claimAndRelease(relay, new Random(seed), owners, epochs));
    }
    assertThat(Crew.together(relays).stream().mapToInt(claims -> claims).sum()).isPositive();
  }

  private static int claimAndRelease(
      LaneStore relay, Random random, Map<Lane, String> owners, Map<Lane, Long> epochs) {
    int claims = 0;
    List<Lease> held = new ArrayList<>();
    for (int step = 0; step < 60; step++) {
      for (LaneClaim claim : relay.claim(1 + random.nextInt(3))) {
        Lease lease = claim.lease();
        assertThat(owners.put(lease.lane(), lease.owner())).isNull();
        Long before = epochs.put(lease.lane(), lease.epoch());
        assertThat(before == null || before < lease.epoch()).isTrue();
        held.add(lease);
        claims++;
      }
      while (!held.isEmpty() && random.nextInt(3) > 0) {
        Lease lease = held.remove(random.nextInt(held.size()));
        owners.remove(lease.lane());
        release(relay, lease);
      }
    }
    return claims;
  }

  @Test
  void a_lane_that_another_session_is_just_claiming_is_skipped() throws Exception {
    try (AutoCloseable lock = environment().lock(LANE)) {
      assertThat(lock).isNotNull();
      List<LaneClaim> claims = Crew.within(SOON, () -> relay("a").claim(4));
      assertThat(claims)
          .extracting(claim -> claim.lease().lane().number())
          .containsExactlyInAnyOrder(1, 2, 3);
    }
    assertThat(relay("b").claim(4)).extracting(claim -> claim.lease().lane()).containsExactly(LANE);
  }

  @Test
  void held_keys_come_with_the_claim_of_their_lane() throws Exception {
    commit(keyed("held", "1"), keyed("held", "2"), keyed("free", "3"), Sample.unkeyed("4"));
    commit(message(OTHER, "elsewhere", "5"));
    LaneStore relay = relay("a");
    List<Lease> leases = claimAll(relay);
    List<StoredEnvelope> stored = new ArrayList<>(read(relay, LANE));
    stored.addAll(read(relay, OTHER));
    Lease lease = leaseOf(leases, LANE);
    Lease other = leaseOf(leases, OTHER);
    settle(
        relay,
        lease,
        fail(stored.get(0), LEASE),
        follow(stored.get(1)),
        fail(stored.get(3), LEASE));
    settle(relay, other, fail(stored.get(4), LEASE));
    leases.forEach(each -> release(relay, each));

    Map<Lane, Set<HeldKey>> held = new HashMap<>();
    relay("b").claim(4).forEach(claim -> held.put(claim.lease().lane(), claim.held()));
    assertThat(held.get(LANE)).containsExactly(new HeldKey(LANE, Sample.TOPIC, new Key("held")));
    assertThat(held.get(OTHER))
        .containsExactly(new HeldKey(OTHER, Sample.TOPIC, new Key("elsewhere")));
  }
}
