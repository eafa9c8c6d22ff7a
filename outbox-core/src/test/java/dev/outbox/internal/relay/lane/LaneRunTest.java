package dev.outbox.internal.relay.lane;

import static dev.outbox.internal.relay.Samples.LANE;
import static dev.outbox.internal.relay.Samples.at;
import static dev.outbox.internal.relay.Samples.atSecond;
import static dev.outbox.internal.relay.Samples.held;
import static dev.outbox.internal.relay.Samples.parked;
import static dev.outbox.internal.relay.Samples.ready;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetter.Reason;
import dev.outbox.Topics.Setting;
import dev.outbox.internal.relay.CountingObserver;
import dev.outbox.internal.relay.Samples;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.base.Visible;
import dev.outbox.internal.relay.batch.Batch;
import dev.outbox.internal.relay.flight.OpenFlight;
import dev.outbox.internal.relay.topic.TopicGates;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher.Ordering;
import dev.outbox.spi.lane.HeldKey;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.SettleResult;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LaneRunTest {
  private static final Duration SURE = Duration.ofMillis(13_500);

  private final CountingObserver observer = new CountingObserver();
  private final TopicGates gates = new TopicGates();
  private final LaneRun run =
      new LaneRun(
          new LaneClaim(new Lease(LANE, "test", 7, 0), Set.of(held("held")), 0, null),
          atSecond(0),
          SURE,
          Samples.rules(gates));
  private final StoredEnvelope a1 = ready(1, "a");
  private final StoredEnvelope a2 = ready(2, "a");

  @Test
  void is_sure_for_nine_tenths_of_its_lease_since_before_the_claim() {
    assertThat(run.isSure(at(SURE.minusMillis(1)))).isTrue();
    assertThat(run.isSure(at(SURE))).isFalse();
  }

  @Test
  void a_renewal_counts_from_before_it_was_sent_and_only_once_it_is_answered() {
    Settlement renewal = run.settlement(Duration.ZERO, atSecond(1));
    assertThat(run.isSure(atSecond(14))).isFalse();

    run.settled(renewal, new SettleResult.Settled(Set.of(), 0), atSecond(5));

    assertThat(run.isSure(atSecond(18))).isTrue();
    assertThat(run.isSure(atSecond(19))).isFalse();
    assertThat(run.isOlderThan(Duration.ofSeconds(5), atSecond(9))).isFalse();
    assertThat(run.isOlderThan(Duration.ofSeconds(5), atSecond(10))).isTrue();
  }

  @Test
  void reads_and_flies_nothing_while_the_lease_is_not_sure() {
    assertThat(run.canRead(atSecond(14))).isFalse();
    begin(a1);
    assertThat(fly(atSecond(14))).isNull();
    assertThat(run.isReadyToSettle(atSecond(1))).isFalse();
  }

  @Test
  void an_empty_read_ends_at_once() {
    run.foundEmpty(new Visible(0, 0));

    assertThat(run.canRead(atSecond(1))).isTrue();
    assertThat(run.isReadyToSettle(atSecond(1))).isFalse();
  }

  @Test
  void a_batch_ends_with_its_settlement_and_not_before() {
    begin(a1);
    land(fly(atSecond(1)), Ack.delivered());

    Settlement settlement = run.settlement(Duration.ZERO, atSecond(1));
    assertThat(settlement)
        .isEqualTo(
            new Settlement(run.lease(), 0, List.of(new Fate.Deliver(a1)), Settlement.After.RENEW));
    assertThat(run.settlement(Duration.ZERO, atSecond(1))).isEqualTo(settlement);
    assertThat(run.canRead(atSecond(1))).isFalse();

    run.settled(settlement, new SettleResult.Settled(Set.of(), 0), atSecond(1));
    assertThat(run.canRead(atSecond(1))).isTrue();
    assertThat(run.size()).isZero();
  }

  @Test
  void a_settlement_renews_a_lease_of_the_given_age_and_lets_a_younger_one_run_on() {
    begin(a1);
    land(fly(atSecond(1)), Ack.delivered());

    assertThat(run.settlement(Duration.ofSeconds(2), atSecond(2)).after())
        .isEqualTo(Settlement.After.RENEW);
    Settlement young = run.settlement(Duration.ofSeconds(2), atSecond(1));
    assertThat(young.after()).isEqualTo(Settlement.After.RUN_ON);

    run.settled(young, new SettleResult.Settled(Set.of(), 0), atSecond(10));
    assertThat(run.isSure(at(SURE))).isFalse();
    assertThat(run.settlement(Duration.ofSeconds(60), atSecond(11)).after())
        .as("without fates")
        .isEqualTo(Settlement.After.RENEW);
  }

  @Test
  void a_floor_that_fell_is_stored_at_once() {
    run.foundEmpty(new Visible(40, 40));
    run.settled(
        run.settlement(Duration.ZERO, atSecond(1)),
        new SettleResult.Settled(Set.of(), 0),
        atSecond(1));
    run.forget();
    begin(a1);
    land(fly(atSecond(1)), Ack.delivered());

    Settlement settlement = run.settlement(Duration.ofSeconds(60), atSecond(1));

    assertThat(settlement.floor()).isZero();
    assertThat(settlement.after()).isEqualTo(Settlement.After.RENEW);
  }

  @Test
  void a_floor_below_one_that_may_have_been_stored_is_stored_at_once() {
    run.foundEmpty(new Visible(40, 40));
    begin(a1);
    land(fly(atSecond(1)), Ack.delivered());
    run.settled(
        run.settlement(Duration.ofSeconds(60), atSecond(1)),
        new SettleResult.Settled(Set.of(), 0),
        atSecond(1));
    run.forget();
    run.foundEmpty(new Visible(20, 20));
    begin(a2);
    land(fly(atSecond(2)), Ack.delivered());

    assertThat(run.settlement(Duration.ofSeconds(60), atSecond(2)).after())
        .isEqualTo(Settlement.After.RENEW);
  }

  @Test
  void a_renewal_while_something_is_in_flight_writes_and_forgets_nothing() {
    begin(a1);
    OpenFlight flight = fly(atSecond(1));

    Settlement renewal = run.settlement(Duration.ZERO, atSecond(1));
    run.settled(renewal, new SettleResult.Settled(Set.of(), 0), atSecond(5));

    assertThat(renewal.fates()).isEmpty();
    land(flight, Ack.delivered());
    assertThat(run.settlement(Duration.ZERO, atSecond(1)).fates()).hasSize(1);
  }

  @Test
  void a_key_is_held_once_its_parking_is_written_and_free_when_the_store_says_so() {
    begin(a1);
    land(fly(atSecond(1)), Ack.failed(new IllegalStateException("no")));
    settle(Set.of());

    begin(a2);
    assertThat(fly(atSecond(1))).isNull();
    assertThat(run.isReadyToSettle(atSecond(1))).isTrue();
    settle(Set.of(held("a")));

    StoredEnvelope a3 = ready(3, "a");
    begin(a3);
    assertThat(fly(atSecond(1)).aboard()).containsExactly(a3);
  }

  @Test
  void keys_held_at_the_claim_are_held_from_the_start() {
    begin(ready(1, "held"));

    assertThat(fly(atSecond(1))).isNull();
    assertThat(run.settlement(Duration.ZERO, atSecond(1)).fates())
        .singleElement()
        .isInstanceOf(Fate.Park.class);
  }

  @Test
  void ready_and_parked_batches_take_turns_while_there_are_both() {
    run.beginDue(List.of(parked(1, "held", 1)), Set.of());
    land(fly(atSecond(1)), Ack.delivered());
    settle(Set.of());

    assertThat(run.canReadDue(atSecond(1))).isFalse();
    assertThat(run.canRead(atSecond(1))).isTrue();
    begin(a1);
    land(fly(atSecond(1)), Ack.delivered());
    settle(Set.of());
    assertThat(run.canReadDue(atSecond(1))).isTrue();
  }

  @Test
  void parked_batches_follow_each_other_when_nothing_is_ready() {
    run.foundEmpty(new Visible(0, 0));
    run.beginDue(List.of(parked(1, "held", 1)), Set.of());
    land(fly(atSecond(1)), Ack.delivered());
    settle(Set.of());

    assertThat(run.canReadDue(atSecond(1))).isTrue();
  }

  @Test
  void leaving_lets_land_what_is_in_flight_and_reads_nothing_new() {
    begin(a1, a2);
    OpenFlight flight = fly(atSecond(1));
    flight.takeOff(atSecond(1), Duration.ofSeconds(30));

    run.leave();

    assertThat(run.isReadyToRelease()).isFalse();
    flight.ack(a1.envelope(), Ack.delivered());
    run.land(flight, atSecond(1));
    assertThat(run.settlement(Duration.ZERO, atSecond(1)))
        .isEqualTo(
            new Settlement(
                run.lease(), 0, List.of(new Fate.Deliver(a1)), Settlement.After.RELEASE));
  }

  @Test
  void leaving_keeps_a_queued_flight_on_the_ground_and_touches_nothing_of_it() {
    begin(a1, a2);
    OpenFlight flight = fly(atSecond(1));

    run.leave();
    run.leave();

    assertThat(flight.takeOff(atSecond(1), Duration.ofSeconds(30))).isFalse();
    assertThat(run.settlement(Duration.ZERO, atSecond(1)))
        .isEqualTo(new Settlement(run.lease(), 0, List.of(), Settlement.After.RELEASE));
    assertThat(run.canRead(atSecond(1))).isFalse();
  }

  @Test
  void a_grounded_flight_is_taken_back_and_flies_again_once_the_lease_is_sure() {
    begin(a1, a2);
    OpenFlight flight = fly(atSecond(1));
    flight.ground();

    run.takeBack();
    assertThat(fly(atSecond(14))).isNull();
    settleRenewal(atSecond(15));

    assertThat(fly(atSecond(15)).aboard()).containsExactly(a1);
  }

  @Test
  void a_lane_with_an_unanswered_flight_is_not_released_at_the_end() {
    StoredEnvelope b3 = ready(3, "b");
    begin(a1, a2, b3);
    OpenFlight flight = fly(atSecond(1));
    flight.takeOff(atSecond(1), Duration.ofSeconds(30));
    flight.ack(b3.envelope(), Ack.delivered());
    run.leave();

    run.abandon(flight, atSecond(20));

    assertThat(run.settlement(Duration.ofSeconds(60), atSecond(1)))
        .isEqualTo(
            new Settlement(run.lease(), 0, List.of(new Fate.Deliver(b3)), Settlement.After.RENEW));
    flight.ack(a1.envelope(), Ack.delivered());
    assertThat(observer.ignored).hasValue(1);
  }

  @Test
  void the_rest_of_a_batch_stays_in_its_table_once_the_broker_is_down() {
    begin(a1, a2, ready(3, "b"));
    land(fly(atSecond(1)), Ack.unavailable(new IllegalStateException("down")));

    assertThat(fly(atSecond(1))).isNull();
    assertThat(run.isReadyToSettle(atSecond(1))).as("there is nothing to write").isFalse();
    assertThat(run.canRead(atSecond(1))).isTrue();
    assertThat(run.hasReady()).isTrue();
  }

  @Test
  void a_lost_lane_releases_its_place_in_flight() {
    gates.set(Map.of(Samples.TOPIC, Setting.NONE.withInFlight(1)));
    begin(a1);
    fly(atSecond(1)).takeOff(atSecond(1), Duration.ofSeconds(30));
    assertThat(gates.held(atSecond(1))).containsExactly(Samples.TOPIC);

    run.lose();

    assertThat(gates.held(atSecond(1))).isEmpty();
    assertThat(run.flight()).isNull();
  }

  @Test
  void a_key_whose_dead_letter_holds_it_is_held() {
    LaneRun strict =
        new LaneRun(
            new LaneClaim(new Lease(LANE, "test", 7, 0), Set.of(), 0, null),
            atSecond(0),
            SURE,
            Samples.rules(gates));
    Fate bury = new Fate.Bury(a1, Reason.REJECTED, "bad", 1, "", true);
    strict.settled(
        new Settlement(strict.lease(), 0, List.of(bury), Settlement.After.RENEW),
        new SettleResult.Settled(Set.of(), 0),
        atSecond(1));

    strict.begin(List.of(a2), Batch.Held.PARK, true, new Visible(0, 0));

    assertThat(strict.nextFlight(Ordering.ONE_PER_KEY, 100, atSecond(1), observer)).isNull();
  }

  @Test
  void a_batch_that_the_store_refuses_is_kept_and_offered_again_after_a_rest() {
    begin(a1);
    land(fly(atSecond(1)), Ack.delivered());

    run.refused(atSecond(1), Duration.ZERO);

    assertThat(run.isReadyToSettle(atSecond(1))).isFalse();
    assertThat(run.settlement(Duration.ZERO, atSecond(1)).fates()).isEmpty();
    settleRenewal(atSecond(1));
    run.leave();
    assertThat(run.isReadyToRelease()).isFalse();
    assertThat(run.settlement(Duration.ZERO, atSecond(2)).fates())
        .containsExactly(new Fate.Deliver(a1));
    run.settled(
        run.settlement(Duration.ZERO, atSecond(2)),
        new SettleResult.Settled(Set.of(), 0),
        atSecond(2));
    assertThat(run.isReadyToRelease()).isTrue();
  }

  private void begin(StoredEnvelope... ready) {
    run.begin(List.of(ready), Batch.Held.PARK, false, new Visible(0, 0));
  }

  private OpenFlight fly(Ticker.Moment now) {
    return run.nextFlight(Ordering.ONE_PER_KEY, 100, now, observer);
  }

  private void land(OpenFlight flight, Ack ack) {
    flight.takeOff(atSecond(1), Duration.ofSeconds(30));
    flight.envelopes().forEach(envelope -> flight.ack(envelope, ack));
    run.land(flight, atSecond(1));
  }

  private void settle(Set<HeldKey> freed) {
    assertThat(run.isReadyToSettle(atSecond(1))).isTrue();
    run.settled(
        run.settlement(Duration.ZERO, atSecond(1)),
        new SettleResult.Settled(freed, 0),
        atSecond(1));
  }

  private void settleRenewal(Ticker.Moment now) {
    run.settled(
        run.settlement(Duration.ZERO, atSecond(1)), new SettleResult.Settled(Set.of(), 0), now);
  }
}
