package dev.outbox.tck.store.append;

import static dev.outbox.tck.fixture.Sample.keyed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.lane.Suspect;
import dev.outbox.spi.settle.SettleResult;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.OneLaneCases;
import dev.outbox.tck.fixture.Opener;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ids and epochs that went back, as after a restore, are noticed and raised again. */
public abstract class IdsGoBackCases extends OneLaneCases {
  private static final int LOW = 1;
  private static final int HIGH = 5000;

  protected IdsGoBackCases(Opener opener) {
    super(opener);
  }

  @Override
  protected StoreSetting setting() {
    return StoreSetting.lanes(1).archiving();
  }

  /** The only message. */
  private StoredEnvelope high() throws Exception {
    return ready(keyed("k", "high")).get(0);
  }

  /** Ids begin at {@code next}; false where the store does not show the next one. */
  private boolean numberedFrom(long next) throws Exception {
    return environment().restartIds(next);
  }

  private void goBack() throws Exception {
    environment().restartIds(LOW);
    assertThat(relay.nextId()).isEqualTo(LOW);
  }

  private void assertShown() {
    assertThat(relay.given(LOW).reach(LOW)).isTrue();
    assertThat(relay.given(LOW).highest()).isEqualTo(HIGH);
    assertThat(relay.given(LOW).remedy()).isNotBlank();
  }

  private void assertAllIsWell() {
    long next = relay.nextId();
    assertThat(relay.given(next).reach(next)).isFalse();
  }

  private void settleAll(Settlement.After after, long floor, List<StoredEnvelope> stored) {
    settled(settle(relay, new Settlement(lease, floor, deliver(stored), after)));
  }

  @Test
  void the_next_message_gets_the_next_id() throws Exception {
    if (numberedFrom(HIGH)) {
      for (int i = 0; i < 3; i++) {
        long next = relay.nextId();
        List<StoredEnvelope> ready = ready(keyed("k", "m" + i));
        assertThat(ready.get(ready.size() - 1).id()).isEqualTo(next).isEqualTo(HIGH + i);
      }
      assertAllIsWell();
    }
  }

  @Test
  void an_id_that_was_taken_and_rolled_back_is_given() throws Exception {
    if (numberedFrom(HIGH)) {
      try (var connection = begin()) {
        store().append(connection, List.of(keyed("k", "never")));
        connection.rollback();
      }
      assertThat(relay.nextId()).isEqualTo(HIGH + 1);
      assertAllIsWell();
    }
  }

  @Test
  void a_parked_message_shows_its_id() throws Exception {
    if (numberedFrom(HIGH)) {
      settle(relay, lease, fail(high(), LEASE));
      goBack();
      assertShown();
    }
  }

  @Test
  void the_next_of_a_key_goes_on_although_another_with_its_id_is_held_with_its_topic()
      throws Exception {
    if (numberedFrom(HIGH)) {
      List<StoredEnvelope> key = ready(keyed("k", "first"), keyed("k", "next"));
      settle(relay, lease, fail(key.get(0), Duration.ZERO), follow(key.get(1)));
      environment().restartIds(HIGH + 1);
      StoredEnvelope other = ready(keyed("l", "held")).get(0);
      assertThat(other.id()).isEqualTo(key.get(1).id());

      settle(relay, lease, deliver(readDue(relay).get(0)), hold(other));

      assertThat(texts(readDue(relay))).containsExactly("next");
    }
  }

  @Test
  void a_dead_letter_shows_its_id() throws Exception {
    if (numberedFrom(HIGH)) {
      settle(relay, lease, bury(high()));
      goBack();
      assertShown();
    }
  }

  @Test
  void an_archived_message_shows_its_id() throws Exception {
    if (numberedFrom(HIGH)) {
      settleAll(Settlement.After.RENEW, 0, List.of(high()));
      goBack();
      assertThat(relay.given(LOW).highest()).isGreaterThanOrEqualTo(HIGH);
    }
  }

  @Test
  void a_message_is_delivered_although_the_archive_has_another_with_its_id() throws Exception {
    if (numberedFrom(HIGH)) {
      settleAll(Settlement.After.RENEW, 0, List.of(high()));
      environment().restartIds(HIGH);
      StoredEnvelope next = high();
      assertThat(next.id()).isEqualTo(HIGH);
      settleAll(Settlement.After.RENEW, 0, List.of(next));
      assertThat(readAll(relay)).isEmpty();
      passTime(Duration.ofHours(1));
      assertThat(store().purgeArchive(Duration.ZERO, Instant.EPOCH, 10).messages()).isEqualTo(1);
    }
  }

  @Test
  void a_floor_shows_that_ids_were_given() throws Exception {
    if (numberedFrom(HIGH)) {
      settleAll(Settlement.After.RENEW, HIGH, List.of());
      goBack();
      assertShown();
      assertThat(relay.given(HIGH).reach(HIGH)).isTrue();
      assertThat(relay.given(HIGH + 1).reach(HIGH + 1)).isFalse();
    }
  }

  @Test
  void a_floor_that_is_not_below_the_next_id_is_not_believed() throws Exception {
    if (numberedFrom(HIGH)) {
      settleAll(Settlement.After.RELEASE, HIGH, List.of());
      environment().restartIds(HIGH);
      assertThat(relay("b").claim(1).get(0).lease().floor()).isZero();
    }
  }

  @Test
  void a_floor_below_the_next_id_is_believed() throws Exception {
    if (numberedFrom(HIGH + 1)) {
      settleAll(Settlement.After.RELEASE, HIGH, List.of());
      assertThat(relay("b").claim(1).get(0).lease().floor()).isEqualTo(HIGH);
    }
  }

  @Test
  void a_suspect_that_is_no_message_any_more_is_forgotten_with_its_count() throws Exception {
    StoredEnvelope gone = ready(keyed("k", "gone")).get(0);
    relay.suspect(lease, gone);
    relay.suspect(lease, gone);
    environment().restartIds(gone.id() + 1);
    environment().remove(gone.id());

    LaneStore other = relay("b");
    LaneClaim claim = takeOver(other);
    assertThat(claim.suspect()).isNull();
    assertThat(claim.takeovers()).isEqualTo(1);

    if (environment().restartIds(gone.id())) {
      StoredEnvelope stranger = ready(keyed("k", "stranger")).get(0);
      assertThat(stranger.id()).isEqualTo(gone.id());
      other.suspect(claim.lease(), stranger);
      assertThat(takeOver(relay("c")).suspect()).isEqualTo(new Suspect(stranger.id(), 1));
    }
  }

  @Test
  void a_stranger_with_the_id_of_a_suspect_is_not_suspected_when_ids_went_back() throws Exception {
    if (numberedFrom(HIGH)) {
      StoredEnvelope suspect = high();
      settleAll(Settlement.After.RENEW, HIGH + 10, List.of());
      relay.suspect(lease, suspect);
      environment().remove(suspect.id());
      environment().restartIds(HIGH);
      assertThat(high().id()).isEqualTo(suspect.id());
      assertThat(takeOver(relay("b")).suspect()).isNull();
    }
  }

  @Test
  void raised_ids_are_above_all_that_the_tables_show() throws Exception {
    if (numberedFrom(HIGH)) {
      commit(keyed("a", "parked"), keyed("b", "dead"), keyed("c", "delivered"));
      List<StoredEnvelope> read = read(relay, LANE);
      settle(relay, lease, fail(read.get(0), LEASE), bury(read.get(1)), deliver(read.get(2)));
      goBack();
      environment().raiseIds();
      assertThat(relay.nextId()).isGreaterThan(HIGH + 2);
      assertAllIsWell();
      List<StoredEnvelope> ready = ready(keyed("k", "new"));
      assertThat(ready.get(0).id()).isGreaterThan(HIGH + 2);
    }
  }

  @Test
  void ids_that_did_not_go_back_are_left_alone() throws Exception {
    if (numberedFrom(HIGH)) {
      high();
      environment().raiseIds();
      assertThat(relay.nextId()).isEqualTo(HIGH + 1);
    }
  }

  @Test
  void raised_epochs_are_above_all_that_were_given_and_fence_who_had_the_lane() throws Exception {
    if (!numberedFrom(HIGH)) {
      return;
    }
    Lease before = lease;
    environment().setBack(LANE, 0);
    LaneStore other = relay("b");
    Lease again = claimFirst(other);
    assertThat(again.epoch()).isLessThanOrEqualTo(before.epoch());

    environment().raiseIds();
    assertThat(settle(other, again)).isInstanceOf(SettleResult.Fenced.class);
    assertThat(relay("c").claim(1)).as("before its lease is over").isEmpty();
    Lease raised = takeOver(relay("d")).lease();
    assertThat(raised.epoch()).isGreaterThan(1_700_000_000_000L);

    environment().raiseIds();
    assertThat(takeOver(relay("e")).lease().epoch()).isGreaterThan(raised.epoch() + 1);
  }
}
