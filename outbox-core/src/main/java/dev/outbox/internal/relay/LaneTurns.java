package dev.outbox.internal.relay;

import dev.outbox.internal.relay.base.Durations;
import dev.outbox.internal.relay.base.RelaySettings;
import dev.outbox.internal.relay.base.Tally;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.cluster.ClusterTurns;
import dev.outbox.internal.relay.flight.OpenFlight;
import dev.outbox.internal.relay.flight.Reports;
import dev.outbox.internal.relay.lane.LaneRun;
import dev.outbox.internal.relay.lane.OwnedLanes;
import dev.outbox.internal.relay.lane.Rules;
import dev.outbox.internal.relay.lane.SettleDecision;
import dev.outbox.internal.relay.read.DueReading;
import dev.outbox.internal.relay.read.LookPace;
import dev.outbox.internal.relay.read.Looking;
import dev.outbox.internal.relay.read.ReadyReading;
import dev.outbox.internal.relay.read.Room;
import dev.outbox.internal.relay.settle.Flights;
import dev.outbox.internal.relay.settle.Hands;
import dev.outbox.internal.relay.settle.LeaseKeeper;
import dev.outbox.internal.relay.settle.Presence;
import dev.outbox.internal.relay.settle.Settling;
import dev.outbox.internal.relay.settle.Share;
import dev.outbox.internal.relay.topic.TopicGates;
import dev.outbox.internal.relay.topic.TopicWatch;
import dev.outbox.message.Lane;
import dev.outbox.publish.Publisher;
import dev.outbox.store.LaneStore;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.StoreException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way by lanes: land, settle, keep the leases, look, read, hand out.
 *
 * <p>Used by the loop thread only; publishers answer into the flights, from any thread.
 */
public final class LaneTurns implements Turns {
  private static final Logger log = LoggerFactory.getLogger(LaneTurns.class);
  private static final Duration WHILE_IN_THE_AIR = Duration.ofMillis(100);

  private final LaneStore store;
  private final RelaySettings settings;
  private final Ticker ticker;
  private final Presence presence;
  private final LeaseKeeper keeper;
  private final ClusterTurns clusters;
  private final Settling settling;
  private final Looking looking;
  private final Room room;
  private final DueReading due;
  private final ReadyReading ready;
  private final Hands hands;
  private final Flights flights;

  /** Until every lane is claimed anew, no floor is believed that was stored before. */
  private boolean doubtsFloors;

  private final TopicWatch topics;
  private final Shared shared;

  /** Turns over {@code store}. */
  public LaneTurns(
      OutboxStore store, Publisher publisher, RelaySettings settings, Surroundings surroundings) {
    this.store = store.lanes(settings.name(), settings.leasing().lease());
    this.settings = settings;
    this.ticker = surroundings.ticker();
    this.shared = surroundings.shared();
    TopicGates gates = shared.gates;
    SettleDecision decision = new SettleDecision(settings.retries(), gates::isStrict);
    Rules rules = new Rules(decision, gates, publisher);
    Reports reports = new Reports(settings, surroundings.wake(), ticker, shared.tally);
    this.topics = new TopicWatch(this.store::topics, gates, ticker);
    this.presence = new Presence(this.store.registry(), settings.name(), settings.leasing());
    OwnedLanes owned = new OwnedLanes();
    this.keeper =
        new LeaseKeeper(
            this.store, owned, presence, settings, ticker, rules, store.layout().lanes());
    this.clusters = new ClusterTurns(this.store, keeper, settings, store.layout(), ticker);
    this.settling = new Settling(this.store, keeper, reports, settings, ticker);
    this.looking =
        new Looking(
            this.store,
            owned,
            keeper::freeLanes,
            topics,
            surroundings.doorbell(),
            new LookPace(settings.deadlines().poll(), shared.random),
            settings,
            ticker);
    this.room = new Room(owned, settings.volume(), shared.random);
    this.due = new DueReading(this.store, room, topics, settings.volume().batch(), ticker);
    this.ready = new ReadyReading(this.store, room, looking, topics, reports, ticker);
    this.hands =
        new Hands(
            settings, surroundings.threads(), shared.inThePublisher, surroundings.wake(), ticker);
    this.flights = new Flights(this.store, publisher, keeper, hands, reports, settings, ticker);
  }

  @Override
  public boolean turn() {
    looking.answerTheDoor();
    boolean busy = flights.land();
    busy |= settling.settle();
    if (settling.foundGone()) {
      believeNothing();
      doubtsFloors = true;
    }
    looking.wading().turn();
    busy |= clusters.turn(); // what fails there keeps nothing from being settled
    sayThatItLives();
    looking.look();
    if (clusters.mayWork()) {
      busy |= leaseLanes();
      busy |= due.read();
      busy |= ready.read();
      busy |= flights.handOut();
    }
    tellHowItStands();
    return busy;
  }

  private boolean leaseLanes() {
    boolean leased = keeper.claim();
    if (leased) {
      looking.hasLeased(doubtsFloors);
    }
    doubtsFloors &= keeper.isAnyStale();
    return leased;
  }

  /** Says that this relay lives, and marks lanes above its share to be given back. */
  private void sayThatItLives() {
    boolean useless = hands.areAllStuck();
    boolean away = topics.isAway(ticker.now());
    if (keeper.adjust(useless ? Share.NONE : away ? Share.ONE : Share.FAIR)) {
      topics.refresh(settings.leasing().renewal().dividedBy(2));
    }
  }

  private void tellHowItStands() {
    Ticker.Moment now = ticker.now();
    if (!shared.tally.isTimeToTell(now)) {
      return;
    }
    tellWhatWaits(now);
    looking.ids().leased(keeper.runs());
    shared.tally.stand(
        new Tally.Stand(
            lanes(any -> true),
            lanes(LaneRun::wantsToFlyAlone),
            room.held(),
            hands.stuck(),
            shared.gates.away(now),
            looking.ids().reason(lanes(LaneRun::hasTakenIds)),
            now));
  }

  private Set<Lane> lanes(Predicate<LaneRun> wanted) {
    return keeper.runs().stream().filter(wanted).map(LaneRun::lane).collect(Collectors.toSet());
  }

  /** While a lane is gone through for a probe, what stands in it is not known. */
  private void tellWhatWaits(Ticker.Moment now) {
    boolean unknown = keeper.runs().stream().anyMatch(LaneRun::isGoneThrough);
    Set<String> left = new HashSet<>();
    keeper.runs().forEach(run -> left.addAll(run.reads().left()));
    shared.gates.looked(now, topic -> unknown || left.contains(topic));
  }

  @Override
  public void lookEverywhere() {
    looking.everywhere();
    keeper.hurry();
  }

  @Override
  public void afterFailure(RuntimeException failure) {
    if (!isOfALivingConnection(failure)) {
      believeNothing();
    }
  }

  /** The tables may be an older copy: what is known of ids, held keys and leases is asked anew. */
  private void believeNothing() {
    looking.forget();
    keeper.doubtAll();
  }

  /** Where a table is missing it may come back as another. */
  private static boolean isOfALivingConnection(Throwable failure) {
    return failure instanceof StoreException ofStore
        && (ofStore.isSlow() || (ofStore.isOfItsRows() && ofStore.isTransient()))
        && Stream.of(ofStore.getSuppressed()).allMatch(LaneTurns::isOfALivingConnection);
  }

  @Override
  public boolean windDown() {
    keeper.leaveAll();
    flights.land();
    settling.settle();
    clusters.beatWhenDue();
    keeper.claimDoubtful();
    boolean over = keeper.runs().isEmpty();
    if (over) {
      presence.leave();
    }
    return over;
  }

  @Override
  public void giveUp() {
    keeper.leaveAll();
    Ticker.Moment now = ticker.now();
    for (LaneRun run : keeper.runs()) {
      run.restNoLonger();
      OpenFlight flight = run.flight();
      if (flight != null) {
        log.warn(
            "relay={} closes with a flight of {} unanswered in lane={}, which expires",
            settings.name(),
            flight.aboard().size(),
            run.lane());
        run.abandon(flight, now);
      }
    }
    settling.settleAtLast();
    presence.leave();
  }

  @Override
  public Duration longestRest() {
    Duration rest = clusters.longestRest(settling.longestRest(looking.longestRest()));
    boolean waits = flights.isAnyInTheAir() || hands.wereRefused();
    return waits ? Durations.shorter(rest, WHILE_IN_THE_AIR) : rest;
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
