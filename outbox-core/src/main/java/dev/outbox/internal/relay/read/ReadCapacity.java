package dev.outbox.internal.relay.read;

import dev.outbox.internal.relay.base.RelaySettings;
import dev.outbox.internal.relay.lane.LaneRun;
import dev.outbox.internal.relay.lane.OwnedLanes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * The room for reads: which lanes may begin a batch, and how much of each, while what the relay
 * holds in memory stays within its bounds.
 *
 * <p>Used by the loop thread only.
 */
public final class ReadCapacity {
  private final OwnedLanes owned;
  private final ReadBudget budget;
  private final RandomGenerator random;

  public ReadCapacity(OwnedLanes owned, RelaySettings.Volume volume, RandomGenerator random) {
    this.random = random;
    this.owned = owned;
    this.budget = new ReadBudget(volume);
  }

  /** The lanes of this relay, in ascending order. */
  Collection<LaneRun> runs() {
    return owned.runs();
  }

  /** Lanes that can begin a batch, no more than the bound in messages allows. */
  List<LaneRun> lanes(Predicate<LaneRun> wanted) {
    List<LaneRun> lanes = new ArrayList<>(owned.runs().stream().filter(wanted).toList());
    int fitting = budget.lanes(held());
    if (lanes.size() > fitting) {
      // whom the bound leaves out is a matter of chance, so that it is not always the same
      shuffle(lanes);
    }
    return lanes.stream().limit(fitting).sorted(LaneRun.BY_LANE).toList();
  }

  private void shuffle(List<LaneRun> lanes) {
    for (int place = lanes.size() - 1; place > 0; place--) {
      Collections.swap(lanes, place, random.nextInt(place + 1));
    }
  }

  /** One of these, by chance. */
  LaneRun anyOf(List<LaneRun> lanes) {
    return lanes.get(random.nextInt(lanes.size()));
  }

  /** The most messages to read from each of {@code asking} lanes, none of which holds any. */
  int perLane(List<LaneRun> asking) {
    int lanes = owned.runs().size();
    int reserved = budget.reserved(lanes);
    int kept = owned.runs().stream().mapToInt(run -> Math.max(0, reserved - run.size())).sum();
    return budget.perLane(asking.size(), lanes, held() + kept - asking.size() * reserved);
  }

  /** The payload bytes that may be read now; may be 0. */
  long bytes() {
    return budget.bytes(owned.runs().stream().mapToLong(LaneRun::bytes).sum());
  }

  /** How many messages the relay holds in memory. */
  public int held() {
    return owned.runs().stream().mapToInt(LaneRun::size).sum();
  }
}
