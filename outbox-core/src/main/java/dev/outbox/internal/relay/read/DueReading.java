package dev.outbox.internal.relay.read;

import dev.outbox.internal.relay.base.DutyCycle;
import dev.outbox.internal.relay.base.LockWaits;
import dev.outbox.internal.relay.base.RelaySettings;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.lane.ReadableLane;
import dev.outbox.internal.relay.record.Recording;
import dev.outbox.internal.relay.topic.ProbeTurns;
import dev.outbox.internal.relay.topic.TopicWatch;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.LaneStore.Cursor;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Brings on what has fallen due: delayed messages become ready, those held with their topic go on
 * when it does, and parked ones are read.
 *
 * <p>Used by the loop thread only.
 */
public final class DueReading {
  private final LaneStore store;
  private final ReadCapacity readCapacity;
  private final TopicWatch topics;
  private final int batch;
  private final Ticker ticker;
  private final LaneStep promotes;
  private final LaneStep releases;
  private final DutyCycle readsOfOthers = new DutyCycle(Duration.ZERO, 10);
  private final ProbeTurns probeTurns = new ProbeTurns();
  private Set<String> releasedExcept = Set.of();

  /** Promotes and releases at most a batch at a time. */
  public DueReading(
      LaneStore store,
      ReadCapacity readCapacity,
      TopicWatch topics,
      RelaySettings settings,
      LockWaits lockWaits,
      Ticker ticker) {
    this.store = store;
    this.readCapacity = readCapacity;
    this.topics = topics;
    this.batch = settings.volume().batch();
    this.ticker = ticker;
    String relay = settings.name();
    this.promotes = new LaneStep(readCapacity, lockWaits, relay, "move due messages", ticker);
    this.releases =
        new LaneStep(readCapacity, lockWaits, relay, "release messages of topics", ticker);
  }

  /** Promotes, releases and reads what has fallen due. */
  public boolean read() {
    Ticker.Moment now = ticker.now();
    boolean found = promote(now);
    found |= release(now);
    if (isTurnOfReady(now) || !readCapacity.runs().awake().any(run -> run.canReadDue(now))) {
      return found;
    }
    List<ReadableLane> lanes = readCapacity.lanes(run -> run.canReadDue(now));
    long bytes = readCapacity.bytes();
    if (lanes.isEmpty() || bytes == 0) {
      return found;
    }
    topics.refresh();
    if (readOthers(lanes, bytes)) {
      return true;
    }
    Set<String> held = topics.held(now);
    Map<Lane, List<StoredEnvelope>> due = due(lanes, bytes, held);
    lanes.forEach(run -> run.beginDue(due.getOrDefault(run.lane(), List.of()), held));
    return found || !due.isEmpty();
  }

  private Map<Lane, List<StoredEnvelope>> due(
      List<ReadableLane> lanes, long bytes, Set<String> without) {
    int limit = readCapacity.perLane(lanes);
    List<Cursor> cursors = lanes.stream().map(run -> new Cursor(run.lane(), 0, limit)).toList();
    return Recording.read(cursors.size(), () -> store.readDue(cursors, bytes, without)).stream()
        .collect(Collectors.groupingBy(StoredEnvelope::lane));
  }

  /**
   * Where the last read brought more than a cap let through, this one leaves such topics out: else
   * messages of others, behind a backlog of one, would wait for all of it.
   */
  private boolean readOthers(List<ReadableLane> lanes, long bytes) {
    List<ReadableLane> withLeftDue = lanes.stream().filter(ReadableLane::hasLeftDue).toList();
    Set<String> without = new HashSet<>(topics.withLessRoom(readCapacity.perLane(withLeftDue)));
    Ticker.Moment now = ticker.now();
    if (withLeftDue.isEmpty() || without.isEmpty() || !readsOfOthers.begins(now)) {
      return false;
    }
    without.addAll(topics.held(now));
    Map<Lane, List<StoredEnvelope>> others = due(withLeftDue, bytes, without);
    readsOfOthers.took(others.isEmpty() ? ticker.now().surelySince(now) : Duration.ZERO);
    withLeftDue.stream()
        .filter(run -> others.containsKey(run.lane()))
        .forEach(run -> run.beginDue(others.getOrDefault(run.lane(), List.of()), without));
    return !others.isEmpty();
  }

  /** If some were left. The turn lasts until reads have been through all that was left. */
  private boolean isTurnOfReady(Ticker.Moment now) {
    boolean probes =
        topics.isDown(now)
            && topics.mayProbe(now)
            && readCapacity.runs().any(ReadableLane::isSkipping);
    if (probes && !readCapacity.runs().any(ReadableLane::isGoneThrough)) {
      probeTurns.next();
    }
    return probes && probeTurns.isOfReady();
  }

  /** What waits in vain, in words; empty when all goes on. */
  public String waits() {
    String ofDelayed = promotes.waits();
    return ofDelayed.isEmpty() ? releases.waits() : ofDelayed;
  }

  private boolean promote(Ticker.Moment now) {
    return promotes.take(run -> run.canPromote(now), this::promote);
  }

  private boolean promote(List<ReadableLane> lanes) {
    int most = batch;
    int promoted = store.promoteDue(lanes.stream().map(ReadableLane::lease).toList(), most);
    lanes.forEach(run -> run.promoted(promoted, most));
    return promoted > 0;
  }

  /** Lets go on what was held with its topic, once the topic's hold has ended. */
  private boolean release(Ticker.Moment now) {
    Set<String> held = topics.held(now);
    if (!held.equals(releasedExcept)) {
      readCapacity.runs().forEach(run -> run.mayRelease(held));
      releasedExcept = held;
    }
    return releases.take(run -> run.canRelease(held, now), lanes -> release(lanes, held));
  }

  private boolean release(List<ReadableLane> lanes, Set<String> held) {
    int most = batch;
    int released = store.release(lanes.stream().map(ReadableLane::lease).toList(), held, most);
    lanes.forEach(run -> run.released(released, most, !held.isEmpty()));
    return released > 0;
  }
}
