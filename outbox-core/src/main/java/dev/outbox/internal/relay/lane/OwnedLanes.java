package dev.outbox.internal.relay;

import dev.outbox.message.Lane;
import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The lanes that this relay has leased.
 *
 * <p>Used by the loop thread only.
 */
final class OwnedLanes {
  private final SortedMap<Lane, LaneRun> runs = new TreeMap<>();

  /** All of them, in ascending order. */
  Collection<LaneRun> runs() {
    return runs.values();
  }

  @Nullable LaneRun run(Lane lane) {
    return runs.get(lane);
  }

  void add(LaneRun run) {
    drop(run.lane());
    runs.put(run.lane(), run);
  }

  /** The lane is no longer ours. */
  void drop(Lane lane) {
    LaneRun run = runs.remove(lane);
    if (run != null) {
      run.lose();
    }
  }
}
