package dev.outbox.internal.relay.read;

import dev.outbox.internal.relay.base.Durations;
import dev.outbox.internal.relay.base.RelaySettings;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.base.Visible;
import dev.outbox.internal.relay.lane.Lanes;
import dev.outbox.internal.relay.lane.OwnedLanes;
import dev.outbox.internal.relay.lane.ReadableLane;
import dev.outbox.internal.relay.topic.TopicWatch;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.LaneStore.Cursor;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.PendingLanes;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which lanes have work.
 *
 * <p>Used by the loop thread only.
 */
/*
 * A lane is read while it has news. News comes from a read that found something (there may be more), from a wake-up,
 * and from a look: one statement over all lanes, which a relay asks more and more seldom, and
 * about once a second while other lanes are busy. So an idle relay costs a statement per poll, and a wake-up one small
 * read.
 */
public final class WorkFinder {
  private final LaneStore store;
  private final OwnedLanes owned;
  private final IntConsumer freeLanes;
  private final TopicWatch topics;
  private final RelaySettings settings;
  private final Ticker ticker;
  private final WakeupQueue wakeupQueue;
  private final VisibleIds visibleIds;
  private final IdWatch ids;
  private final PollBackoff pace;
  private final RetryTimes retryTimes;
  private final ColdReadThrottle coldReadThrottle;
  private final Set<Lane> told = new HashSet<>();
  private Ticker.@Nullable Moment lastLook;
  private Ticker.@Nullable Moment lastUntold;

  /** {@code freeLanes} is told how many lanes without an owner a look has seen. */
  public WorkFinder(
      LaneStore store,
      OwnedLanes owned,
      IntConsumer freeLanes,
      TopicWatch topics,
      WakeupQueue wakeupQueue,
      PollBackoff pace,
      RelaySettings settings,
      Ticker ticker) {
    this.store = store;
    this.owned = owned;
    this.freeLanes = freeLanes;
    this.topics = topics;
    this.settings = settings;
    this.ticker = ticker;
    this.wakeupQueue = wakeupQueue;
    this.coldReadThrottle = new ColdReadThrottle(owned::readable, ticker);
    this.visibleIds =
        new VisibleIds(
            store,
            settings.grace(),
            ticker,
            id -> owned.readable().forEach(run -> run.lowerClear(id)));
    this.ids = new IdWatch(store, settings.name(), ticker);
    this.pace = pace;
    this.retryTimes = new RetryTimes(ticker.now());
  }

  /** Up to where all ids are visible. */
  VisibleIds visibleIds() {
    return visibleIds;
  }

  /** Whether ids rise. */
  public IdWatch ids() {
    return ids;
  }

  /** How many lanes one statement may wade through. */
  public ColdReadThrottle coldReadThrottle() {
    return coldReadThrottle;
  }

  /** Notes what has been woken for. */
  public void takeWakeups() {
    WakeupQueue.Woken woken = wakeupQueue.take(ticker.now());
    if (woken.everywhere()) {
      everywhere();
    }
    for (Lane lane : woken.lanes()) {
      ReadableLane run = owned.run(lane);
      if (run != null) {
        run.mayHaveReady();
        told.add(lane);
      }
    }
  }

  /** Every lane may have something of any kind. */
  public void everywhere() {
    owned.readable().forEach(ReadableLane::mayHaveAny);
    topics.hurry();
    pace.hurry();
    lastLook = null;
  }

  /** Asks in one statement which lanes have work, if nothing is known and it is time to. */
  public void look() {
    Ticker.Moment now = ticker.now();
    watchIds(now);
    for (ReadableLane run : owned.readable().awake()) {
      run.takeRests().forEach(rest -> retryTimes.add(rest, now));
    }
    if (isAnyWaiting()) {
      visibleIds.look(now);
    }
    if (!untilLook(now).isZero()) {
      return;
    }
    lastLook = now;
    retryTimes.passed(now);
    visibleIds.look(now);
    Visible seen = visibleIds.visible();
    Set<ReadableLane> asked =
        Set.copyOf(isReadToWade(now) ? withFloors() : coldReadThrottle.few(owned.readable(), now));
    PendingLanes pendingLanes = news(asked, now);
    boolean clear = visibleIds.wasClear();
    freeLanes.accept(pendingLanes.freeLanes());
    boolean found = owned.readable().any(run -> run.isNews(pendingLanes, now));
    for (ReadableLane run : owned.readable()) {
      run.mayHaveDue(pendingLanes);
      if (clear && asked.contains(run)) {
        tellReady(run, pendingLanes, seen, now);
      }
    }
    if (found) {
      foundUntold(now);
    } else {
      pace.inVain(now);
    }
  }

  private void watchIds(Ticker.Moment now) {
    if (ids.look(this::highestKnown, now)) {
      forgetIds();
    }
    visibleIds.limit(ids.ceiling());
  }

  private long highestKnown() {
    return Math.max(visibleIds.seen(), owned.readable().highest(run -> run.floor()));
  }

  private void forgetIds() {
    visibleIds.forget();
    coldReadThrottle.forget();
    owned.readable().forEach(run -> run.startOver());
    everywhere();
  }

  /** Lanes were leased: of ids that went back their floors and suspects know nothing. */
  public void noteLeased(boolean doubtsFloors) {
    ids.leased(owned.readable());
    if (doubtsFloors || ids.wentBack()) {
      forgetIds();
    }
  }

  /**
   * Where wading is slow, what is known to be there is read before anything else is waded through.
   * Elsewhere lanes that are always busy would keep the others from being looked at.
   */
  private boolean isReadToWade(Ticker.Moment now) {
    return !coldReadThrottle.wasQuick()
        && owned
            .readable()
            .awake()
            .any(
                run ->
                    run.hasReady()
                        && run.isLow()
                        && run.canRead(now)
                        && !coldReadThrottle.restsAlone(run.lane(), now));
  }

  private Lanes<ReadableLane> withFloors() {
    return owned.readable().those(run -> !run.isLow());
  }

  /** Of the others it asks only for what is due, which needs no wading. */
  private PendingLanes news(Set<ReadableLane> asked, Ticker.Moment now) {
    List<Cursor> cursors =
        owned
            .readable()
            .each(
                run ->
                    asked.contains(run)
                        ? run.lookCursor()
                        : new Cursor(run.lane(), Long.MAX_VALUE, 1));
    return coldReadThrottle.timed(asked, () -> store.look(cursors, topics.held(now)));
  }

  /**
   * The time until the next look: until a message that failed here falls due; by the pace while
   * nothing is known, else about a poll, so that busy lanes do not keep the others from being
   * looked at.
   */
  private Duration untilLook(Ticker.Moment now) {
    Duration age = lastLook == null ? settings.deadlines().poll() : now.since(lastLook);
    Duration left = settings.deadlines().poll().minus(age);
    boolean known = owned.readable().awake().any(run -> run.hasReady() && run.isSure(now));
    Duration rest = known ? left : Durations.shorter(left, pace.left(now));
    rest = Durations.shorter(rest, retryTimes.untilNext(now));
    return rest.isNegative() ? Duration.ZERO : rest;
  }

  private static void tellReady(
      ReadableLane run, PendingLanes pendingLanes, Visible seen, Ticker.Moment now) {
    if (pendingLanes.ready().contains(run.lane())) {
      run.mayHaveReady();
    } else if (run.canRead(now)) {
      run.foundEmpty(seen);
    }
  }

  /**
   * A read of ready messages from these lanes {@code found} some, or nothing. What a wake-up has
   * told of is no reason to look again soon: where writers tell of all that they commit, looks find
   * nothing.
   */
  void noteRead(Lanes<ReadableLane> read, Set<Lane> found, Ticker.Moment now) {
    if (found.isEmpty()) {
      pace.inVain(now);
    } else if (!told.containsAll(found)) {
      foundUntold(now);
    }
    read.forEach(run -> told.remove(run.lane()));
    wakeupQueue.found(found);
  }

  private void foundUntold(Ticker.Moment now) {
    lastUntold = now;
    pace.found(now);
  }

  /** True when within the last poll something was there that no wake-up had told of. */
  boolean wasAnyUntold(Ticker.Moment now) {
    return now.isWithin(settings.deadlines().poll(), lastUntold);
  }

  /** The store did not answer: what is known of the past of its tables may no longer hold. */
  public void forget() {
    visibleIds.forget();
    coldReadThrottle.forget();
    owned.readable().forEach(run -> run.forget());
    ids.doubt();
    everywhere();
  }

  /** The longest rest before something is to be looked at. */
  public Duration longestRest() {
    Ticker.Moment now = ticker.now();
    Duration rest = Durations.shorter(untilLook(now), wakeupQueue.next(now));
    Duration wade = isReadToWade(now) ? coldReadThrottle.left(now) : Duration.ZERO;
    rest = wade.isZero() ? rest : Durations.shorter(rest, wade);
    rest = isAnyWaiting() ? Durations.shorter(rest, VisibleIds.BETWEEN_LOOKS) : rest;
    return Durations.shorter(rest, topics.untilChange(now));
  }

  /** True when a lane is not read on until the safe id has passed what was left there. */
  private boolean isAnyWaiting() {
    return owned.readable().awake().any(run -> run.isWaiting(visibleIds.safe()));
  }
}
