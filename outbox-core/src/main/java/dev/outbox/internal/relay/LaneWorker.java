package dev.outbox.internal.relay;

import dev.outbox.Claiming;
import dev.outbox.internal.relay.base.Durations;
import dev.outbox.internal.relay.base.LockPatience;
import dev.outbox.internal.relay.base.LockWaits;
import dev.outbox.internal.relay.base.RelayCounters;
import dev.outbox.internal.relay.base.RelaySettings;
import dev.outbox.internal.relay.base.StoreOutage;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.batch.DeliveryRules;
import dev.outbox.internal.relay.cluster.ClusterMember;
import dev.outbox.internal.relay.flight.RelayEvents;
import dev.outbox.internal.relay.lane.LaneRun;
import dev.outbox.internal.relay.lane.OwnedLanes;
import dev.outbox.internal.relay.read.DueReading;
import dev.outbox.internal.relay.read.PollBackoff;
import dev.outbox.internal.relay.read.ReadCapacity;
import dev.outbox.internal.relay.read.ReadyReading;
import dev.outbox.internal.relay.read.WorkFinder;
import dev.outbox.internal.relay.settle.Flights;
import dev.outbox.internal.relay.settle.LeaseKeeper;
import dev.outbox.internal.relay.settle.LeaseKeeper.Share;
import dev.outbox.internal.relay.settle.LockedLanes;
import dev.outbox.internal.relay.settle.Presence;
import dev.outbox.internal.relay.settle.PublishSlots;
import dev.outbox.internal.relay.settle.Settling;
import dev.outbox.internal.relay.topic.TopicGates;
import dev.outbox.internal.relay.topic.TopicWatch;
import dev.outbox.publish.Publisher;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.OutboxStore;
import dev.outbox.spi.lane.Lane;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The way by lanes: land, settle, keep the leases, look, read, hand out.
 *
 * <p>Used by the loop thread only; publishers answer into the flights, from any thread.
 */
public final class LaneWorker implements Worker {
  private static final Duration WHILE_IN_FLIGHT = Duration.ofMillis(100);

  private final LaneStore store;
  private final RelaySettings settings;
  private final Ticker ticker;
  private final Presence presence;
  private final LeaseKeeper keeper;
  private final ClusterMember clusters;
  private final Settling settling;
  private final LockWaits lockWaits = new LockWaits();
  private final LockPatience beats;
  private final WorkFinder workFinder;
  private final ReadCapacity readCapacity;
  private final DueReading due;
  private final ReadyReading ready;
  private final PublishSlots publishSlots;
  private final Flights flights;
  private final TopicWatch topics;
  private final RelayState relayState;

  /** Until every lane is claimed again, no floor is believed that was stored before. */
  private boolean doubtsFloors;

  /** True when the next turn has something to do at once. What is in flight signals its end. */
  private boolean goesOn;

  /** Works on the lanes of {@code store}, for the {@code publisher}. */
  public LaneWorker(
      OutboxStore store, Publisher publisher, RelaySettings settings, Surroundings surroundings) {
    this.store = store.lanes(settings.name(), settings.leasing().lease());
    this.settings = settings;
    this.ticker = surroundings.ticker();
    this.relayState = surroundings.relayState();
    TopicGates gates = relayState.gates;
    DeliveryRules deliveryRules = DeliveryRules.of(settings, gates, publisher, Claiming.LANES);
    RelayEvents relayEvents =
        new RelayEvents(settings, surroundings.wake(), ticker, relayState.relayCounters);
    this.topics = new TopicWatch(this.store::topics, gates, ticker);
    this.presence = new Presence(this.store.registry(), settings.name(), settings.leasing());
    OwnedLanes owned = new OwnedLanes();
    this.keeper =
        new LeaseKeeper(
            this.store, owned, presence, settings, ticker, deliveryRules, store.layout().lanes());
    this.clusters =
        ClusterMember.of(this.store, keeper, lockWaits, settings, store.layout(), ticker);
    LockedLanes lockedLanes =
        new LockedLanes(this.store, keeper, lockWaits, settings.name(), ticker);
    this.settling =
        new Settling(this.store, keeper, lockedLanes, lockWaits, relayEvents, settings, ticker);
    this.beats = new LockPatience(lockWaits, settings.name(), "report that it is alive", ticker);
    this.workFinder =
        new WorkFinder(
            this.store,
            owned,
            keeper::freeLanes,
            topics,
            surroundings.wakeupQueue(),
            new PollBackoff(settings.deadlines().poll(), relayState.random),
            settings,
            ticker);
    this.readCapacity = new ReadCapacity(owned, settings.volume(), relayState.random);
    this.due = new DueReading(this.store, readCapacity, topics, settings, lockWaits, ticker);
    this.ready =
        new ReadyReading(this.store, readCapacity, workFinder, topics, relayEvents, ticker);
    this.publishSlots =
        new PublishSlots(
            settings,
            surroundings.threads(),
            relayState.inThePublisher,
            surroundings.wake(),
            ticker);
    this.flights =
        new Flights(
            this.store,
            publisher,
            keeper,
            lockedLanes,
            lockWaits,
            publishSlots,
            relayEvents,
            settings,
            ticker);
  }

  @Override
  public boolean step() {
    lockWaits.turn();
    workFinder.takeWakeups();
    boolean busy = flights.land();
    busy |= settling.settle();
    if (settling.foundGone()) {
      believeNothing();
      doubtsFloors = true;
    }
    workFinder.coldReadThrottle().turn();
    goesOn = clusters.turn(); // what fails there keeps nothing from being settled
    sayThatItLives();
    workFinder.look();
    if (clusters.mayWork()) {
      goesOn |= leaseLanes();
      goesOn |= due.read();
      busy |= ready.read();
      boolean handsOut = flights.handOut();
      goesOn |= handsOut && !flights.isAnyInFlight();
      busy |= handsOut;
    }
    sampleStatus();
    busy |= goesOn;
    goesOn |= busy && (lockWaits.areRecent() || isAnythingLeft());
    return busy;
  }

  private boolean leaseLanes() {
    boolean leased = keeper.claim();
    if (leased) {
      workFinder.noteLeased(doubtsFloors);
    }
    doubtsFloors &= keeper.isAnyStale();
    return leased;
  }

  /** Says that this relay lives, and marks lanes above its share to be released. */
  private void sayThatItLives() {
    boolean down = topics.isDown(ticker.now());
    Share share = publishSlots.areAllStuck() ? Share.NONE : down ? Share.ONE : Share.FAIR;
    if (beats.take(() -> keeper.adjust(share)) || beats.waits()) {
      topics.refresh(settings.leasing().renewal().dividedBy(2));
    }
  }

  private void sampleStatus() {
    Ticker.Moment now = ticker.now();
    if (!relayState.relayCounters.isTimeToSample(now)) {
      return;
    }
    tellWhatWaits(now);
    relayState.relayCounters.failures.turn(settings.name(), Claiming.LANES, now);
    workFinder.ids().leased(keeper.runs());
    relayState.relayCounters.sample(
        new RelayCounters.Sample(
            lanes(any -> true),
            lanes(LaneRun::wantsToFlyAlone),
            readCapacity.held(),
            publishSlots.noteStuck(),
            relayState.gates.down(now),
            workFinder.ids().reason(lanes(LaneRun::hasTakenIds)),
            waits(),
            keeper.oldestLease(),
            now),
        settings.listener());
  }

  /** What waits in vain, in words; empty when all goes on. */
  private String waits() {
    String ends = settling.waits();
    String moves = due.waits();
    return ends.isEmpty() || moves.isEmpty() ? ends + moves : ends + "; " + moves;
  }

  private Set<Lane> lanes(Predicate<LaneRun> wanted) {
    return Set.copyOf(keeper.runs().those(wanted).each(LaneRun::lane));
  }

  /** While a lane is gone through for a probe, what is in it is not known. */
  private void tellWhatWaits(Ticker.Moment now) {
    boolean unknown = keeper.runs().any(LaneRun::isGoneThrough);
    Set<String> left = new HashSet<>();
    keeper.runs().forEach(run -> left.addAll(run.topicsLeft()));
    relayState.gates.looked(now, topic -> unknown || left.contains(topic));
  }

  @Override
  public void lookEverywhere() {
    workFinder.everywhere();
    keeper.hurry();
  }

  @Override
  public boolean endRests() {
    return ready.endRests();
  }

  @Override
  public int unanswered() {
    return flights.unanswered();
  }

  @Override
  public void afterFailure(RuntimeException failure) {
    flights.signalEnds();
    if (!StoreOutage.isOfALivingConnection(failure)) {
      believeNothing();
    }
  }

  /** The tables may be an older copy: what is known of ids, held keys and leases is asked again. */
  private void believeNothing() {
    workFinder.forget();
    keeper.doubtAll();
  }

  @Override
  public boolean windDown() {
    lockWaits.turn();
    keeper.leaveAll();
    flights.land();
    settling.settle();
    clusters.beatWhenDue();
    keeper.claimDoubtful();
    if (!keeper.runs().isEmpty()) {
      beats.take(() -> presence.beat(false, ticker.now())); // others take what is released
      return false;
    }
    presence.leave();
    return true;
  }

  @Override
  public void giveUp() {
    keeper.leaveAll();
    keeper.runs().forEach(LaneRun::restNoLonger);
    try {
      flights.giveUp();
    } finally {
      try {
        settling.settleAtLast();
      } finally {
        presence.leave();
      }
    }
  }

  private boolean isAnythingLeft() {
    return settling.isAnythingLeft() || ready.isAnythingLeft() || flights.isAnythingLeft();
  }

  @Override
  public Duration longestRest() {
    boolean flies = flights.isAnyInFlight();
    if (goesOn || (flies && !(flights.areQuick() && settling.gathers()) && flights.await())) {
      return Duration.ZERO;
    }
    Duration rest = clusters.longestRest(settling.longestRest(workFinder.longestRest()));
    return flies || publishSlots.wereRefused() ? Durations.shorter(rest, WHILE_IN_FLIGHT) : rest;
  }

  @Override
  public void abort() {
    store.abort();
  }

  @Override
  public void close() {
    store.close();
  }
}
