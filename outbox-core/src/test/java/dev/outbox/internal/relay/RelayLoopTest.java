package dev.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.internal.relay.base.IdleWait;
import dev.outbox.internal.relay.base.RelaySettings;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.RelayListener;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RelayLoopTest {
  private final ScriptedLanes lanes = new ScriptedLanes(1);
  private final List<Flight> flights = new ArrayList<>();
  private Ticker.Moment now = Samples.atSecond(0);
  private int asked;

  @Test
  void a_wall_clock_that_is_set_forward_takes_nothing_of_the_time_to_close() {
    StoredEnvelope message = StoredEnvelope.ready(1, new Lane(0), Samples.envelope("a"));
    lanes.put(message);
    RelaySettings settings = Samples.settings(RelayListener.SILENT);
    Surroundings surroundings = Samples.surroundings(this::present);
    LaneWorker turns =
        new LaneWorker(ScriptedStore.of(lanes), flights::add, settings, surroundings);
    turns.step();
    RelayLoop loop = new RelayLoop(turns, new IdleWait(), surroundings, settings);
    loop.stop();
    now = new Ticker.Moment(now.nanos(), now.wall().plus(Duration.ofDays(1)));

    asked = 0;
    loop.run();

    assertThat(lanes.settlements)
        .last()
        .extracting(Settlement::fates, Settlement::after)
        .containsExactly(List.of(new Fate.Deliver(message)), Settlement.After.RELEASE);
  }

  @Test
  void last_results_that_the_store_does_not_take_are_told_and_not_waited_for() {
    lanes.put(StoredEnvelope.ready(1, new Lane(0), Samples.envelope("a")));
    RelaySettings settings = Samples.settings(RelayListener.SILENT);
    Surroundings surroundings = Samples.surroundings(this::present);
    LaneWorker turns =
        new LaneWorker(ScriptedStore.of(lanes), flights::add, settings, surroundings);
    turns.step();
    lanes.unheard = "settle";
    RelayLoop loop = new RelayLoop(turns, new IdleWait(), surroundings, settings);
    loop.stop();
    now = Samples.atSecond(60);

    List<String> lines = LogLines.of(loop);

    assertThat(lines)
        .anyMatch(line -> line.contains("WARN") && line.contains("closes although its last call"))
        .noneMatch(line -> line.contains("retrying"));
  }

  /** The broker answers after a while. */
  private Ticker.Moment present() {
    if (++asked == 20) {
      flights.forEach(flight -> flight.ack(flight.envelopes().get(0), Ack.delivered()));
    }
    return now;
  }
}
