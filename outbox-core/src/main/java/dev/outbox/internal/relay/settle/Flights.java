package dev.outbox.internal.relay.settle;

import dev.outbox.StoreException;
import dev.outbox.internal.relay.base.LockPatience;
import dev.outbox.internal.relay.base.LockWaits;
import dev.outbox.internal.relay.base.RelaySettings;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.flight.FlightSize;
import dev.outbox.internal.relay.flight.OpenFlight;
import dev.outbox.internal.relay.flight.PublishTask;
import dev.outbox.internal.relay.flight.RelayEvents;
import dev.outbox.internal.relay.lane.LaneRun;
import dev.outbox.internal.relay.lane.Lanes;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Publisher.Ordering;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.Suspect;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes flights off and lands them.
 *
 * <p>Used by the loop thread only; publishers answer into the flights, from any thread.
 */
public final class Flights {
  private static final Logger log = LoggerFactory.getLogger(Flights.class);

  private final LaneStore store;
  private final Publisher publisher;
  private final Ordering ordering;
  private final LeaseKeeper keeper;
  private final LockedLanes lockedLanes;
  private final LockWaits lockWaits;
  private final RelaySettings settings;
  private final Ticker ticker;
  private final RelayEvents relayEvents;
  private final PublishSlots publishSlots;
  private final FlightSize flightSize;
  private boolean quick = true;

  public Flights(
      LaneStore store,
      Publisher publisher,
      LeaseKeeper keeper,
      LockedLanes lockedLanes,
      LockWaits lockWaits,
      PublishSlots publishSlots,
      RelayEvents relayEvents,
      RelaySettings settings,
      Ticker ticker) {
    this.store = store;
    this.publisher = publisher;
    this.ordering = Objects.requireNonNull(publisher.ordering(), "ordering");
    this.keeper = keeper;
    this.lockedLanes = lockedLanes;
    this.lockWaits = lockWaits;
    this.settings = settings;
    this.ticker = ticker;
    this.relayEvents = relayEvents;
    this.publishSlots = publishSlots;
    this.flightSize = new FlightSize(settings.deadlines().publish(), settings.volume().batch());
  }

  /** Takes the answers of the flights that are over, and of those past their deadline. */
  public boolean land() {
    relayEvents.ignoredAnswers();
    publishSlots.groundForgotten();
    boolean landed = false;
    for (LaneRun run : keeper.runs().awake()) {
      OpenFlight flight = run.flight();
      if (flight != null) {
        landed |= land(run, flight, ticker.now());
      }
    }
    if (!lockWaits.hadWaited()) {
      restoreSuspects(false);
    }
    return landed;
  }

  /** There is no later time: what has no answer, or cannot be written back, is logged. */
  public void giveUp() {
    for (LaneRun run : keeper.runs()) {
      OpenFlight flight = run.flight();
      if (flight != null) {
        log.warn(
            "relay={} closes although {} messages of lane={} have no answer from the publisher; they are published again after its lease",
            settings.name(),
            flight.aboard().size(),
            run.lane());
        run.abandon(flight, ticker.now());
      }
    }
    restoreSuspects(true);
  }

  /** Writes back what rows said of messages whose flights were no deaths. */
  private void restoreSuspects(boolean atLast) {
    for (LaneRun run : keeper.runs().awake()) {
      Suspect suspect = run.suspectToRestore();
      if (suspect != null && (atLast || !(run.isLocked() || lockWaits.hasWaited()))) {
        restore(run, suspect, atLast);
      }
    }
  }

  private void restore(LaneRun run, Suspect suspect, boolean atLast) {
    Ticker.Moment begun = ticker.now();
    try {
      if (store.restoreSuspect(run.lease(), suspect)) {
        run.suspectRestored(suspect);
      } else {
        run.restoreNoSuspect();
      }
    } catch (StoreException e) {
      if (!e.isOfItsRows()) {
        throw e;
      }
      if (LockPatience.isLocked(e) && !atLast) {
        lockedLanes.waited(e, begun);
        if (!run.isLocked()) {
          throw e;
        }
        return;
      }
      run.restoreNoSuspect();
      log.warn(
          "relay={} lane={} counts one death too many of its message with the row id {}: {}",
          settings.name(),
          run.lane(),
          suspect.id(),
          e.getMessage());
    }
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
    boolean answered = flight.isAnswered();
    if (!answered && !late) {
      return false;
    }
    Duration published = answered ? airborne.minus(now.surelySince(flight.lastAnswer())) : airborne;
    flightSize.learn(flight.aboard().size(), airborne);
    quick = published.compareTo(settings.deadlines().linger()) < 0;
    relayEvents.landed(flight, published);
    run.land(flight, now);
    return true;
  }

  /** Gives every lane's next flight to the publish threads. */
  public boolean handOut() {
    Lanes<LaneRun> awake = keeper.runs().awake();
    if (awake.isEmpty()
        || publishSlots.areAllStuck()
        || publishSlots.wereRefused()
        || awake.any(LaneRun::isFlyingAlone)) {
      return false;
    }
    LaneRun alone = awake.first(LaneRun::wantsToFlyAlone);
    if (alone != null) {
      return !isAnyInFlight() && !lockWaits.hasWaited() && handOutAlone(alone);
    }
    boolean any = false;
    for (LaneRun run : awake) {
      if (run.flight() == null) {
        any |= handOut(run, run.nextFlight(ordering, flightSize.get(), ticker.now(), relayEvents));
      }
    }
    return any;
  }

  /** The message is noted before it flies, so that its death would not be taken for another's. */
  private boolean handOutAlone(LaneRun run) {
    OpenFlight flight = run.nextFlight(ordering, 1, ticker.now(), relayEvents);
    if (flight == null) {
      return run.isReadyToSettle(ticker.now());
    }
    run.noteSuspect(flight);
    Ticker.Moment begun = ticker.now();
    boolean ours;
    try {
      ours = store.suspect(run.lease(), flight.aboard().get(0));
    } catch (RuntimeException e) {
      flight.ground();
      run.takeBack();
      if (e instanceof StoreException refused && refused.isOfItsRows()) {
        run.restoreNoSuspect();
        if (LockPatience.isLocked(refused)) {
          lockedLanes.waited(refused, begun);
          if (run.isLocked()) {
            return true;
          }
        }
      }
      throw e;
    }
    if (!ours) {
      flight.ground();
      relayEvents.fenced(run.lane());
      keeper.drop(run.lane());
      return true;
    }
    return handOut(run, flight);
  }

  private boolean handOut(LaneRun run, @Nullable OpenFlight flight) {
    if (flight == null) {
      return false;
    }
    relayEvents.handedOut(flight);
    publishSlots.give(
        new PublishTask(
            publisher,
            flight,
            ticker,
            settings.deadlines().publish(),
            () -> run.isSure(ticker.now())));
    return true;
  }

  /** True when something waits to be handed out, and nothing in flight keeps it waiting. */
  public boolean isAnythingLeft() {
    return !isAnyInFlight() && keeper.runs().awake().any(LaneRun::hasWaiting);
  }

  /** True when the publisher took less time for the last flight than finished messages linger. */
  public boolean areQuick() {
    return quick;
  }

  /** The loop rests after a failure: a flight that has ended, or ends meanwhile, ends the rest. */
  public void signalEnds() {
    if (await()) {
      relayEvents.flightIsOver();
    }
  }

  /** Asks each flight to signal its end. True when one has ended before. */
  public boolean await() {
    boolean ended = false;
    for (LaneRun run : keeper.runs().awake()) {
      OpenFlight flight = run.flight();
      ended |= flight != null && flight.await();
    }
    return ended;
  }

  /** How many messages have no answer; at least one while a flight has not landed. */
  public int unanswered() {
    int unanswered = 0;
    for (LaneRun run : keeper.runs().awake()) {
      OpenFlight flight = run.flight();
      unanswered += flight == null ? 0 : Math.max(1, flight.unanswered());
    }
    return unanswered;
  }

  public boolean isAnyInFlight() {
    return keeper.runs().awake().any(run -> run.flight() != null);
  }
}
