package dev.outbox.internal.relay.read;

import dev.outbox.internal.relay.base.Durations;
import dev.outbox.internal.relay.base.Spacing;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.flight.Reports;
import dev.outbox.internal.relay.lane.Batch;
import dev.outbox.internal.relay.lane.LaneRun;
import dev.outbox.internal.relay.topic.TopicWatch;
import dev.outbox.message.Lane;
import dev.outbox.store.LaneStore;
import dev.outbox.store.LaneStore.Cursor;
import dev.outbox.store.Stored;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads ready messages: of the lanes that have news above their floor, from below it where a sweep
 * found something, and from the floor again where messages were left for a broker that is away.
 *
 * <p>Used by the loop thread only.
 */
public final class ReadyReading {
  private static final Duration BUSY = Duration.ofMillis(10);
  private static final Duration SLOW = Duration.ofMillis(5);

  private final LaneStore store;
  private final Room room;
  private final Looking looking;
  private final TopicWatch topics;
  private final Passing passing;
  private final GoingBack goingBack;
  private final Reports reports;
  private final Ticker ticker;
  private final Sweep sweep;
  private final Spacing readsOfAll = new Spacing(BUSY, 20);
  private Ticker.@Nullable Moment lastRead;

  public ReadyReading(
      LaneStore store,
      Room room,
      Looking looking,
      TopicWatch topics,
      Reports reports,
      Ticker ticker) {
    this.store = store;
    this.room = room;
    this.looking = looking;
    this.topics = topics;
    this.passing = new Passing(topics);
    this.goingBack = new GoingBack(room, topics);
    this.reports = reports;
    this.ticker = ticker;
    this.sweep = new Sweep(store, ticker);
  }

  /** Reads ready messages of the lanes that are known to have some. */
  public boolean read() {
    Ticker.Moment now = ticker.now();
    sweep.goOn(room.runs());
    Batch.Held ofHeldTopics = ofHeldTopics(now);
    List<LaneRun> lanes = room.lanes(run -> run.canRead(now) && !isWaiting(run));
    long bytes = room.bytes();
    List<LaneRun> worth = lanes.stream().filter(this::isWorthReading).toList();
    if (bytes == 0 || worth.isEmpty()) {
      return false;
    }
    topics.refresh();
    looking.horizon().look(ticker.now());
    boolean all = isTimeForAll(now);
    Set<String> left = passing.topics(room.runs(), topics.isAway(now), now);
    Ticker.Moment before = ticker.now();
    boolean busy =
        left.isEmpty()
            ? readFew(all ? lanes : worth, bytes, ofHeldTopics)
            : readPast(left, lanes, bytes);
    if (all) {
      readsOfAll.took(Durations.shorter(ticker.now().since(before), SLOW));
    }
    return busy;
  }

  /** While some lanes are busy, the others are read along now and then, at most each 100 ms. */
  private boolean isTimeForAll(Ticker.Moment now) {
    boolean busy = lastRead != null && now.since(lastRead).compareTo(BUSY) < 0;
    lastRead = now;
    return busy && readsOfAll.begins(now);
  }

  /** What is left out for now, and does not rest, is read in the turn that follows. */
  private boolean readFew(List<LaneRun> lanes, long bytes, Batch.Held ofHeldTopics) {
    List<LaneRun> few = looking.wading().few(lanes, ticker.now());
    boolean busy = !few.isEmpty() && read(few, bytes, ofHeldTopics);
    List<LaneRun> left = lanes.stream().filter(run -> !few.contains(run)).toList();
    return busy || looking.wading().isAnyNext(left, ticker.now());
  }

  private boolean isWaiting(LaneRun run) {
    return run.floor().isWaiting(looking.horizon().safe());
  }

  private boolean isWorthReading(LaneRun run) {
    return run.news().hasReady() || run.floor().isSweeping();
  }

  private boolean read(List<LaneRun> lanes, long bytes, Batch.Held ofHeldTopics) {
    int limit = room.perLane(lanes);
    long safe = looking.horizon().safe();
    List<Cursor> cursors = lanes.stream().map(run -> run.cursor(run.reads().limit(limit))).toList();
    List<Stored> ready = looking.wading().timed(lanes, () -> store.read(cursors, bytes));
    Ticker.Moment after = ticker.now();
    Map<Lane, List<Stored>> byLane = ready.stream().collect(Collectors.groupingBy(Stored::lane));
    for (LaneRun run : lanes) {
      List<Stored> messages = byLane.getOrDefault(run.lane(), List.of());
      if (ready.isEmpty()) {
        run.reads().foundEmpty(safe);
      } else {
        int late = run.floor().read(messages, safe);
        reports.foundLate(run.lane(), late);
        if (late > 0) {
          looking.ids().doubt();
        }
        boolean whole = messages.size() < run.reads().limit(limit) && !isLarge(ready, bytes);
        run.begin(messages, ofHeldTopics, whole);
      }
    }
    hasRead(ready, byLane.keySet());
    return !ready.isEmpty() || lanes.stream().anyMatch(run -> isDueNext(run, after));
  }

  private boolean readPast(Set<String> held, List<LaneRun> lanes, long bytes) {
    int limit = room.perLane(lanes);
    long safe = looking.horizon().safe();
    List<Stored> ready =
        store.readPast(
            lanes.stream().map(run -> run.cursorPast(limit)).toList(), bytes, held, Passing.REACH);
    Map<Lane, List<Stored>> byLane = ready.stream().collect(Collectors.groupingBy(Stored::lane));
    for (LaneRun run : lanes) {
      List<Stored> messages = byLane.getOrDefault(run.lane(), List.of());
      if (ready.isEmpty()) {
        run.floor().emptyPast(Math.min(safe, run.floor().cursorPast() + Passing.REACH));
      }
      run.floor().readPast(messages, safe);
      run.beginPast(messages);
    }
    hasRead(ready.isEmpty() ? beyond(lanes) : ready, byLane.keySet());
    List<LaneRun> silent = lanes.stream().filter(run -> !byLane.containsKey(run.lane())).toList();
    if (!ready.isEmpty() && !silent.isEmpty() && passing.isFirst() && room.bytes() > 0) {
      readPast(held, silent, room.bytes()); // only a read that finds nothing at all says so surely
    }
    boolean others = room.held() > 0;
    passing.hasPassed(others);
    return !ready.isEmpty() || !others; // without others the next read moves what is held
  }

  /** Something beyond the reach of reads past, if there is any: only what was seen becomes safe. */
  private List<Stored> beyond(List<LaneRun> lanes) {
    return store.read(
        lanes.stream()
            .map(run -> new Cursor(run.lane(), run.floor().cursorPast() + Passing.REACH, 1))
            .toList(),
        1);
  }

  private void hasRead(List<Stored> ready, Set<Lane> found) {
    Ticker.Moment after = ticker.now();
    ready.stream().mapToLong(Stored::id).max().ifPresent(id -> looking.horizon().saw(id, after));
    looking.hasRead(found, after);
  }

  /** True when the store may have cut lanes short: then a lane without messages may have some. */
  private static boolean isLarge(List<Stored> ready, long bytes) {
    return Batch.bytes(ready) > bytes / 4;
  }

  /** What is due had to wait for this read. */
  private static boolean isDueNext(LaneRun run, Ticker.Moment now) {
    return run.news().hasDue() && run.canReadDue(now);
  }

  /**
   * What to do with messages of held topics. While every broker is away they are left, and the next
   * reads begin above them: so a long outage moves nothing, and what comes behind them is found all
   * the same. For a probe, and when it is over, reads begin at the floor again. While ids are given
   * again nothing is left: what comes next may stand anywhere below.
   */
  private Batch.Held ofHeldTopics(Ticker.Moment now) {
    boolean away = topics.isAway(now) && !looking.ids().wentBack();
    if (away) {
      goingBack.forAProbe(now);
    } else {
      goingBack.forAll();
    }
    return away ? Batch.Held.LEAVE : Batch.Held.PARK;
  }
}
