package dev.outbox.internal.relay.cluster;

import dev.outbox.internal.relay.base.Durations;
import dev.outbox.internal.relay.base.RelaySettings;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.lane.LaneRun;
import dev.outbox.internal.relay.settle.LeaseKeeper;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.Layout;
import dev.outbox.spi.cluster.ClusterStore.Extent;
import dev.outbox.spi.cluster.ClusterStore.Orphan;
import dev.outbox.spi.cluster.ClusterView;
import dev.outbox.spi.lane.Lane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the messages of clusters that are taken over to the lanes of this relay, a piece in each
 * turn.
 *
 * <p>Used by the loop thread only.
 */
/*
 * While it moves nothing is settled and no lease is renewed. So a turn has one budget for all clusters and lanes, and
 * the next one goes on where it ended: whatever is slow takes the time of no lease, and of no other lane.
 */
final class OrphanTakeover {
  private static final Logger log = LoggerFactory.getLogger(OrphanTakeover.class);

  /** The most messages that are moved in one transaction, which locks the lane for its length. */
  private static final int BATCH = 1_000;

  /** The most messages of a lane that are watched for those before us. */
  private static final int SIGHT = 10_000;

  private final LaneStore store;
  private final LeaseKeeper keeper;
  private final RelaySettings settings;
  private final Layout layout;
  private final Ticker ticker;
  private final Duration maximumDelay;
  private final Duration beat;
  private final Duration budget;
  private final Map<Lane, StableExtent> stableExtents = new HashMap<>();
  private final Map<Lane, OrphanQueue> orphanQueues = new HashMap<>();
  private final Set<Lane> withoutAnswer = new HashSet<>();
  private Lane reached = new Lane(0);

  OrphanTakeover(
      LaneStore store, LeaseKeeper keeper, RelaySettings settings, Layout layout, Ticker ticker) {
    this.store = store;
    this.keeper = keeper;
    this.settings = settings;
    this.layout = layout;
    this.ticker = ticker;
    this.maximumDelay = settings.leasing().maximumDelay();
    this.beat = AmongPeers.interval(maximumDelay);
    this.budget = Durations.shorter(beat, settings.leasing().renewal().dividedBy(2));
  }

  /** Takes over what may be, as {@code roll} says. True when there is more. */
  boolean turn(ClusterView roll, PeerMonitor watch) {
    Set<Integer> targets = new TreeSet<>(watch.taking().keySet());
    stableExtents.keySet().removeIf(lane -> !targets.contains(layout.clusterOf(lane)));
    orphanQueues.keySet().removeIf(lane -> !targets.contains(layout.clusterOf(lane)));
    withoutAnswer.retainAll(orphanQueues.keySet());
    Map<Integer, Integer> taken = new TreeMap<>();
    try {
      return take(targets, roll, watch, taken);
    } finally {
      taken.forEach(this::tell);
    }
  }

  private boolean take(
      Set<Integer> targets, ClusterView roll, PeerMonitor watch, Map<Integer, Integer> taken) {
    boolean more = false;
    Ticker.Moment begun = ticker.now();
    for (Spot spot : spots(targets)) {
      Ticker.Moment now = ticker.now();
      if (now.surelySince(begun).compareTo(budget) >= 0) {
        return true; // after a beat and a settle
      }
      reached = new Lane(spot.from().number() + 1); // also when this one fails
      if (!spot.run().isLeaving() && spot.run().isSure(now)) {
        int adopted = take(spot, roll, watch, now);
        taken.merge(layout.clusterOf(spot.from()), adopted, Integer::sum);
        more |= adopted >= BATCH;
      }
    }
    return more;
  }

  /** A lane of another cluster, and the one of ours that it is moved to. */
  private record Spot(Lane from, LaneRun run) {}

  /** All of them, from the one that was reached on. */
  private List<Spot> spots(Set<Integer> targets) {
    List<Spot> spots = new ArrayList<>();
    for (int target : targets) {
      keeper.runs().forEach(run -> spots.add(new Spot(layout.of(target, run.lane()), run)));
    }
    long done = spots.stream().takeWhile(spot -> spot.from().number() < reached.number()).count();
    Collections.rotate(spots, -Math.toIntExact(done));
    return spots;
  }

  private int take(Spot spot, ClusterView roll, PeerMonitor watch, Ticker.Moment now) {
    int cluster = layout.clusterOf(spot.from());
    boolean isTold = roll.isMarked(cluster); // others have to be able to know before
    List<Integer> before = watch.before(cluster, spot.run().lane());
    int adopted = 0;
    if (before.isEmpty()) {
      adopted = takeFirst(spot, roll, isTold, now);
    } else if (isTold) {
      adopted = takeWhatIsLeft(spot, before, roll, watch, now);
    }
    if (adopted > 0) {
      spot.run().mayHaveReady();
    }
    return adopted;
  }

  private int takeFirst(Spot spot, ClusterView roll, boolean isTold, Ticker.Moment now) {
    Lane from = spot.from();
    orphanQueues.remove(from); // whoever comes before us later begins only then
    Extent upTo = roll.hasLeft(layout.clusterOf(from)) ? Extent.ALL : stood(from, now);
    return isTold && !upTo.equals(Extent.NOTHING)
        ? store.clusters().adopt(spot.run().lease(), from, roll, upTo, BATCH)
        : 0;
  }

  private Extent stood(Lane from, Ticker.Moment now) {
    return stableExtents
        .computeIfAbsent(from, any -> new StableExtent())
        .upTo(beat.dividedBy(2), () -> store.clusters().extent(from), now);
  }

  private int takeWhatIsLeft(
      Spot spot, List<Integer> before, ClusterView roll, PeerMonitor watch, Ticker.Moment now) {
    Lane from = spot.from();
    int cluster = layout.clusterOf(from);
    OrphanQueue seen = orphanQueues.computeIfAbsent(from, any -> new OrphanQueue()).behind(before);
    OrphanQueue.Ripe ripe =
        seen.ripe(
            store.clusters().look(from, SIGHT),
            maximumDelay,
            roll.number(),
            beat -> watch.agree(before, cluster, beat),
            now);
    List<Orphan> first = ripe.orphans().subList(0, Math.min(BATCH, ripe.orphans().size()));
    if (first.isEmpty()) {
      return 0;
    }
    int adopted = store.clusters().adopt(spot.run().lease(), from, roll, first);
    if (adopted > 0) {
      seen.took(first);
    }
    if (adopted > 0 && ripe.unanswered() > 0) {
      warn(from, before);
    }
    return adopted;
  }

  private void warn(Lane from, List<Integer> before) {
    if (withoutAnswer.add(from)) {
      log.warn(
          "relay={} cluster={} takes over lane={} of cluster={} after {} maximum delays without an answer from clusters={}, which take precedence; what one of them took over is published twice",
          settings.name(),
          layout.cluster(),
          from,
          layout.clusterOf(from),
          before.size() * OrphanQueue.PATIENCE,
          before);
    }
  }

  private void tell(int cluster, int taken) {
    if (taken > 0) {
      log.warn(
          "relay={} cluster={} took over {} messages of cluster={}",
          settings.name(),
          layout.cluster(),
          taken,
          cluster);
      settings.listener().tookOver(cluster, taken);
    }
  }

  /** What was seen was seen by a cluster that worked: once it does again it looks again. */
  void forget() {
    stableExtents.clear();
    orphanQueues.clear();
    withoutAnswer.clear();
  }
}
