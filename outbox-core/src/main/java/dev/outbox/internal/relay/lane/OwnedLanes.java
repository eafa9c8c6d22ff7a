package dev.outbox.internal.relay.lane;

import dev.outbox.spi.lane.Lane;
import java.util.Collection;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The lanes that this relay has leased.
 *
 * <p>Used by the loop thread only.
 */
public final class OwnedLanes {
  private final SortedMap<Lane, LaneRun> runs = new TreeMap<>();

  /** All of them, in ascending order. */
  public Collection<LaneRun> runs() {
    return runs.values();
  }

  /** As {@link #runs}, for those that read. */
  public Collection<ReadableLane> readable() {
    return Collections.unmodifiableCollection(runs.values());
  }

  @Nullable
  public LaneRun run(Lane lane) {
    return runs.get(lane);
  }

  public void add(LaneRun run) {
    drop(run.lane());
    runs.put(run.lane(), run);
  }

  /** The lane is no longer ours. */
  public void drop(Lane lane) {
    LaneRun run = runs.remove(lane);
    if (run != null) {
      run.lose();
    }
  }
}
