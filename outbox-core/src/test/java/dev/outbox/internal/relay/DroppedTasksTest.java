package dev.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Envelope;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** An executor of the user that takes tasks and does not run them, as one that discards them. */
class DroppedTasksTest {
  private static final int LANES = 32;

  private final ScriptedLanes lanes = new ScriptedLanes(1);
  private final List<Runnable> dropped = new ArrayList<>();
  private boolean drops = true;
  private long lastId;
  private final SteppedRelay relay =
      new SteppedRelay(lanes, SteppedRelay.SETTINGS, this::takeAndPerhapsRun);

  /** Of a topic that says which lane it is in. */
  private StoredEnvelope message(int lane) {
    return StoredEnvelope.ready(
        ++lastId, new Lane(lane), Samples.envelope(Integer.toString(lane), null));
  }

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

  @Test
  void a_lane_goes_on_though_later_batches_of_others_are_run() {
    ScriptedLanes two = new ScriptedLanes(2);
    boolean[] dropsFirst = {true};
    SteppedRelay busy =
        new SteppedRelay(
            two,
            SteppedRelay.SETTINGS,
            task -> {
              if (!dropsFirst[0]) {
                task.run();
              }
              dropsFirst[0] = false;
            });
    two.put(message(0));
    for (int second = 0; second < 130; second++) {
      busy.pass(1000);
      two.put(message(1));
    }
    assertThat(busy.envelopes()).extracting(Envelope::topic).contains("0", "1");
  }

  @Test
  void an_executor_that_is_slow_is_given_each_lane_in_turn() {
    Deque<Runnable> queue = new ArrayDeque<>();
    ScriptedLanes many = new ScriptedLanes(LANES);
    SteppedRelay busy = new SteppedRelay(many, SteppedRelay.SETTINGS, queue::add);
    Duration each = SteppedRelay.SETTINGS.deadlines().publish().dividedBy(4);
    for (int lane = 0; lane < LANES; lane++) {
      many.put(message(lane));
    }
    Set<String> met = new HashSet<>();
    for (int flight = 0; flight < 5 * LANES; flight++) {
      busy.pass(each);
      int before = busy.published.size();
      while (busy.published.size() == before && !queue.isEmpty()) {
        queue.remove().run();
      }
      for (Envelope sent : busy.envelopes().subList(before, busy.published.size())) {
        met.add(sent.topic());
        many.put(message(Integer.parseInt(sent.topic()))); // there is always more
      }
    }
    assertThat(met).hasSize(LANES);
  }
}
