package dev.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.outbox.message.Lane;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Ordering;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RelayListener;
import dev.outbox.store.Fate;
import dev.outbox.store.Settlement;
import dev.outbox.store.StoreException;
import dev.outbox.store.Stored;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LaneTurnsTest {
  private static final Lane IDLE = new Lane(0);
  private static final Lane BUSY = new Lane(1);

  private static final Publisher DELIVERING =
      flight -> flight.envelopes().forEach(envelope -> flight.ack(envelope, Ack.delivered()));

  private final ScriptedStore store = ScriptedStore.ofLanes(2);
  private final List<Flight> flights = new ArrayList<>();
  private Instant now = Samples.START;

  @Test
  void a_lane_that_is_busy_at_every_look_at_an_idle_one_is_looked_at_all_the_same() {
    LaneTurns turns = turns(flights::add);
    store.ready.put(BUSY, List.of(Stored.ready(1, BUSY, Samples.envelope(null))));
    turns.turn();
    store.dueLooks.clear();

    for (int round = 0; round < 10; round++) {
      pass(Duration.ofMillis(500));
      turns.turn();
      pass(Duration.ofMillis(200));
      Flight flight = flights.remove(0);
      flight.ack(flight.envelopes().get(0), Ack.delivered());
      turns.turn();
    }

    assertThat(store.dueLooks.stream().filter(lanes -> lanes.contains(BUSY)))
        .hasSizeGreaterThanOrEqualTo(5);
  }

  @Test
  void idle_lanes_are_looked_at_together_about_twice_a_second() {
    LaneTurns turns = turns(flights::add);
    for (int tick = 0; tick < 100; tick++) {
      turns.turn();
      pass(Duration.ofMillis(50));
    }

    assertThat(store.dueLooks).hasSize(10).containsOnly(List.of(IDLE, BUSY));
  }

  @Test
  void a_relay_that_gives_up_before_it_could_wind_down_still_gives_idle_lanes_back() {
    LaneTurns turns = turns(flights::add);
    store.ready.put(BUSY, List.of(Stored.ready(1, BUSY, Samples.envelope(null))));
    turns.turn();

    turns.giveUp();

    assertThat(store.settlements)
        .filteredOn(each -> each.lease().lane().equals(IDLE))
        .extracting(Settlement::after)
        .containsExactly(Settlement.After.RELEASE);
    assertThat(store.settlements)
        .filteredOn(each -> each.lease().lane().equals(BUSY))
        .extracting(Settlement::after)
        .doesNotContain(Settlement.After.RELEASE);
  }

  @Test
  void a_row_that_somebody_keeps_locked_stops_its_lane_only() {
    store.refusal = StoreException.contended("lock wait time-out", null);
    a_lane_whose_settlement_is_refused_for_good_does_not_stop_the_others();
  }

  @Test
  void a_lane_whose_settlement_is_refused_for_good_does_not_stop_the_others() {
    Lane bad = IDLE;
    Lane good = BUSY;
    Stored first = Stored.ready(1, bad, Samples.envelope(null));
    Stored second = Stored.ready(2, good, Samples.envelope(null));
    store.ready.put(bad, List.of(first));
    store.ready.put(good, List.of(second));
    store.refused = bad;
    LaneTurns turns = turns(DELIVERING);

    turns.turn();
    store.ready.clear();
    turns.turn();

    assertThat(store.settlements)
        .flatExtracting(Settlement::fates)
        .containsExactly(new Fate.Deliver(second));

    store.refused = null;
    pass(Duration.ofSeconds(1));
    turns.turn();

    assertThat(store.settlements)
        .flatExtracting(Settlement::fates)
        .containsExactly(new Fate.Deliver(second), new Fate.Deliver(first));
  }

  @Test
  void a_publisher_without_an_ordering_is_refused_at_the_start() {
    Publisher publisher =
        new Publisher() {
          @Override
          public void publish(Flight flight) {}

          @Override
          public Ordering ordering() {
            return null;
          }
        };

    assertThatNullPointerException().isThrownBy(() -> turns(publisher)).withMessage("ordering");
  }

  private void pass(Duration time) {
    now = now.plus(time);
  }

  private LaneTurns turns(Publisher publisher) {
    return new LaneTurns(
        store,
        publisher,
        Samples.settings(RelayListener.SILENT),
        new Surroundings(Runnable::run, Ticker.of(() -> now), () -> {}));
  }
}
