package dev.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.StoreException;
import dev.outbox.internal.relay.base.PublishThreads;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Publisher.Ordering;
import dev.outbox.publish.RelayListener;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class LaneWorkerTest {
  private static final Lane IDLE = new Lane(0);
  private static final Lane BUSY = new Lane(1);

  private static final Publisher DELIVERING =
      flight -> flight.envelopes().forEach(envelope -> flight.ack(envelope, Ack.delivered()));

  private final ScriptedLanes lanes = new ScriptedLanes(2);
  private final List<Flight> flights = new ArrayList<>();
  private Instant now = Samples.START;

  @Test
  void a_relay_that_gives_up_before_it_could_wind_down_still_releases_idle_lanes() {
    LaneWorker turns = turns(flights::add);
    lanes.put(StoredEnvelope.ready(1, BUSY, Samples.envelope(null)));
    turns.step();

    turns.giveUp();

    assertThat(lanes.settlements)
        .filteredOn(each -> each.lease().lane().equals(IDLE))
        .extracting(Settlement::after)
        .containsExactly(Settlement.After.RELEASE);
    assertThat(lanes.settlements)
        .filteredOn(each -> each.lease().lane().equals(BUSY))
        .extracting(Settlement::after)
        .doesNotContain(Settlement.After.RELEASE);
  }

  @Test
  void a_relay_that_waits_for_an_answer_to_close_leaves_its_other_lanes_to_others() {
    LaneWorker turns = turns(flights::add);
    lanes.put(StoredEnvelope.ready(1, BUSY, Samples.envelope(null)));
    turns.step();

    assertThat(turns.windDown()).isFalse();
    assertThat(turns.windDown()).isFalse();

    assertThat(lanes.asked("beat")).isEqualTo(List.of(List.of(true), List.of(false)));
  }

  @Test
  void a_relay_whose_last_results_are_refused_is_gone_all_the_same() {
    LaneWorker turns = turns(flights::add);
    turns.step();
    lanes.writingEnds =
        () -> {
          throw StoreException.contended("lock wait time-out", null);
        };

    assertThatThrownBy(turns::giveUp).hasMessageContaining("lock wait");

    assertThat(lanes.asked("leave")).hasSize(1);
  }

  @Test
  void a_row_that_somebody_keeps_locked_stops_its_lane_only() {
    lanes.refusal = StoreException.contended("lock wait time-out", null);
    a_lane_whose_settlement_is_refused_for_good_does_not_stop_the_others();
  }

  @Test
  void a_lane_whose_settlement_is_refused_for_good_does_not_stop_the_others() {
    Lane bad = IDLE;
    Lane good = BUSY;
    StoredEnvelope first = StoredEnvelope.ready(1, bad, Samples.envelope(null));
    StoredEnvelope second = StoredEnvelope.ready(2, good, Samples.envelope(null));
    lanes.put(first, second);
    lanes.refused.add(bad);
    LaneWorker turns = turns(DELIVERING);

    turns.step();
    turns.step();

    assertThat(lanes.settlements)
        .flatExtracting(Settlement::fates)
        .containsExactly(new Fate.Deliver(second));

    lanes.refused.clear();
    pass(Duration.ofSeconds(1));
    turns.step();

    assertThat(lanes.settlements)
        .flatExtracting(Settlement::fates)
        .containsExactly(new Fate.Deliver(second), new Fate.Deliver(first));
  }

  @Test
  void an_executor_that_takes_nothing_does_not_keep_the_loop_busy() {
    boolean[] full = {true};
    PublishThreads threads =
        task -> {
          if (full[0]) {
            throw new RejectedExecutionException("full");
          }
          task.run();
        };
    SteppedRelay relay = new SteppedRelay(lanes, SteppedRelay.SETTINGS, threads);
    StoredEnvelope waiting = StoredEnvelope.ready(1, BUSY, Samples.envelope(null));
    lanes.put(waiting);

    relay.pass(10_000);
    assertThat(relay.turnsTaken).isLessThan(5000);

    full[0] = false;
    relay.pass(1000);
    assertThat(relay.envelopes()).containsExactly(waiting.envelope());
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

  private LaneWorker turns(Publisher publisher) {
    return new LaneWorker(
        ScriptedStore.of(lanes),
        publisher,
        Samples.settings(RelayListener.SILENT),
        Samples.surroundings(Ticker.of(() -> now)));
  }
}
