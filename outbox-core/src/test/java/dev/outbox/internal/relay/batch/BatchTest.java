package dev.outbox.internal.relay.batch;

import static dev.outbox.internal.relay.Samples.atSecond;
import static dev.outbox.internal.relay.Samples.defective;
import static dev.outbox.internal.relay.Samples.held;
import static dev.outbox.internal.relay.Samples.parked;
import static dev.outbox.internal.relay.Samples.ready;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.internal.relay.CountingObserver;
import dev.outbox.internal.relay.Samples;
import dev.outbox.internal.relay.flight.OpenFlight;
import dev.outbox.internal.relay.topic.TopicGates;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher.Ordering;
import dev.outbox.spi.lane.HeldKey;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.HoldReason;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BatchTest {
  private static final Ack NO = Ack.failed(new IllegalStateException("no"));
  private static final Ack DOWN = Ack.unavailable(new IllegalStateException("down"));

  private final StoredEnvelope a1 = ready(1, "a");
  private final StoredEnvelope a2 = ready(2, "a");
  private final StoredEnvelope b3 = ready(3, "b");
  private final StoredEnvelope a4 = ready(4, "a");
  private final StoredEnvelope n5 = ready(5, null);
  private final StoredEnvelope n6 = ready(6, null);
  private final CountingObserver observer = new CountingObserver();
  private final TopicGates gates = new TopicGates();

  @Test
  void one_per_key_takes_the_first_of_each_key_and_all_without_a_key() {
    Batch batch = batch(a1, a2, b3, a4, n5, n6);

    assertThat(take(batch, Ordering.ONE_PER_KEY, 100)).containsExactly(a1, b3, n5, n6);
    assertThat(take(batch, Ordering.ONE_PER_KEY, 100)).containsExactly(a2);
    assertThat(take(batch, Ordering.ONE_PER_KEY, 100)).containsExactly(a4);
    assertThat(batch.hasWaiting()).isFalse();
  }

  @Test
  void pipelined_takes_all_in_order() {
    assertThat(take(batch(a1, a2, b3, a4, n5), Ordering.PIPELINED, 100))
        .containsExactly(a1, a2, b3, a4, n5);
  }

  @Test
  void a_full_flight_takes_no_later_message_of_a_key_whose_earlier_one_stayed() {
    Batch batch = batch(a1, b3, a2, a4, n5);

    assertThat(take(batch, Ordering.PIPELINED, 2)).containsExactly(a1, b3);
    assertThat(take(batch, Ordering.PIPELINED, 2)).containsExactly(a2, a4);
    assertThat(take(batch, Ordering.PIPELINED, 2)).containsExactly(n5);
  }

  @Test
  void ready_messages_of_a_held_key_follow_and_are_never_taken() {
    Batch batch = batch(a1, b3, a2);

    assertThat(batch.takeFlight(terms(Set.of(held("a")), Ordering.PIPELINED, 100)))
        .containsExactly(b3);
    assertThat(batch.fates()).containsExactly(follower(a1), follower(a2));
  }

  @Test
  void parked_messages_of_a_held_key_are_what_is_published() {
    StoredEnvelope p1 = parked(1, "a", 1);
    StoredEnvelope p2 = parked(2, "a", 0);

    assertThat(batch(p1, p2).takeFlight(terms(Set.of(held("a")), Ordering.PIPELINED, 100)))
        .containsExactly(p1, p2);
  }

  @Test
  void defective_messages_are_buried_unpublished_and_do_not_hold_their_key() {
    StoredEnvelope expired = defective(1, "a");
    Batch batch = batch(expired, a2);

    assertThat(take(batch, Ordering.ONE_PER_KEY, 100)).containsExactly(a2);
    assertThat(batch.fates()).singleElement().isInstanceOf(Fate.Bury.class);
  }

  @Test
  void defective_messages_of_a_held_key_follow_and_are_buried_from_there() {
    StoredEnvelope expired = defective(1, "a");
    Batch batch = batch(expired);

    assertThat(batch.takeFlight(terms(Set.of(held("a")), Ordering.PIPELINED, 100))).isEmpty();
    assertThat(batch.fates()).containsExactly(follower(expired));
  }

  @Test
  void after_a_failure_the_later_ones_of_its_key_follow_aboard_and_waiting() {
    Batch batch = batch(a1, a2, b3, a4, n5);

    land(batch, Ordering.PIPELINED, 3, NO, NO, Ack.delivered());

    assertThat(batch.fates())
        .satisfiesExactly(
            fate -> assertThat(((Fate.Park) fate).reason()).isEqualTo(HoldReason.FAILED),
            fate -> assertThat(fate).isEqualTo(follower(a2)),
            fate -> assertThat(fate).isEqualTo(new Fate.Deliver(b3)));
    assertThat(take(batch, Ordering.PIPELINED, 3)).containsExactly(n5);
    assertThat(batch.fates()).contains(follower(a4));
  }

  @Test
  void after_a_failure_without_a_key_the_others_without_a_key_go_on() {
    Batch batch = batch(n5, n6);

    land(batch, Ordering.PIPELINED, 1, NO);

    assertThat(take(batch, Ordering.PIPELINED, 1)).containsExactly(n6);
  }

  @Test
  void after_a_rejection_the_later_ones_of_its_key_stay_in_their_table_to_be_read_again() {
    Batch batch = batch(a1, a2, b3, a4);

    land(batch, Ordering.PIPELINED, 3, Ack.rejected("bad"), NO, Ack.delivered());

    assertThat(take(batch, Ordering.PIPELINED, 3)).isEmpty();
    assertThat(batch.fates()).extracting(Fate::storedEnvelope).containsExactly(a1, b3);
    assertThat(batch.hasWaiting()).isFalse();
  }

  @Test
  void while_the_broker_is_down_nothing_of_the_key_is_touched() {
    Batch batch = batch(a1, a2, a4);

    land(batch, Ordering.PIPELINED, 2, DOWN, DOWN);

    assertThat(take(batch, Ordering.PIPELINED, 2)).isEmpty();
    assertThat(batch.fates()).isEmpty();
  }

  @Test
  void what_was_delivered_after_a_failure_of_its_key_is_not_published_again() {
    Batch batch = batch(a1, a2);

    land(batch, Ordering.PIPELINED, 2, NO, Ack.delivered());

    assertThat(batch.fates()).contains(new Fate.Deliver(a2));
  }

  @Test
  void a_silent_publisher_fails_what_it_left_unanswered() {
    Batch batch = batch(a1, a2, b3);

    land(batch, Ordering.PIPELINED, 3, null, null, Ack.delivered());

    assertThat(batch.fates())
        .satisfiesExactly(
            fate -> assertThat(((Fate.Park) fate).reason()).isEqualTo(HoldReason.FAILED),
            fate -> assertThat(fate).isEqualTo(follower(a2)),
            fate -> assertThat(fate).isEqualTo(new Fate.Deliver(b3)));
  }

  @Test
  void a_broker_that_wants_to_be_left_alone_for_ever_does_not_stop_the_relay() {
    Ack forever =
        new Ack.Unavailable(new IllegalStateException("down"), ChronoUnit.FOREVER.getDuration());
    Batch batch = batch(n5, n6);
    OpenFlight flight = flight(take(batch, Ordering.PIPELINED, 2));
    land(batch(a1), Ordering.PIPELINED, 1, DOWN);
    flight.ack(flight.envelopes().get(0), NO);
    flight.ack(flight.envelopes().get(1), forever);
    flight.land();

    batch.land(flight, atSecond(1));

    assertThat(batch.fates()).extracting(Fate::storedEnvelope).containsExactly(n5);
  }

  @Test
  void parked_followers_of_a_failed_head_stay_where_they_are() {
    StoredEnvelope p1 = parked(1, "a", 1);
    StoredEnvelope p2 = parked(2, "a", 0);
    Batch batch = batch(p1, p2);

    land(batch, Ordering.PIPELINED, 2, NO, NO);

    assertThat(batch.fates()).extracting(Fate::storedEnvelope).containsExactly(p1);
  }

  @Test
  void parked_followers_of_a_buried_head_stay_too_and_are_read_when_they_fall_due() {
    StoredEnvelope p1 = parked(1, "a", 2);
    StoredEnvelope p2 = parked(2, "a", 0);
    Batch batch = batch(p1, p2);

    land(batch, Ordering.ONE_PER_KEY, 2, NO);

    assertThat(take(batch, Ordering.ONE_PER_KEY, 2)).isEmpty();
    assertThat(batch.fates()).singleElement().isInstanceOf(Fate.Bury.class);
  }

  @Test
  void a_flight_that_was_taken_back_waits_in_front() {
    Batch batch = batch(a1, b3, a2, a4);
    OpenFlight flight = flight(take(batch, Ordering.PIPELINED, 2));

    batch.takeBack(flight);

    assertThat(take(batch, Ordering.PIPELINED, 100)).containsExactly(a1, b3, a2, a4);
  }

  @Test
  void at_the_end_only_what_was_answered_is_decided() {
    Batch batch = batch(a1, a2, b3);
    OpenFlight flight = flight(take(batch, Ordering.PIPELINED, 3));
    flight.ack(flight.envelopes().get(1), NO);
    flight.ack(flight.envelopes().get(2), Ack.delivered());

    batch.landAnswered(flight, atSecond(1));

    assertThat(batch.fates()).containsExactly(new Fate.Deliver(b3));
  }

  @Test
  void counts_what_it_holds() {
    Batch batch = batch(a1, a2, b3);
    assertThat(batch.size()).isEqualTo(3);

    land(batch, Ordering.PIPELINED, 2, Ack.delivered(), Ack.delivered());
    assertThat(batch.size()).isEqualTo(3);

    batch.dropWaiting();
    assertThat(batch.size()).isEqualTo(2);
  }

  @Test
  void knows_the_first_that_was_left_without_a_fate() {
    Batch batch = batch(a1, b3, n5);
    land(batch, Ordering.PIPELINED, 3, Ack.delivered(), Ack.notSent("late"), Ack.delivered());
    assertThat(batch.firstLeft()).isEqualTo(3);
    assertThat(batch.lastId()).isEqualTo(5);

    Batch whole = batch(a1);
    land(whole, Ordering.PIPELINED, 1, Ack.delivered());
    assertThat(whole.firstLeft()).isNull();
  }

  private Batch batch(StoredEnvelope... read) {
    return new Batch(List.of(read), Batch.Held.PARK, Set.of(), Samples.rules(gates));
  }

  private List<StoredEnvelope> take(Batch batch, Ordering ordering, int most) {
    return batch.takeFlight(terms(Set.of(), ordering, most));
  }

  private static FlightTerms terms(Set<HeldKey> held, Ordering ordering, int most) {
    FlightTerms.Unfit unfit =
        storedEnvelope ->
            storedEnvelope.defect() == null
                ? null
                : Samples.decision().unfit(storedEnvelope, storedEnvelope.defect(), atSecond(0));
    return new FlightTerms(held, ordering, most, unfit, atSecond(0));
  }

  private void land(Batch batch, Ordering ordering, int most, Ack... answers) {
    OpenFlight flight = flight(take(batch, ordering, most));
    for (int place = 0; place < answers.length; place++) {
      if (answers[place] != null) {
        flight.ack(flight.envelopes().get(place), answers[place]);
      }
    }
    flight.land();
    batch.land(flight, atSecond(1));
  }

  private OpenFlight flight(List<StoredEnvelope> aboard) {
    OpenFlight flight = new OpenFlight(aboard, null, observer);
    flight.takeOff(atSecond(0), Duration.ofSeconds(30));
    return flight;
  }

  private static Fate follower(StoredEnvelope storedEnvelope) {
    return new Fate.Park(storedEnvelope, HoldReason.FOLLOWER, 0, null, null, "");
  }
}
