package dev.outbox.internal.relay.batch;

import static dev.outbox.internal.relay.Samples.LANE;
import static dev.outbox.internal.relay.Samples.atSecond;
import static dev.outbox.internal.relay.Samples.envelope;
import static dev.outbox.internal.relay.Samples.ready;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Topics.Setting;
import dev.outbox.internal.relay.CountingObserver;
import dev.outbox.internal.relay.Samples;
import dev.outbox.internal.relay.flight.OpenFlight;
import dev.outbox.internal.relay.topic.TopicGates;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher.Ordering;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.HoldReason;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Messages for which there are few places in flight: by a cap, or as probes of a broker. */
class BatchPlacesTest {
  private static final Ack NO = Ack.failed(new IllegalStateException("no"));
  private static final Ack DOWN = Ack.unavailable(new IllegalStateException("down"));

  private final TopicGates gates = new TopicGates();
  private final StoredEnvelope a1 = ready(1, "a");
  private final StoredEnvelope a2 = ready(2, "a");
  private final StoredEnvelope b3 = ready(3, "b");
  private final StoredEnvelope invoice = StoredEnvelope.ready(4, LANE, envelope("invoices", "a"));

  @Test
  void one_that_could_not_leave_is_parked_with_the_later_one_of_its_key_that_was() {
    gates.set(Map.of(Samples.TOPIC, Setting.NONE.withInFlight(2)));
    StoredEnvelope a5 = ready(5, "a");
    Batch batch = batch(Batch.Held.PARK, a1, a2, a5);
    OpenFlight flight = fly(batch);
    assertThat(flight.aboard()).containsExactly(a1, a2);

    land(batch, flight, DOWN, Ack.rejected("unsent"));

    assertThat(batch.fates()).containsExactly(withTopic(a5), withTopic(a1), withTopic(a2));
  }

  @Test
  void of_what_was_parked_because_of_others_nothing_moves_when_it_is_read_again() {
    gates.set(Map.of(Samples.TOPIC, Setting.NONE.withInFlight(1)));
    Batch batch = batch(Batch.Held.PARK, a1, b3, invoice);
    land(batch, fly(batch), NO, Ack.delivered());
    assertThat(batch.fates()).contains(withTopic(b3)).hasSize(3);

    batch.dropUntried();

    assertThat(batch.fates()).extracting(Fate::storedEnvelope).containsExactly(a1, invoice);
  }

  @Test
  void what_was_not_answered_at_the_end_releases_its_place() {
    gates.set(Map.of(Samples.TOPIC, Setting.NONE.withInFlight(1)));
    Batch batch = batch(Batch.Held.PARK, a1);
    batch.landAnswered(fly(batch), atSecond(1));

    assertThat(take(batch(Batch.Held.PARK, b3))).containsExactly(b3);
  }

  @Test
  void a_probe_that_was_in_vain_makes_room_and_flies_if_there_is_no_other() {
    down(a1.envelope());
    Batch withAnother = batch(Batch.Held.LEAVE, a1, b3);
    assertThat(take(withAnother)).containsExactly(b3);
    assertThat(withAnother.hasPassedOver()).isFalse();
    gates.withdrawn(b3.envelope());

    Batch alone = batch(Batch.Held.LEAVE, a1);
    assertThat(take(alone)).containsExactly(a1);
    assertThat(alone.hasPassedOver()).isFalse();
  }

  @Test
  void where_more_is_soon_read_a_probe_that_was_in_vain_makes_room_for_that() {
    down(a1.envelope());
    Batch batch = batch(Batch.Held.PARK, a1);

    assertThat(take(batch)).isEmpty();
    assertThat(batch.fates()).isEmpty();
    assertThat(batch.hasPassedOver()).isTrue();
  }

  @Test
  void one_that_made_room_does_not_fly_in_a_flight_that_is_full() {
    down(a1.envelope());
    Batch batch = batch(Batch.Held.LEAVE, a1, invoice);

    assertThat(take(batch, 1)).containsExactly(invoice);
  }

  private void down(Envelope older) {
    gates.admit(older, atSecond(-60));
    gates.answered(older, DOWN, gates.outages(), atSecond(-60));
  }

  private Batch batch(Batch.Held ofHeldTopics, StoredEnvelope... read) {
    return new Batch(List.of(read), ofHeldTopics, Set.of(), Samples.rules(gates));
  }

  private static List<StoredEnvelope> take(Batch batch) {
    return take(batch, 100);
  }

  private static List<StoredEnvelope> take(Batch batch, int most) {
    return batch.takeFlight(
        new FlightTerms(Set.of(), Ordering.PIPELINED, most, message -> null, atSecond(0)));
  }

  private static OpenFlight fly(Batch batch) {
    OpenFlight flight = new OpenFlight(take(batch), null, new CountingObserver());
    flight.takeOff(atSecond(0), Duration.ofSeconds(30));
    return flight;
  }

  private static void land(Batch batch, OpenFlight flight, Ack... answers) {
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
