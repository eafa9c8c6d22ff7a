package dev.outbox.internal.relay.lane;

import dev.outbox.spi.lane.Lane;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The lanes that this relay has leased.
 *
 * <p>Used by the loop thread only.
 */
public final class OwnedLanes {
  private final SortedMap<Lane, LaneRun> byLane = new TreeMap<>();
  private Lanes<LaneRun> runs = Lanes.of(List.of());
  private Lanes<ReadableLane> readable = Lanes.of(List.of());

  /** All of them, as they are now. */
  public Lanes<LaneRun> runs() {
    return runs;
  }

  /** As {@link #runs}, for those that read. */
  public Lanes<ReadableLane> readable() {
    return readable;
  }

  @Nullable
  public LaneRun run(Lane lane) {
    return byLane.get(lane);
  }

  public void add(LaneRun run) {
    drop(run.lane());
    byLane.put(run.lane(), run);
    changed();
  }

  /** The lane is no longer ours. */
  public void drop(Lane lane) {
    LaneRun run = byLane.remove(lane);
    if (run != null) {
      run.lose();
      changed();
    }
  }

  private void changed() {
    runs = Lanes.of(byLane.values());
    readable = Lanes.of(byLane.values());
  }
}
