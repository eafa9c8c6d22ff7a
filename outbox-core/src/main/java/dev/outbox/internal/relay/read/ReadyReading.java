package dev.outbox.internal.relay.read;

import dev.outbox.internal.relay.base.Durations;
import dev.outbox.internal.relay.base.DutyCycle;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.base.Visible;
import dev.outbox.internal.relay.batch.Batch;
import dev.outbox.internal.relay.flight.RelayEvents;
import dev.outbox.internal.relay.lane.Lanes;
import dev.outbox.internal.relay.lane.ReadableLane;
import dev.outbox.internal.relay.record.Recording;
import dev.outbox.internal.relay.topic.TopicWatch;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.LaneStore.Cursor;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads ready messages: of the lanes that have news above their floor, from below it where a sweep
 * found something, and from the floor again where messages were left for a broker that is down.
 *
 * <p>Used by the loop thread only.
 */
public final class ReadyReading {
  private static final Duration BUSY = Duration.ofMillis(10);
  private static final Duration SLOW = Duration.ofMillis(5);

  private final LaneStore store;
  private final ReadCapacity readCapacity;
  private final WorkFinder workFinder;
  private final TopicWatch topics;
  private final HeldTopicBypass heldTopicBypass;
  private final ProbeRewind probeRewind;
  private final RelayEvents relayEvents;
  private final Ticker ticker;
  private final LateCommitSweep lateCommitSweep;
  private final DutyCycle readsOfAll = new DutyCycle(BUSY, 20);
  private Ticker.@Nullable Moment lastRead;

  public ReadyReading(
      LaneStore store,
      ReadCapacity readCapacity,
      WorkFinder workFinder,
      TopicWatch topics,
      RelayEvents relayEvents,
      Ticker ticker) {
    this.store = store;
    this.readCapacity = readCapacity;
    this.workFinder = workFinder;
    this.topics = topics;
    this.heldTopicBypass = new HeldTopicBypass(topics);
    this.probeRewind = new ProbeRewind(readCapacity, topics);
    this.relayEvents = relayEvents;
    this.ticker = ticker;
    this.lateCommitSweep = new LateCommitSweep(store, ticker);
  }

  /** Reads ready messages of the lanes that are known to have some. */
  public boolean read() {
    Ticker.Moment now = ticker.now();
    lateCommitSweep.goOn(readCapacity.runs());
    Batch.Held ofHeldTopics = ofHeldTopics(now);
    if (!readCapacity.runs().awake().any(ReadableLane::isWorthReading)) {
      return false;
    }
    Lanes<ReadableLane> lanes = readCapacity.lanes(run -> run.canRead(now) && !isWaiting(run));
    long bytes = readCapacity.bytes();
    Lanes<ReadableLane> worth = lanes.those(ReadableLane::isWorthReading);
    if (bytes == 0 || worth.isEmpty()) {
      return false;
    }
    topics.refresh();
    workFinder.visibleIds().lookBeforeRead(ticker.now());
    boolean all = isTimeForAll(now);
    Set<String> left = heldTopicBypass.topics(readCapacity.runs(), topics.isDown(now), now);
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

  /** True when more can be read, ready or due, than the reads of this turn have taken. */
  public boolean isAnythingLeft() {
    Ticker.Moment now = ticker.now();
    return readCapacity
        .runs()
        .awake()
        .any(
            run ->
                run.canReadDue(now)
                    || (run.isWorthReading() && run.canRead(now) && !isWaiting(run)));
  }

  /** Ends the rests after slow reads. True when these kept something from being read. */
  public boolean endRests() {
    return workFinder.coldReadThrottle().endRests(ticker.now()) && isAnythingLeft();
  }

  /**
   * While some lanes are busy, the others are read along now and then, each 10 to 100 ms, unless
   * wake-ups tell of all that is there.
   */
  private boolean isTimeForAll(Ticker.Moment now) {
    boolean busy = now.isWithin(BUSY, lastRead);
    lastRead = now;
    return busy && workFinder.wasAnyUntold(now) && readsOfAll.begins(now);
  }

  /** What is left out for now, and does not rest, is read in the turn that follows. */
  private boolean readFew(Lanes<ReadableLane> lanes, long bytes, Batch.Held ofHeldTopics) {
    Lanes<ReadableLane> few = workFinder.coldReadThrottle().few(lanes, ticker.now());
    boolean busy = !few.isEmpty() && read(few, bytes, ofHeldTopics);
    return busy
        || workFinder
            .coldReadThrottle()
            .isAnyNext(lanes.those(run -> !few.contains(run)), ticker.now());
  }

  private boolean isWaiting(ReadableLane run) {
    return run.isWaiting(workFinder.visibleIds().safe());
  }

  private boolean read(Lanes<ReadableLane> lanes, long bytes, Batch.Held ofHeldTopics) {
    int limit = limit(lanes, ofHeldTopics);
    Visible seen = workFinder.visibleIds().visible();
    List<Cursor> cursors = lanes.each(run -> run.cursor(limit));
    List<StoredEnvelope> ready =
        workFinder
            .coldReadThrottle()
            .timed(lanes, () -> Recording.read(cursors.size(), () -> store.read(cursors, bytes)));
    if (!workFinder.visibleIds().wasClear()) {
      return true; // the turn that follows reads again
    }
    Ticker.Moment after = ticker.now();
    Map<Lane, List<StoredEnvelope>> byLane =
        ready.stream().collect(Collectors.groupingBy(StoredEnvelope::lane));
    boolean cut = readCapacity.mayHaveCut(bytes, ready);
    for (ReadableLane run : lanes) {
      List<StoredEnvelope> messages = byLane.getOrDefault(run.lane(), List.of());
      if (ready.isEmpty()) {
        run.foundEmpty(seen);
      } else {
        boolean whole = messages.size() < run.limit(limit) && !cut;
        int late = run.begin(messages, ofHeldTopics, whole, seen);
        relayEvents.foundLate(run.lane(), late);
        if (late > 0) {
          workFinder.ids().doubt();
        }
      }
    }
    noteRead(ready, lanes, byLane.keySet());
    return !ready.isEmpty() || lanes.any(run -> run.canReadDue(after));
  }

  /** A lane whose first messages made room for a probe is to be read up to that one. */
  private int limit(Lanes<ReadableLane> lanes, Batch.Held ofHeldTopics) {
    int limit = readCapacity.perLane(lanes);
    return ofHeldTopics == Batch.Held.LEAVE ? Math.max(limit, topics.toProbe(ticker.now())) : limit;
  }

  private boolean readPast(Set<String> held, Lanes<ReadableLane> lanes, long bytes) {
    int limit = readCapacity.perLane(lanes);
    long safe = workFinder.visibleIds().safe();
    List<Cursor> cursors = lanes.each(run -> run.cursorPast(limit));
    List<StoredEnvelope> ready =
        Recording.read(
            cursors.size(), () -> store.readPast(cursors, bytes, held, HeldTopicBypass.REACH));
    Map<Lane, List<StoredEnvelope>> byLane =
        ready.stream().collect(Collectors.groupingBy(StoredEnvelope::lane));
    for (ReadableLane run : lanes) {
      List<StoredEnvelope> messages = byLane.getOrDefault(run.lane(), List.of());
      if (ready.isEmpty()) {
        run.foundNothingPast(HeldTopicBypass.REACH, safe);
      }
      run.beginPast(messages, safe);
    }
    noteRead(ready.isEmpty() ? beyond(lanes) : ready, lanes, byLane.keySet());
    Lanes<ReadableLane> silent = lanes.those(run -> !byLane.containsKey(run.lane()));
    if (!ready.isEmpty()
        && !silent.isEmpty()
        && heldTopicBypass.takeFirst()
        && readCapacity.bytes() > 0) {
      readPast(
          held,
          silent,
          readCapacity.bytes()); // only a read that finds nothing at all says so surely
    }
    boolean others = readCapacity.held() > 0;
    heldTopicBypass.passed(others);
    return !ready.isEmpty() || !others; // without others the next read moves what is held
  }

  /** Something beyond the reach of reads past, if there is any: only what was seen becomes safe. */
  private List<StoredEnvelope> beyond(Lanes<ReadableLane> lanes) {
    return store.read(lanes.each(run -> run.cursorBeyond(HeldTopicBypass.REACH)), 1);
  }

  private void noteRead(List<StoredEnvelope> ready, Lanes<ReadableLane> lanes, Set<Lane> found) {
    Ticker.Moment after = ticker.now();
    ready.stream()
        .mapToLong(StoredEnvelope::id)
        .max()
        .ifPresent(id -> workFinder.visibleIds().saw(id, after));
    workFinder.noteRead(lanes, found, after);
  }

  /**
   * What to do with messages of held topics. While every broker is down they are left, and the next
   * reads begin above them: so a long outage moves nothing, and what comes behind them is found all
   * the same. For a probe, and when it is over, reads begin at the floor again. While ids are given
   * again nothing is left: what comes next may stand anywhere below.
   */
  private Batch.Held ofHeldTopics(Ticker.Moment now) {
    boolean down = topics.isDown(now) && !workFinder.ids().wentBack();
    if (down) {
      probeRewind.forAProbe(now);
    } else {
      probeRewind.forAll();
    }
    return down ? Batch.Held.LEAVE : Batch.Held.PARK;
  }
}
