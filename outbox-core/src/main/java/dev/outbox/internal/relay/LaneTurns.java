package dev.outbox.internal.relay;

import dev.outbox.message.Lane;
import dev.outbox.publish.Ordering;
import dev.outbox.publish.Publisher;
import dev.outbox.store.LaneStore;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.Stored;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way by lanes: land, settle, keep the leases, read, hand out.
 *
 * <p>Used by the loop thread only; publishers answer into the flights, from any thread.
 */
public final class LaneTurns implements Turns {
  private static final Logger log = LoggerFactory.getLogger(LaneTurns.class);

  private final LaneStore store;
  private final Publisher publisher;
  private final Ordering ordering;
  private final RelaySettings settings;
  private final Executor executor;
  private final Ticker ticker;
  private final Presence presence;
  private final LeaseKeeper keeper;
  private final ReadBudget budget;
  private final FlightSize flightSize;
  private final Reports reports;
  private final Settling settling;

  /** Turns over {@code store}; {@code wake} is called when the loop has something to look at. */
  public LaneTurns(
      OutboxStore store, Publisher publisher, RelaySettings settings, Surroundings surroundings) {
    this.store = store.lanes(settings.name(), settings.leasing().lease());
    this.publisher = publisher;
    this.ordering = Objects.requireNonNull(publisher.ordering(), "ordering");
    this.settings = settings;
    this.executor = surroundings.executor();
    this.ticker = surroundings.ticker();
    this.presence = new Presence(this.store.registry(), settings.name(), settings.leasing());
    this.keeper = new LeaseKeeper(this.store, presence, settings, ticker, store.layout().lanes());
    this.budget = new ReadBudget(settings.volume());
    this.flightSize = new FlightSize(settings.deadlines().publish(), settings.volume().batch());
    this.reports = new Reports(settings, surroundings.wake(), ticker);
    this.settling = new Settling(this.store, keeper, reports, settings, ticker);
  }

  @Override
  public boolean turn() {
    boolean busy = land();
    busy |= settling.settle();
    keeper.adjust();
    busy |= keeper.claim();
    busy |= readDue();
    busy |= readReady();
    busy |= handOut();
    return busy;
  }

  /** Takes the answers of the flights that are over, and of those past their deadline. */
  private boolean land() {
    reports.ignoredAnswers();
    boolean landed = false;
    for (LaneRun run : keeper.runs()) {
      OpenFlight flight = run.flight();
      if (flight != null) {
        landed |= land(run, flight, ticker.now());
      }
    }
    return landed;
  }

  private boolean land(LaneRun run, OpenFlight flight, Ticker.Moment now) {
    if (flight.isGrounded()) {
      run.takeBack();
      return false;
    }
    Duration airborne = flight.airborne(now);
    if (airborne == null) {
      return false;
    }
    boolean late = airborne.compareTo(settings.deadlines().publish()) >= 0;
    if (!flight.isAnswered() && !late) {
      return false;
    }
    flightSize.learn(flight.aboard().size(), airborne);
    run.land(flight, now);
    return true;
  }

  /**
   * Looks for parked and delayed messages that have fallen due, about twice a second for every
   * lane. The time is kept lane by lane: with one for all, a lane that is busy whenever the others
   * are looked at would never be.
   */
  private boolean readDue() {
    Ticker.Moment now = ticker.now();
    List<LaneRun> idle = idle(run -> run.canReadDue(now));
    if (idle.stream().noneMatch(run -> run.needsDueLook(now))) {
      return false;
    }
    int perLane = budget.perLane(idle.size(), held());
    int promoted =
        store.promoteDue(idle.stream().map(LaneRun::lease).toList(), settings.volume().batch());
    List<Stored> due =
        store.readDue(
            idle.stream().map(run -> new LaneStore.Cursor(run.lane(), 0, perLane)).toList(),
            settings.volume().bytes(),
            java.util.Set.of());
    boolean found = promoted > 0 || !due.isEmpty();
    idle.forEach(run -> run.lookedForDue(found ? null : now));
    begin(due, List.of());
    return found;
  }

  private boolean readReady() {
    Ticker.Moment now = ticker.now();
    List<LaneRun> idle = idle(run -> run.canRead(now));
    if (idle.isEmpty()) {
      return false;
    }
    int perLane = budget.perLane(idle.size(), held());
    List<LaneStore.Cursor> cursors =
        idle.stream()
            .map(run -> new LaneStore.Cursor(run.lane(), run.lease().floor(), perLane))
            .toList();
    List<Stored> ready = store.read(cursors, settings.volume().bytes());
    begin(ready, idle);
    return !ready.isEmpty();
  }

  /** Lanes that can begin a batch, no more than the bounds in messages and bytes allow. */
  private List<LaneRun> idle(Predicate<LaneRun> wanted) {
    List<LaneRun> idle = new ArrayList<>(keeper.runs().stream().filter(wanted).toList());
    int fitting = budget.lanes(held());
    if (idle.size() > fitting) {
      // whom the bounds leave out is a matter of chance, so that it is not always the same
      Collections.shuffle(idle);
    }
    return idle.stream().limit(fitting).toList();
  }

  private int held() {
    return keeper.runs().stream().mapToInt(LaneRun::size).sum();
  }

  /**
   * Begins the batches of a read; the lanes {@code asked} learn it also when there was nothing for
   * them.
   */
  private void begin(List<Stored> read, List<LaneRun> asked) {
    budget.learn(read);
    Map<Lane, List<Stored>> byLane = new TreeMap<>();
    asked.forEach(run -> byLane.put(run.lane(), new ArrayList<>()));
    read.forEach(
        stored -> byLane.computeIfAbsent(stored.lane(), lane -> new ArrayList<>()).add(stored));
    byLane.forEach(
        (lane, messages) -> {
          LaneRun run = keeper.run(lane);
          if (run != null) {
            run.begin(messages);
          }
        });
  }

  /** Gives every lane's next flight to the publish threads. */
  private boolean handOut() {
    boolean any = false;
    for (LaneRun run : keeper.runs()) {
      boolean free = run.flight() == null;
      OpenFlight flight = run.nextFlight(ordering, flightSize.get(), ticker.now(), reports);
      if (free && flight != null) {
        executor.execute(publishing(run, flight));
        any = true;
      }
    }
    return any;
  }

  private PublishTask publishing(LaneRun run, OpenFlight flight) {
    return new PublishTask(
        publisher, flight, ticker, settings.deadlines().publish(), () -> run.isSure(ticker.now()));
  }

  @Override
  public void lookEverywhere() {
    keeper.runs().forEach(run -> run.lookedForDue(null));
    keeper.hurry();
  }

  @Override
  public boolean windDown() {
    keeper.leaveAll();
    land();
    settling.settle();
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
    settling.settle();
    presence.leave();
  }

  @Override
  public Duration longestRest() {
    boolean inTheAir = keeper.runs().stream().anyMatch(run -> run.flight() != null);
    return inTheAir ? Duration.ofMillis(100) : settings.deadlines().poll();
  }

  @Override
  public void close() {
    store.close();
  }
}
