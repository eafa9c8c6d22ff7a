package dev.outbox.tck.store.append;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Claiming;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.OutboxException.Finding;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.Usage;
import dev.outbox.spi.Usage.Role;
import dev.outbox.spi.Wakeup;
import dev.outbox.tck.StoreEnvironment;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.StoreCases;
import dev.outbox.tck.fixture.Wakes;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a store reports of itself, and its clock and wake-ups. */
public abstract class OpeningCases extends StoreCases {
  protected OpeningCases(Opener opener) {
    super(opener);
  }

  @Test
  void the_layout_tells_lanes_and_way_of_claiming() {
    assertThat(store().layout().lanes()).isEqualTo(4);
    assertThat(store().layout().claiming()).isEqualTo(Claiming.LANES);
  }

  @Test
  void the_layout_tells_a_relay_that_claims_rows_too() throws Exception {
    try (StoreEnvironment rows = opener.open(StoreSetting.rows())) {
      assertThat(rows.store().layout().lanes()).isEqualTo(1);
      assertThat(rows.store().layout().claiming()).isEqualTo(Claiming.ROWS);
    }
  }

  @Test
  void a_new_store_is_empty() {
    LaneStore relay = relay("a");
    assertThat(claimAll(relay)).hasSize(4).allMatch(lease -> lease.floor() == 0);
    assertThat(readAll(relay)).isEmpty();
    assertThat(readDue(relay, 10, LANE, OTHER)).isEmpty();
    assertThat(store().deadLetters().page(Filter.all(), 0, 10)).isEmpty();
  }

  @Test
  void calls_about_nothing_do_nothing() {
    LaneStore relay = relay("a");
    assertThat(relay.claim(0)).isEmpty();
    assertThat(read(relay)).isEmpty();
    assertThat(readDue(relay, 10)).isEmpty();
    assertThat(relay.promoteDue(List.of(), 10)).isZero();
    assertThat(relay.settle(List.of())).isEmpty();
    assertThat(store().deadLetters().replay(List.of())).isZero();
    assertThat(store().deadLetters().discard(List.of())).isZero();
  }

  @Test
  void the_clock_does_not_go_back() {
    Instant before = store().now();
    assertThat(store().now()).isAfterOrEqualTo(before);
  }

  @Test
  void a_relay_that_listens_is_woken_until_it_unsubscribes() {
    Wakes wakes = new Wakes();
    Wakeup.Subscription subscription = store().wakeup().subscribe(wakes);
    store().wakeup().wake(Set.of(OTHER));
    assertThat(wakes.woken).contains(Set.of(OTHER));
    store().wakeup().hint(Set.of(LANE));
    assertThat(wakes.hinted).contains(Set.of(LANE));
    subscription.close();
    store().wakeup().wake(Set.of(LANE));
    assertThat(wakes.woken).doesNotContain(Set.of(LANE));
  }

  @Test
  void the_doctor_finds_nothing_that_cannot_work() { // but for capture: the server has no slot
    for (Role role : Set.of(Role.WRITER, Role.RELAY, Role.OPERATOR)) {
      Usage usage = new Usage(role, Claiming.LANES, 1, LEASE);
      assertThat(store().examine(usage))
          .noneMatch(finding -> finding.severity() == Finding.Severity.FAILURE);
    }
  }

  @Test
  void a_session_that_is_closed_twice_takes_nothing_from_the_next() {
    LaneStore relay = store().lanes("a", LEASE);
    claimAll(relay);
    relay.close();
    LaneStore next = relay("a");
    assertThat(next.reclaim(Set.of())).hasSize(4);
    relay.close();
    assertThat(next.reclaim(Set.of())).hasSize(4);
  }

  @Test
  void a_session_that_is_closed_keeps_its_leases() {
    LaneStore relay = store().lanes("a", LEASE);
    claimAll(relay);
    relay.close();
    assertThat(relay("b").claim(4)).isEmpty();
  }
}
