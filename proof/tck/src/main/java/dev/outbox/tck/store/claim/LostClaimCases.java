package dev.outbox.tck.store.claim;

import static dev.outbox.tck.fixture.Sample.keyed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Key;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.HeldKey;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.SettleResult;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.Sample;
import dev.outbox.tck.fixture.StoreCases;
import dev.outbox.testkit.internal.Crew;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A claim whose answer was lost was perhaps written. */
public abstract class LostClaimCases extends StoreCases {
  protected LostClaimCases(Opener opener) {
    super(opener);
  }

  @Test
  void what_a_relay_took_without_hearing_of_it_it_gets_by_asking_again() throws Exception {
    LaneStore relay = relay("a");
    Lease lost = claimOne(relay);
    List<LaneClaim> again = relay("a").reclaim(Set.of());
    assertThat(again)
        .extracting(LaneClaim::lease)
        .containsExactly(new Lease(lost.lane(), "a", lost.epoch() + 1, lost.floor()));
    assertThat(settle(relay, lost)).isInstanceOf(SettleResult.Fenced.class);
    settled(settle(relay, again.get(0).lease()));
    passTime(LEASE.minusSeconds(20));
    assertThat(relay("b").claim(4)).hasSize(3);
  }

  @Test
  void it_gets_only_its_own_and_not_those_that_it_knows() {
    LaneStore relay = relay("a");
    Lease known = claimOne(relay);
    Lease lost = claimOne(relay);
    claimAll(relay("b"));
    assertThat(relay.reclaim(Set.of(known.lane())))
        .extracting(claim -> claim.lease().lane())
        .containsExactly(lost.lane());
    settled(settle(relay, known));
    assertThat(relay("c").reclaim(Set.of())).isEmpty();
  }

  @Test
  void that_a_relay_takes_its_own_again_is_no_takeover_even_when_it_expired() throws Exception {
    LaneStore relay = relay("a");
    claimAll(relay);
    passTime(LEASE.plusSeconds(1));
    assertThat(relay.reclaim(Set.of()))
        .extracting(LaneClaim::takeovers)
        .containsExactly(0, 0, 0, 0);
    passTime(LEASE.plusSeconds(1));
    assertThat(relay("b").claim(4)).extracting(LaneClaim::takeovers).containsExactly(1, 1, 1, 1);
    assertThat(relay("b").reclaim(Set.of()))
        .extracting(LaneClaim::takeovers)
        .containsExactly(1, 1, 1, 1);
  }

  @Test
  void what_it_takes_again_comes_with_its_held_keys_and_its_floor() throws Exception {
    environment().restartIds(43);
    commit(keyed("held", "1"));
    LaneStore relay = relay("a");
    claimAll(relay);
    Lease lease = again(relay).lease();
    StoredEnvelope storedEnvelope = read(relay, LANE).get(0);
    settle(
        relay,
        new Settlement(lease, 42, List.of(fail(storedEnvelope, LEASE)), Settlement.After.RENEW));
    LaneClaim again = again(relay);
    assertThat(again.lease().floor()).isEqualTo(42);
    assertThat(again.held()).containsExactly(new HeldKey(LANE, Sample.TOPIC, new Key("held")));
  }

  @Test
  void its_own_lane_that_another_session_has_locked_is_skipped() throws Exception {
    claimAll(relay("a"));
    try (AutoCloseable lock = environment().lock(LANE)) {
      assertThat(lock).isNotNull();
      List<LaneClaim> claims = Crew.within(SOON, () -> relay("a").reclaim(Set.of()));
      assertThat(claims)
          .extracting(claim -> claim.lease().lane().number())
          .containsExactlyInAnyOrder(1, 2, 3);
    }
  }

  private static LaneClaim again(LaneStore relay) {
    return relay.reclaim(Set.of()).stream()
        .filter(claim -> claim.lease().lane().equals(LANE))
        .findFirst()
        .orElseThrow();
  }
}
