package dev.outbox.internal.relay.cluster;

import dev.outbox.cluster.ClusterState;
import dev.outbox.internal.relay.base.Durations;
import dev.outbox.internal.relay.base.LockPatience;
import dev.outbox.internal.relay.base.LockWaits;
import dev.outbox.internal.relay.base.RelaySettings;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.settle.LeaseKeeper;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.Layout;
import dev.outbox.spi.cluster.ClusterBeat.Shape;
import dev.outbox.spi.cluster.ClusterView;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a relay does for its cluster among others: says that it lives, takes over from those that do
 * not, and waits for the others when it comes back.
 *
 * <p>Used by the loop thread only.
 */
/*
 * A message is taken over by moving it, in one transaction, to a lane of this cluster, and published from there as any
 * other. So the engine knows nothing of other clusters' lanes; the right to a message goes over at a commit, which
 * replication takes everywhere; and whoever comes back finds its message gone however long ago it was published.
 *
 * What makes a return exact: taking over and beating wait for each other. A beat that says that it has heard of the
 * return comes after the last message that was taken; when that beat has come back, so has all that was taken before
 * it.
 */
final class AmongPeers implements ClusterMember {
  private static final Logger log = LoggerFactory.getLogger(AmongPeers.class);

  private static final int BEATS = 10;
  private static final Duration LONGEST_BEAT = Duration.ofSeconds(10);
  private static final Duration BETWEEN_SWEEPS = Duration.ofMinutes(1);
  private static final Duration NOTES_ARE_KEPT = Duration.ofDays(7);
  private static final int LEAST_DELAYS = 10;

  private final LaneStore store;
  private final LeaseKeeper keeper;
  private final RelaySettings settings;
  private final Layout layout;
  private final Ticker ticker;
  private final Duration maximumDelay;
  private final Duration interval;
  private final LockPatience beats;
  private final LockPatience takeovers;
  private final OrphanTakeover orphanTakeover;
  private @Nullable PeerMonitor watch;
  private ClusterView roll;
  private Ticker.@Nullable Moment lastBeat;
  private Ticker.@Nullable Moment lastSweep;
  private Ticker.@Nullable Moment returning;
  private long returned;
  private boolean moreToTake;
  private Map<Integer, Shape> misfits = Map.of();

  AmongPeers(
      LaneStore store,
      LeaseKeeper keeper,
      LockWaits lockWaits,
      RelaySettings settings,
      Layout layout,
      Ticker ticker) {
    this.store = store;
    this.keeper = keeper;
    this.settings = settings;
    this.layout = layout;
    this.ticker = ticker;
    this.maximumDelay = settings.leasing().maximumDelay();
    this.interval = interval(maximumDelay);
    String relay = settings.name();
    this.beats = new LockPatience(lockWaits, relay, "report that its cluster is alive", ticker);
    this.takeovers = new LockPatience(lockWaits, relay, "take over from clusters", ticker);
    this.orphanTakeover = new OrphanTakeover(store, keeper, settings, layout, ticker);
    this.roll = new ClusterView(layout, Map.of(), Instant.EPOCH);
  }

  /** The time between two beats. */
  static Duration interval(Duration maximumDelay) {
    return Durations.shorter(maximumDelay.dividedBy(BEATS), LONGEST_BEAT);
  }

  @Override
  public boolean mayWork() {
    Ticker.Moment last = lastBeat;
    return last != null
        && roll.clusterState() == ClusterState.WORKING
        && ticker.now().since(last).compareTo(maximumDelay) < 0;
  }

  @Override
  public boolean turn() {
    moreToTake |= beatWhenDue();
    if (!moreToTake || !mayWork()) {
      return false;
    }
    boolean busy = takeovers.take(this::takeOver);
    moreToTake |= takeovers.waits(); // it goes on after its rest
    return busy;
  }

  private boolean takeOver() {
    moreToTake = false; // after a failure it goes on with the next beat
    sweepNowAndThen(); // first: a takeover may fail each time, a sweep is rare
    moreToTake = orphanTakeover.turn(roll, Objects.requireNonNull(watch));
    return moreToTake;
  }

  @Override
  public boolean beatWhenDue() {
    return untilBeat().isZero() && beats.take(this::beat);
  }

  /** The time until the next beat is due and may be made. */
  private Duration untilBeat() {
    Ticker.Moment last = lastBeat;
    Duration left = last == null ? Duration.ZERO : interval.minus(ticker.now().since(last));
    Duration rest = beats.left();
    return left.compareTo(rest) > 0 ? left : rest;
  }

  /** True, as it is a beat however it ends. */
  private boolean beat() {
    Ticker.Moment before = ticker.now();
    PeerMonitor known = watch;
    if (known == null) {
      roll = store.clusters().roll();
      known = new PeerMonitor(layout, maximumDelay, roll, before);
      watch = known;
    }
    ClusterState stood = roll.clusterState();
    long since = roll.since();
    boolean wasBeating = lastBeat != null;
    roll =
        store
            .clusters()
            .beat(maximumDelay, stood == ClusterState.WORKING ? known.marks() : Map.of());
    lastBeat = before;
    known.observe(roll, ticker.now());
    tellMisfits();
    if (wasBeating && stood != roll.clusterState()) {
      log.info(
          "relay={} cluster={} is now {}", settings.name(), layout.cluster(), roll.clusterState());
    }
    boolean slept =
        wasBeating && since != roll.since(); // through a return that another relay ended
    if (roll.clusterState() != ClusterState.WORKING || slept) {
      orphanTakeover.forget();
      keeper.leaveAll();
    }
    if (roll.clusterState() == ClusterState.RETURNING) {
      comeBack(known);
    } else {
      returning = null;
    }
    return true;
  }

  private void tellMisfits() {
    Map<Integer, Shape> found = roll.misfits();
    if (!found.isEmpty() && !found.equals(misfits)) {
      log.error(
          "relay={} cluster={} has {}, but other clusters (by number) have {}; give all of them the same. Until then this cluster takes over nothing, and messages may be repeated or overlooked",
          settings.name(),
          layout.cluster(),
          Shape.of(layout),
          found);
    }
    misfits = found;
  }

  private void comeBack(PeerMonitor known) {
    Ticker.Moment now = ticker.now();
    if (returning == null || returned != roll.since()) {
      returning = now;
      returned = roll.since();
    }
    Set<Integer> unheard = known.unheard();
    boolean late = now.surelySince(returning).compareTo(maximumDelay) >= 0;
    if (!unheard.isEmpty() && !late) {
      return;
    }
    if (!store.clusters().resume(roll.since())) {
      return;
    }
    if (unheard.isEmpty()) {
      log.info("relay={} cluster={} works again", settings.name(), layout.cluster());
    } else {
      log.warn(
          "relay={} cluster={} works again, but clusters {} did not say what they took over; some messages may be published twice",
          settings.name(),
          layout.cluster(),
          unheard);
    }
    settings.listener().returned(unheard);
    returning = null;
    roll = store.clusters().roll();
    keeper.hurry();
  }

  private void sweepNowAndThen() {
    Ticker.Moment now = ticker.now();
    if (lastSweep == null || now.surelySince(lastSweep).compareTo(BETWEEN_SWEEPS) >= 0) {
      lastSweep = now;
      store.clusters().sweep(retention(maximumDelay));
    }
  }

  /** Whatever may yet be on its way has to find the note of its takeover. */
  static Duration retention(Duration maximumDelay) {
    Duration least = maximumDelay.multipliedBy(LEAST_DELAYS);
    return least.compareTo(NOTES_ARE_KEPT) > 0 ? least : NOTES_ARE_KEPT;
  }

  @Override
  public Duration longestRest(Duration rest) {
    Duration least = Durations.shorter(rest, untilBeat());
    return moreToTake && mayWork() ? Durations.shorter(least, takeovers.left()) : least;
  }
}
