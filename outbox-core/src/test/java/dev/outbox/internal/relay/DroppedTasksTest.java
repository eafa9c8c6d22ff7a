package dev.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.StoredEnvelope;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An executor of the user that takes tasks and does not run them, as one that discards them. */
class DroppedTasksTest {
  private final ScriptedLanes lanes = new ScriptedLanes(1);
  private final List<Runnable> dropped = new ArrayList<>();
  private boolean drops = true;
  private final SteppedRelay relay =
      new SteppedRelay(lanes, SteppedRelay.SETTINGS, this::takeAndPerhapsRun);

  private void takeAndPerhapsRun(Runnable task) {
    if (drops) {
      dropped.add(task);
    } else {
      task.run();
    }
  }

  @Test
  void a_lane_goes_on_though_the_executor_dropped_its_batch() {
    StoredEnvelope message =
        StoredEnvelope.ready(1, new Lane(0), Samples.envelope(Samples.TOPIC, null));
    lanes.put(message);
    relay.pass(1000);
    assertThat(dropped).hasSize(1);
    drops = false;

    relay.pass(SteppedRelay.SETTINGS.deadlines().publish().multipliedBy(5));
    assertThat(relay.envelopes()).containsExactly(message.envelope());
    dropped.forEach(Runnable::run);

    assertThat(relay.envelopes()).as("and never twice").containsExactly(message.envelope());
  }
}
