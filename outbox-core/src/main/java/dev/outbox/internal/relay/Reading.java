package dev.outbox.internal.relay;

import dev.outbox.message.Lane;
import dev.outbox.store.LaneStore;
import dev.outbox.store.LaneStore.Cursor;
import dev.outbox.store.News;
import dev.outbox.store.Stored;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which lanes have work, and reads it.
 *
 * <p>Used by the loop thread only.
 */
/*
 * A lane is read while it has news. News comes from a read that found something (there may be more), from whoever rings, and
 * from a look: one statement over all lanes, which a relay asks more and more seldom while nothing happens, and about once a
 * second while other lanes are busy. So an idle relay costs a statement per poll, and a wake-up one small read.
 */
final class Reading {
  private static final Duration BETWEEN_SWEEPS = Duration.ofMinutes(1);
  private static final int SWEEP_PART = 50;
  private static final Duration BETWEEN_GOING_BACK = Duration.ofMillis(200);
  private static final Duration BETWEEN_READS_OF_ALL = Duration.ofMillis(10);

  private final LaneStore store;
  private final LeaseKeeper keeper;
  private final TopicWatch topics;
  private final RelaySettings settings;
  private final Reports reports;
  private final Ticker ticker;
  private final Doorbell doorbell;
  private final ReadBudget budget;
  private final Horizon horizon;
  private final LookPace pace;
  private Duration betweenSweeps = BETWEEN_SWEEPS;
  private Ticker.Moment lastSweep;
  private Ticker.@Nullable Moment lastLook;
  private Ticker.@Nullable Moment lastGoBack;
  private Ticker.@Nullable Moment lastRead;
  private Ticker.@Nullable Moment lastReadOfAll;
  private Set<String> releasedExcept = Set.of();

  Reading(
      LaneStore store,
      LeaseKeeper keeper,
      TopicWatch topics,
      Reports reports,
      RelaySettings settings,
      Surroundings surroundings) {
    this.store = store;
    this.keeper = keeper;
    this.topics = topics;
    this.settings = settings;
    this.reports = reports;
    this.ticker = surroundings.ticker();
    this.doorbell = surroundings.doorbell();
    this.budget = new ReadBudget(settings.volume());
    this.horizon = new Horizon(store, settings.grace());
    this.pace = new LookPace(settings.deadlines().poll());
    this.lastSweep = ticker.now();
  }

  /** Notes what has been rung for. */
  void answerTheDoor() {
    Doorbell.Rung rung = doorbell.answer(ticker.now());
    if (rung.everywhere()) {
      everywhere();
    }
    for (Lane lane : rung.lanes()) {
      LaneRun run = keeper.run(lane);
      if (run != null) {
        run.news().ready();
      }
    }
  }

  /** Every lane may have something of any kind. */
  void everywhere() {
    keeper.runs().forEach(run -> run.news().everywhere());
    topics.hurry();
    pace.hurry();
    lastLook = null;
  }

  /** Asks in one statement which lanes have work, if nothing is known and it is time to. */
  void look() {
    Ticker.Moment now = ticker.now();
    if (!untilLook(now).isZero()) {
      return;
    }
    lastLook = now;
    horizon.look(now);
    long safe = horizon.safe();
    List<Cursor> cursors = keeper.runs().stream().map(run -> ReadBudget.cursor(run, 1)).toList();
    News news = store.look(cursors, topics.held(now));
    keeper.freeLanes(news.freeLanes());
    for (LaneRun run : keeper.runs()) {
      tell(run, news, safe, now);
    }
    boolean found = !news.ready().isEmpty() || !news.due().isEmpty() || !news.delayed().isEmpty();
    if (found) {
      pace.found(now);
    } else {
      pace.inVain(now);
    }
  }

  /**
   * The time until the next look: by the pace while nothing is known, else about a poll, so that
   * busy lanes do not keep the others from being looked at.
   */
  private Duration untilLook(Ticker.Moment now) {
    Duration age = lastLook == null ? settings.deadlines().poll() : now.since(lastLook);
    Duration left = settings.deadlines().poll().minus(age);
    boolean known = keeper.runs().stream().anyMatch(run -> run.news().hasReady());
    Duration rest = known ? left : shorter(left, pace.left(now));
    return rest.isNegative() ? Duration.ZERO : rest;
  }

  private static void tell(LaneRun run, News news, long safe, Ticker.Moment now) {
    if (news.ready().contains(run.lane())) {
      run.news().ready();
    } else if (run.canRead(now)) {
      run.foundEmpty(safe);
    }
    if (news.due().contains(run.lane())) {
      run.news().due();
    }
    if (news.delayed().contains(run.lane())) {
      run.news().delayed();
    }
  }

  /** Promotes, releases and reads what has fallen due. */
  boolean readDue() {
    Ticker.Moment now = ticker.now();
    boolean found = promote(now);
    found |= release(now);
    List<LaneRun> lanes = lanes(run -> run.canReadDue(now) && run.news().hasDue());
    long bytes = budget.bytes(heldBytes());
    if (lanes.isEmpty() || bytes == 0) {
      return found;
    }
    int limit = budget.perLane(lanes.size(), keeper.runs().size(), held());
    List<Cursor> cursors = lanes.stream().map(run -> new Cursor(run.lane(), 0, limit)).toList();
    Map<Lane, List<Stored>> due = byLane(store.readDue(cursors, bytes, topics.held(now)));
    lanes.forEach(run -> run.beginDue(due.getOrDefault(run.lane(), List.of())));
    return found || due.values().stream().anyMatch(messages -> !messages.isEmpty());
  }

  private boolean promote(Ticker.Moment now) {
    List<LaneRun> lanes =
        keeper.runs().stream()
            .filter(run -> run.isSure(now) && !run.isLeaving() && run.news().hasDelayed())
            .toList();
    if (lanes.isEmpty()) {
      return false;
    }
    int most = settings.volume().batch();
    int promoted = store.promoteDue(lanes.stream().map(LaneRun::lease).toList(), most);
    if (promoted > 0) {
      lanes.forEach(run -> run.news().ready());
    }
    if (promoted < most) {
      lanes.forEach(run -> run.news().promotedAll());
    }
    return promoted > 0;
  }

  /** Lets go on what was held with its topic, once the topic's hold has ended. */
  private boolean release(Ticker.Moment now) {
    Set<String> held = topics.held(now);
    if (!held.equals(releasedExcept)) {
      keeper.runs().forEach(run -> run.news().mayRelease());
      releasedExcept = held;
    }
    List<LaneRun> lanes =
        keeper.runs().stream()
            .filter(run -> run.isSure(now) && run.news().hasReleasable())
            .toList();
    if (lanes.isEmpty()) {
      return false;
    }
    int most = settings.volume().batch();
    int released = store.release(lanes.stream().map(LaneRun::lane).toList(), held, most);
    if (released > 0) {
      lanes.forEach(run -> run.news().due());
    }
    if (released < most) {
      lanes.forEach(run -> run.news().releasedAll(!held.isEmpty()));
    }
    return released > 0;
  }

  /** Reads ready messages of the lanes that are known to have some. */
  boolean readReady() {
    Ticker.Moment now = ticker.now();
    sweepNowAndThen(now);
    Batch.Held ofHeldTopics = ofHeldTopics(now);
    List<LaneRun> lanes = lanes(run -> run.canRead(now));
    long bytes = budget.bytes(heldBytes());
    List<LaneRun> worth = lanes.stream().filter(this::isWorthReading).toList();
    if (bytes == 0 || worth.isEmpty()) {
      return false;
    }
    topics.refresh();
    horizon.look(ticker.now());
    return read(isTimeForAll(now) ? lanes : worth, bytes, ofHeldTopics);
  }

  /** While some lanes are busy, the others are read along now and then. */
  private boolean isTimeForAll(Ticker.Moment now) {
    boolean busy = lastRead != null && now.since(lastRead).compareTo(BETWEEN_READS_OF_ALL) < 0;
    boolean rested =
        lastReadOfAll == null || now.since(lastReadOfAll).compareTo(BETWEEN_READS_OF_ALL) >= 0;
    lastRead = now;
    if (busy && rested) {
      lastReadOfAll = now;
    }
    return busy && rested;
  }

  private boolean isWorthReading(LaneRun run) {
    return run.news().hasReady() || run.floor().isSweeping();
  }

  private boolean read(List<LaneRun> lanes, long bytes, Batch.Held ofHeldTopics) {
    int limit = budget.perLane(lanes.size(), keeper.runs().size(), held());
    long safe = horizon.safe();
    boolean sweeping = lanes.stream().anyMatch(run -> run.floor().isSweeping());
    Ticker.Moment before = ticker.now();
    List<Stored> ready =
        store.read(
            lanes.stream().map(run -> ReadBudget.cursor(run, run.readLimit(limit))).toList(),
            bytes);
    Ticker.Moment after = ticker.now();
    if (sweeping) {
      Duration took = after.since(before).multipliedBy(SWEEP_PART);
      betweenSweeps = took.compareTo(BETWEEN_SWEEPS) > 0 ? took : BETWEEN_SWEEPS;
    }
    Map<Lane, List<Stored>> byLane = byLane(ready);
    for (LaneRun run : lanes) {
      List<Stored> messages = byLane.getOrDefault(run.lane(), List.of());
      if (ready.isEmpty()) {
        run.foundEmpty(safe);
      } else {
        reports.foundLate(run.lane(), run.floor().read(messages, safe));
        boolean whole = messages.size() < run.readLimit(limit) && !isLarge(ready, bytes);
        run.begin(messages, ofHeldTopics, whole);
      }
    }
    ready.stream().mapToLong(Stored::id).max().ifPresent(id -> horizon.saw(id, after));
    if (ready.isEmpty()) {
      pace.inVain(after);
    } else {
      pace.found(after);
      doorbell.found(byLane.keySet());
    }
    return !ready.isEmpty() || lanes.stream().anyMatch(run -> isDueNext(run, after));
  }

  /** True when the store may have cut lanes short: then a lane without messages may have some. */
  private static boolean isLarge(List<Stored> ready, long bytes) {
    return ReadBudget.bytes(ready) > bytes / 4;
  }

  /** What is due had to wait for this read. */
  private static boolean isDueNext(LaneRun run, Ticker.Moment now) {
    return run.news().hasDue() && run.canReadDue(now);
  }

  /**
   * What to do with messages of held topics. While every broker is away they are left, and the next
   * reads begin above them: so a long outage moves nothing, and what comes behind them is found all
   * the same. For a probe, and when it is over, reads begin at the floor again.
   */
  private Batch.Held ofHeldTopics(Ticker.Moment now) {
    boolean away = topics.isAway(now);
    if (!away) {
      keeper.runs().forEach(LaneRun::goBackToTheFloor);
    } else if (topics.mayProbe(now) && isTimeToGoBack(now)) {
      goBackSomewhere();
    }
    return away ? Batch.Held.LEAVE : Batch.Held.PARK;
  }

  private boolean isTimeToGoBack(Ticker.Moment now) {
    boolean rested = lastGoBack == null || now.since(lastGoBack).compareTo(BETWEEN_GOING_BACK) >= 0;
    if (rested) {
      lastGoBack = now;
    }
    return rested;
  }

  /** One lane is enough for a probe. */
  private void goBackSomewhere() {
    List<LaneRun> skipping =
        keeper.runs().stream().filter(run -> run.floor().isSkipping()).toList();
    if (!skipping.isEmpty()) {
      skipping.get(ThreadLocalRandom.current().nextInt(skipping.size())).goBackToTheFloor();
    }
  }

  private void sweepNowAndThen(Ticker.Moment now) {
    if (now.since(lastSweep).compareTo(betweenSweeps) >= 0) {
      lastSweep = now;
      keeper.runs().forEach(run -> run.floor().sweep());
    }
  }

  /** Lanes that can begin a batch, no more than the bound in messages allows. */
  private List<LaneRun> lanes(Predicate<LaneRun> wanted) {
    List<LaneRun> lanes = new ArrayList<>(keeper.runs().stream().filter(wanted).toList());
    int fitting = budget.lanes(held());
    if (lanes.size() > fitting) {
      // whom the bound leaves out is a matter of chance, so that it is not always the same
      Collections.shuffle(lanes);
    }
    return lanes.stream().limit(fitting).sorted(LaneRun.BY_LANE).toList();
  }

  int held() {
    return keeper.runs().stream().mapToInt(LaneRun::size).sum();
  }

  private long heldBytes() {
    return keeper.runs().stream().mapToLong(LaneRun::bytes).sum();
  }

  private static Map<Lane, List<Stored>> byLane(List<Stored> read) {
    Map<Lane, List<Stored>> byLane = new TreeMap<>();
    read.forEach(
        stored -> byLane.computeIfAbsent(stored.lane(), lane -> new ArrayList<>()).add(stored));
    return byLane;
  }

  /** The store did not answer: what is known of the past of its tables may no longer hold. */
  void forget() {
    horizon.forget();
    keeper.runs().forEach(run -> run.floor().forget());
    everywhere();
  }

  /** The longest rest before something is to be looked at. */
  Duration longestRest() {
    Ticker.Moment now = ticker.now();
    Duration rest = shorter(untilLook(now), doorbell.next(now));
    return shorter(rest, topics.untilChange(now));
  }

  static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }
}
