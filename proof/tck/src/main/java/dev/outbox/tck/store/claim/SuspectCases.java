package dev.outbox.tck.store.claim;

import static dev.outbox.tck.fixture.Sample.keyed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.lane.Suspect;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.tck.StoreEnvironment;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.OneLaneCases;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.Sample;
import dev.outbox.testkit.internal.Crew;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A lane remembers how often it was taken over, and the message that may be the reason. */
public abstract class SuspectCases extends OneLaneCases {
  protected SuspectCases(Opener opener) {
    super(opener);
  }

  private LaneClaim takenOver() throws Exception {
    return takeOver(relay("next"));
  }

  /** A message of the lane, as its relay reads it. */
  private StoredEnvelope message(String key) throws Exception {
    List<StoredEnvelope> ready = ready(keyed(key, key));
    return ready.get(ready.size() - 1);
  }

  @Test
  void a_fresh_lane_is_above_suspicion() {
    release(relay, lease);
    LaneClaim claim = relay("b").claim(1).get(0);
    assertThat(claim.takeovers()).isZero();
    assertThat(claim.suspect()).isNull();
  }

  @Test
  void a_lane_that_was_released_was_not_taken_over() {
    for (int i = 0; i < 3; i++) {
      release(relay, lease);
      LaneClaim claim = relay.claim(1).get(0);
      assertThat(claim.takeovers()).isZero();
      lease = claim.lease();
    }
  }

  @Test
  void takeovers_are_counted_as_long_as_nothing_settles() throws Exception {
    for (int count = 1; count <= 4; count++) {
      assertThat(takenOver().takeovers()).isEqualTo(count);
    }
  }

  @Test
  void a_suspect_is_told_to_the_next_owner() throws Exception {
    environment().restartIds(9_000_000_000L);
    StoredEnvelope message = message("k");
    assertThat(relay.suspect(lease, message)).isTrue();
    LaneClaim claim = takenOver();
    assertThat(claim.suspect()).isEqualTo(new Suspect(message.id(), 1));
    assertThat(claim.takeovers()).isEqualTo(1);
  }

  @Test
  void a_suspect_that_is_noted_again_is_counted() throws Exception {
    StoredEnvelope message = message("k");
    relay.suspect(lease, message);
    for (int deaths = 2; deaths <= 4; deaths++) {
      LaneStore other = relay("relay " + deaths);
      LaneClaim claim = takeOver(other);
      assertThat(other.suspect(claim.lease(), message)).isTrue();
      assertThat(takenOver().suspect()).isEqualTo(new Suspect(message.id(), deaths));
    }
  }

  @Test
  void another_suspect_is_counted_again() throws Exception {
    StoredEnvelope first = message("a");
    StoredEnvelope second = message("b");
    relay.suspect(lease, first);
    relay.suspect(lease, first);
    relay.suspect(lease, second);
    assertThat(takenOver().suspect()).isEqualTo(new Suspect(second.id(), 1));
  }

  @Test
  void a_relay_that_lost_its_lane_suspects_nobody() throws Exception {
    StoredEnvelope first = message("a");
    StoredEnvelope second = message("b");
    relay.suspect(lease, first);
    LaneStore other = relay("b");
    LaneClaim claim = takeOver(other);
    assertThat(relay.suspect(lease, first)).isFalse();
    assertThat(relay.suspect(lease, second)).isFalse();
    Lease before = new Lease(LANE, "b", claim.lease().epoch() - 1, 0);
    assertThat(other.suspect(before, second)).isFalse();
    assertThat(takenOver().suspect()).isEqualTo(new Suspect(first.id(), 1));
  }

  @Test
  void a_relay_that_released_its_lane_suspects_nobody() throws Exception {
    StoredEnvelope message = message("k");
    release(relay, lease);
    assertThat(relay.suspect(lease, message)).isFalse();
    assertThat(relay("b").claim(1).get(0).suspect()).isNull();
  }

  @Test
  void a_settlement_with_fates_clears_the_lane() throws Exception {
    takenOver();
    LaneStore other = relay("b");
    LaneClaim claim = takeOver(other);
    assertThat(claim.takeovers()).isEqualTo(2);
    commit(keyed("k", "1"));
    StoredEnvelope storedEnvelope = read(other, LANE).get(0);
    other.suspect(claim.lease(), storedEnvelope);
    settled(settle(other, claim.lease(), deliver(storedEnvelope)));
    LaneClaim next = takenOver();
    assertThat(next.suspect()).isNull();
    assertThat(next.takeovers()).isEqualTo(1);
  }

  @Test
  void a_settlement_that_lets_the_lease_run_on_clears_the_lane_as_well() throws Exception {
    LaneStore other = relay("b");
    LaneClaim claim = takeOver(other);
    commit(keyed("k", "1"));
    StoredEnvelope storedEnvelope = read(other, LANE).get(0);
    other.suspect(claim.lease(), storedEnvelope);
    settled(
        settle(
            other,
            new Settlement(
                claim.lease(), 0, List.of(deliver(storedEnvelope)), Settlement.After.RUN_ON)));
    LaneClaim next = takenOver();
    assertThat(next.suspect()).isNull();
    assertThat(next.takeovers()).isEqualTo(1);
  }

  @Test
  void a_message_that_came_back_without_a_fate_is_no_suspect() throws Exception {
    StoredEnvelope message = message("k");
    relay.suspect(lease, message);
    LaneStore other = relay("b");
    LaneClaim claim = takeOver(other);
    other.suspect(claim.lease(), message);
    assertThat(other.restoreSuspect(claim.lease(), new Suspect(message.id(), 0))).isTrue();
    LaneClaim next = takenOver();
    assertThat(next.suspect()).isNull();
    assertThat(next.takeovers()).isEqualTo(2);
  }

  @Test
  void a_message_that_never_took_off_has_died_as_often_as_before() throws Exception {
    environment().restartIds(9_000_000_000L);
    StoredEnvelope message = message("k");
    relay.suspect(lease, message);
    relay.suspect(lease, message);
    LaneStore other = relay("b");
    LaneClaim claim = takeOver(other);
    Suspect told = new Suspect(message.id(), 2);
    assertThat(claim.suspect()).isEqualTo(told);
    other.suspect(claim.lease(), message);
    for (int time = 0; time < 2; time++) {
      assertThat(other.restoreSuspect(claim.lease(), told)).isTrue();
    }
    assertThat(takenOver().suspect()).isEqualTo(told);
  }

  @Test
  void the_deaths_of_another_message_change_no_suspect() throws Exception {
    StoredEnvelope first = message("a");
    StoredEnvelope second = message("b");
    relay.suspect(lease, first);
    assertThat(relay.restoreSuspect(lease, new Suspect(second.id(), 0))).isFalse();
    assertThat(relay.restoreSuspect(lease, new Suspect(second.id(), 2))).isFalse();
    assertThat(takenOver().suspect()).isEqualTo(new Suspect(first.id(), 1));
  }

  @Test
  void a_relay_that_lost_its_lane_clears_no_suspect() throws Exception {
    StoredEnvelope message = message("k");
    relay.suspect(lease, message);
    takenOver();
    assertThat(relay.restoreSuspect(lease, new Suspect(message.id(), 0))).isFalse();
    assertThat(takenOver().suspect()).isEqualTo(new Suspect(message.id(), 1));
  }

  @Test
  void a_renewal_and_a_release_keep_what_is_known() throws Exception {
    LaneStore other = relay("b");
    LaneClaim claim = takeOver(other);
    StoredEnvelope message = message("k");
    other.suspect(claim.lease(), message);
    settled(settle(other, claim.lease()));
    release(other, claim.lease());
    LaneClaim next = relay("c").claim(1).get(0);
    assertThat(next.suspect()).isEqualTo(new Suspect(message.id(), 1));
    assertThat(next.takeovers()).isEqualTo(1);
  }

  @Test
  void a_fenced_settlement_clears_nothing() throws Exception {
    commit(keyed("k", "1"));
    StoredEnvelope storedEnvelope = read(relay, LANE).get(0);
    relay.suspect(lease, storedEnvelope);
    takenOver();
    settle(relay, lease, deliver(storedEnvelope));
    LaneClaim next = takenOver();
    assertThat(next.suspect()).isEqualTo(new Suspect(storedEnvelope.id(), 1));
    assertThat(next.takeovers()).isEqualTo(2);
  }

  @Test
  void the_settlement_of_one_lane_clears_no_other() throws Exception {
    try (StoreEnvironment wide = opener.open(StoreSetting.lanes(2));
        LaneStore first = wide.store().lanes("a", LEASE);
        LaneStore second = wide.store().lanes("b", LEASE)) {
      List<Lease> leases = first.claim(2).stream().map(LaneClaim::lease).toList();
      try (Connection connection = wide.applications().getConnection()) {
        connection.setAutoCommit(false);
        for (Lease each : leases) {
          wide.store().append(connection, List.of(Sample.message(each.lane(), null, "text")));
        }
        connection.commit();
      }
      StoredEnvelope storedEnvelope = read(first, leases.get(0).lane()).get(0);
      StoredEnvelope other = read(first, leases.get(1).lane()).get(0);
      first.suspect(leases.get(0), storedEnvelope);
      first.suspect(leases.get(1), other);
      first.settle(
          List.of(
              new Settlement(
                  leases.get(0), 0, List.of(deliver(storedEnvelope)), Settlement.After.RENEW),
              new Settlement(leases.get(1), 0, List.of(), Settlement.After.RENEW)));
      wide.passTime(LEASE.plusSeconds(1));
      assertThat(second.claim(2))
          .filteredOn(claim -> claim.suspect() != null)
          .extracting(LaneClaim::suspect)
          .containsExactly(new Suspect(other.id(), 1));
    }
  }

  @Test
  void a_suspect_is_noted_beside_writers_that_do_not_commit() throws Exception {
    StoredEnvelope message = message("k");
    store().append(begin(), List.of(keyed("k", "1")));
    assertThat(Crew.within(SOON, () -> relay.suspect(lease, message))).isTrue();
  }
}
