package dev.outbox.internal.relay.batch;

import static dev.outbox.internal.relay.Samples.LANE;
import static dev.outbox.internal.relay.Samples.atSecond;
import static dev.outbox.internal.relay.Samples.envelope;
import static dev.outbox.internal.relay.Samples.held;
import static dev.outbox.internal.relay.Samples.parked;
import static dev.outbox.internal.relay.Samples.ready;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Claiming;
import dev.outbox.Topics.Setting;
import dev.outbox.internal.relay.CountingObserver;
import dev.outbox.internal.relay.Samples;
import dev.outbox.internal.relay.flight.OpenFlight;
import dev.outbox.internal.relay.topic.TopicGates;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Publisher.Ordering;
import dev.outbox.spi.lane.HeldKey;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.HoldReason;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** What a batch does with topics that are held. */
class BatchHoldsTest {
  private static final Ack NO = Ack.failed(new IllegalStateException("no"));
  private static final Ack DOWN = Ack.unavailable(new IllegalStateException("down"));

  private final TopicGates gates = new TopicGates();
  private final StoredEnvelope a1 = ready(1, "a");
  private final StoredEnvelope a2 = ready(2, "a");
  private final StoredEnvelope b3 = ready(3, "b");
  private final StoredEnvelope invoice = StoredEnvelope.ready(4, LANE, envelope("invoices", "a"));

  @Test
  void ready_messages_of_a_paused_topic_are_parked_and_the_others_fly() {
    pause();
    Batch batch = batch(a1, a2, b3, invoice);

    assertThat(take(batch, 100)).containsExactly(invoice);
    assertThat(batch.fates()).containsExactly(withTopic(a1), withTopic(a2), withTopic(b3));
  }

  @Test
  void while_everything_is_down_they_are_left_where_they_are() {
    pause();
    Batch batch = leaving(a1, a2, b3);

    assertThat(take(batch, 100)).isEmpty();
    assertThat(batch.fates()).isEmpty();
    assertThat(batch.firstLeft()).isEqualTo(1);
    assertThat(batch.hasPassedOver()).isFalse();
  }

  @Test
  void parked_messages_of_a_paused_topic_stay_where_they_are() {
    pause();
    Batch batch = batch(parked(1, "a", 1), parked(2, "a", 0));

    assertThat(take(batch, 100)).isEmpty();
    assertThat(batch.fates()).isEmpty();
    assertThat(batch.hasPassedOver()).isFalse();
  }

  @Test
  void one_of_a_held_key_and_a_held_topic_is_parked_with_its_topic() {
    pause();
    Batch batch = batch(a1);

    assertThat(batch.takeFlight(terms(Set.of(held("a")), 100))).isEmpty();
    assertThat(batch.fates()).containsExactly(withTopic(a1));
  }

  @Test
  void what_finds_no_place_in_flight_is_parked_and_so_is_the_rest_of_its_key() {
    gates.set(Map.of(Samples.TOPIC, Setting.NONE.withInFlight(1)));
    StoredEnvelope b5 = ready(5, "b");
    Batch batch = batch(a1, b3, b5);

    assertThat(take(batch, 100)).containsExactly(a1);
    assertThat(batch.fates()).containsExactly(withTopic(b3), withTopic(b5));
  }

  @Test
  void a_key_that_waits_for_its_turn_does_not_fly_past_one_that_was_parked() {
    gates.set(Map.of(Samples.TOPIC, Setting.NONE.withInFlight(1)));
    Batch batch = batch(a1, a2, b3);
    OpenFlight flight = fly(batch);
    assertThat(flight.aboard()).containsExactly(a1);
    pause();

    land(batch, flight, Ack.delivered());

    assertThat(take(batch, 100)).isEmpty();
    assertThat(batch.fates()).contains(withTopic(a2));
  }

  @Test
  void a_flight_that_was_taken_back_releases_its_places() {
    gates.set(Map.of(Samples.TOPIC, Setting.NONE.withInFlight(1)));
    Batch batch = batch(a1);
    OpenFlight flight = fly(batch);

    batch.takeBack(flight);

    assertThat(take(batch, 100)).containsExactly(a1);
  }

  @Test
  void messages_decided_without_a_flight_take_no_place() {
    gates.set(Map.of(Samples.TOPIC, Setting.NONE.withInFlight(1)));
    Batch batch = batch(a1, b3);

    assertThat(batch.takeFlight(terms(Set.of(held("a")), 100))).containsExactly(b3);
  }

  @Test
  void once_the_broker_is_down_the_rest_of_its_topic_stays_and_other_topics_go_on() {
    Batch batch = batch(a1, b3, ready(5, "c"), invoice);
    OpenFlight flight = new OpenFlight(take(batch, 2), null, new CountingObserver());

    land(batch, flight, DOWN, DOWN);

    assertThat(take(batch, 100)).containsExactly(invoice);
    assertThat(batch.fates()).isEmpty();
  }

  @Test
  void while_the_broker_is_down_a_failure_is_no_fault_of_the_message() {
    Batch batch = batch(a1, b3);

    land(batch, fly(batch), DOWN, NO);

    assertThat(batch.fates()).isEmpty();
  }

  @Test
  void what_was_delivered_or_rejected_is_so_even_while_the_broker_is_down() {
    StoredEnvelope c5 = ready(5, "c");
    Batch batch = batch(a1, b3, c5);

    land(batch, fly(batch), Ack.rejected("bad"), DOWN, Ack.rejected("bad"));

    assertThat(batch.fates()).extracting(Fate::storedEnvelope).containsExactly(a1, c5);
  }

  @Test
  void a_probe_that_fails_makes_room_for_another_message_and_its_key_follows() {
    down();
    Batch batch = leaving(a1, a2, b3);
    List<StoredEnvelope> probe = batch.takeFlight(terms(Set.of(), 100));
    assertThat(probe).containsExactly(a1);

    land(batch, new OpenFlight(probe, null, new CountingObserver()), NO);

    assertThat(take(batch, 100)).isEmpty();
    assertThat(batch.fates())
        .first()
        .isInstanceOfSatisfying(
            Fate.Park.class,
            park -> {
              assertThat(park.storedEnvelope()).isEqualTo(a1);
              assertThat(park.reason()).isEqualTo(HoldReason.FAILED);
              assertThat(park.attempts()).isZero();
            });
  }

  @Test
  void it_is_mostly_held_when_more_than_half_was_parked_with_a_topic() {
    pause();
    Batch half = batch(a1, invoice);
    Batch most = batch(a1, b3, invoice);
    take(half, 100);
    take(most, 100);

    assertThat(half.isMostlyHeld()).isFalse();
    assertThat(most.isMostlyHeld()).isTrue();
  }

  @Test
  void what_failed_is_not_held_with_its_topic() {
    Batch batch = batch(a1);
    land(batch, fly(batch), NO);

    assertThat(batch.isMostlyHeld()).isFalse();
  }

  @Test
  void knows_whether_its_messages_are_parked_and_what_becomes_of_held_topics() {
    assertThat(batch(a1).isParked()).isFalse();
    assertThat(batch(parked(1, "a", 1)).isParked()).isTrue();
    assertThat(batch(a1).leavesHeldTopics()).isFalse();
    assertThat(leaving(a1).leavesHeldTopics()).isTrue();
  }

  @Test
  void silence_means_what_the_publisher_says() {
    Batch batch = new Batch(List.of(a1), Batch.Held.PARK, Set.of(), silent(Ack.rejected("gone")));

    land(batch, fly(batch));

    assertThat(batch.fates()).singleElement().isInstanceOf(Fate.Bury.class);
  }

  @Test
  void silence_is_a_failure_when_the_publisher_says_nothing_or_throws() {
    DeliveryRules throwing =
        new DeliveryRules(
            Samples.decision(),
            gates,
            new Publisher() {
              @Override
              public void publish(Flight flight) {}

              @Override
              public Ack unanswered(Envelope envelope, TimeoutException silence) {
                throw new NoClassDefFoundError("classifier");
              }
            },
            Claiming.LANES,
            Duration.ofSeconds(30));
    for (DeliveryRules deliveryRules : List.of(silent(null), throwing)) {
      Batch batch = new Batch(List.of(a1), Batch.Held.PARK, Set.of(), deliveryRules);

      land(batch, fly(batch));

      assertThat(batch.fates())
          .singleElement()
          .isInstanceOfSatisfying(
              Fate.Park.class,
              park ->
                  assertThat(park.error())
                      .contains("no answer within the publishDeadline of 30 s;"));
    }
  }

  private DeliveryRules silent(Ack meaning) {
    return new DeliveryRules(
        Samples.decision(),
        gates,
        new Publisher() {
          @Override
          public void publish(Flight flight) {}

          @Override
          public Ack unanswered(Envelope envelope, TimeoutException silence) {
            return meaning;
          }
        },
        Claiming.LANES,
        Duration.ofSeconds(30));
  }

  private void pause() {
    gates.set(Map.of(Samples.TOPIC, Setting.NONE.withPaused(true)));
  }

  private void down() {
    Envelope older = envelope("a");
    gates.admit(older, atSecond(-60));
    gates.answered(older, DOWN, gates.outages(), atSecond(-60));
  }

  private Batch batch(StoredEnvelope... read) {
    return new Batch(List.of(read), Batch.Held.PARK, Set.of(), Samples.rules(gates));
  }

  private Batch leaving(StoredEnvelope... read) {
    return new Batch(List.of(read), Batch.Held.LEAVE, Set.of(), Samples.rules(gates));
  }

  private static List<StoredEnvelope> take(Batch batch, int most) {
    return batch.takeFlight(terms(Set.of(), most));
  }

  private static FlightTerms terms(Set<HeldKey> held, int most) {
    return new FlightTerms(held, Ordering.ONE_PER_KEY, most, storedEnvelope -> null, atSecond(0));
  }

  private static OpenFlight fly(Batch batch) {
    return new OpenFlight(take(batch, 100), null, new CountingObserver());
  }

  private static void land(Batch batch, OpenFlight flight, Ack... answers) {
    flight.takeOff(atSecond(0), Duration.ofSeconds(30));
    for (int place = 0; place < answers.length; place++) {
      flight.ack(flight.envelopes().get(place), answers[place]);
    }
    flight.land();
    batch.land(flight, atSecond(1));
  }

  private static Fate withTopic(StoredEnvelope storedEnvelope) {
    return new Fate.Park(storedEnvelope, HoldReason.TOPIC, 0, null, null, "");
  }
}
