package dev.outbox.testkit.internal.tables;

import dev.outbox.DeadLetter;
import dev.outbox.DeadLetter.Reason;
import dev.outbox.Topics.Setting;
import dev.outbox.cluster.Origin;
import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import dev.outbox.spi.DedupeKey;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.Layout;
import dev.outbox.spi.Purged;
import dev.outbox.spi.cluster.ClusterBeat;
import dev.outbox.spi.lane.HeldKey;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LiveRelay;
import dev.outbox.spi.settle.HoldReason;
import dev.outbox.spi.settle.RetryState;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is committed in an in-memory store, one map per table of the real ones, keyed by id.
 *
 * <p>Guarded by its own monitor: a thread that reads or writes here holds it for the whole of a
 * transaction's commit, so that no half of one is ever seen.
 */
public final class InMemoryTables {
  public final Layout layout;
  final InstantSource clock;
  public final ArchiveTable archive;
  public final TreeMap<Long, Ready> ready = new TreeMap<>();
  public final TreeMap<Long, Delayed> delayed = new TreeMap<>();
  public final DeadTable dead = new DeadTable();
  public final ParkedTable parked = new ParkedTable(dead);
  public final TreeMap<String, RelayRow> relays = new TreeMap<>();
  public final TreeMap<String, Setting> topics = new TreeMap<>();
  public final List<LaneRow> lanes = new ArrayList<>();
  public final OneRowEach<DedupeKey, MessageId> dedupe = new OneRowEach<>(this);
  public final OneRowEach<InMemoryReceipts.Receipt, Object> receipts = new OneRowEach<>(this);
  public final FateWriter fates = new FateWriter(this);

  /** All that was ever enqueued, in the order of the commits. */
  public final List<Envelope> committed = new ArrayList<>();

  public long delivered;

  public final List<ClusterBeat> beats = new ArrayList<>();
  public final Set<InMemoryClusters.Note> notes = new LinkedHashSet<>();

  /** Ids of messages that open row claims have locked. */
  public final Set<Long> locked = new HashSet<>();

  /** The open application transactions that have appended something. */
  public final Set<String> writers = new HashSet<>();

  private long lastId;
  private long lastWriter;
  private int era;

  public InMemoryTables(Layout layout, InstantSource clock, ArchiveTable.Archive archive) {
    this.layout = layout;
    this.clock = clock;
    this.archive = new ArchiveTable(archive);
    this.lastId = layout.cluster() + 1L - layout.clusters();
    for (int number = 0; number < layout.lanes(); number++) {
      lanes.add(new LaneRow(layout.own(new Lane(number))));
    }
  }

  public record Ready(long id, Lane lane, Envelope envelope, Instant writtenAt) {}

  public record Delayed(long id, Lane lane, Envelope envelope, Instant due) {}

  public record RelayRow(LiveRelay relay, Instant until) {}

  /**
   * Ids are taken before the commit, as databases do, so that a lower one may become visible later.
   */
  public synchronized long nextId() {
    lastId += layout.clusters();
    return lastId;
  }

  /** The next id will be this one, as in a database that was set back. */
  public synchronized void restartIds(long next) {
    lastId = next - layout.clusters();
  }

  /** A ready message is not in the copy that was restored. */
  public synchronized void remove(long id) {
    ready.remove(id);
  }

  /** The lane's row is one of before. */
  public synchronized void setBack(Lane lane, long epoch) {
    lane(lane).epoch = epoch;
    lane(lane).owner = null;
  }

  /** Of several clusters each gives its own ids, which say nothing of the others'. */
  public synchronized long upcomingId() {
    return layout.hasPeers() ? LaneStore.UNTOLD : lastId + 1;
  }

  /** As an operator does after that: no id, and no epoch, was ever given before. */
  public synchronized void raiseIds() {
    lastId = Math.max(lastId, IdsGiven.highest(this));
    for (LaneRow row : lanes) {
      row.epoch = Math.max(row.epoch + 1, System.currentTimeMillis());
      row.floor = 0;
      row.takeovers = 0;
      row.suspect = null;
    }
  }

  /** Not used again, unless the store goes back. */
  synchronized String newWriter() {
    String writer = "writer " + ++lastWriter;
    writers.add(writer);
    return writer;
  }

  /** What makes ids go on from where they are now. */
  public Runnable counters() {
    long id = lastId;
    long writer = lastWriter;
    long deliveredBefore = delivered;
    return () -> {
      lastId = id;
      lastWriter = writer;
      delivered = deliveredBefore;
    };
  }

  /** How often the store has gone back; sessions of an earlier era are cut. */
  public synchronized int era() {
    return era;
  }

  public void cutSessions() {
    era++;
    locked.clear();
    writers.clear();
  }

  public Instant now() {
    return clock.instant();
  }

  public boolean hasDelayedDue(Lane lane) {
    Instant now = now();
    return delayed.values().stream()
        .anyMatch(row -> row.lane().equals(lane) && !row.due().isAfter(now));
  }

  public boolean isHeld(HeldKey key) {
    return parked.holds(key) || dead.holds(key);
  }

  public Set<HeldKey> heldKeys(Lane lane) {
    Set<HeldKey> held = new HashSet<>(parked.heldKeys(lane));
    held.addAll(dead.heldKeys(lane));
    return held;
  }

  public LaneRow lane(Lane lane) {
    return lanes.get(lane.number() - layout.firstLane().number());
  }

  public synchronized AutoCloseable lock(Lane lane) {
    lane(lane).locked = true;
    return () -> unlock(lane);
  }

  private synchronized void unlock(Lane lane) {
    lane(lane).locked = false;
  }

  public void append(Lane lane, Envelope envelope) {
    long id = nextId();
    ready.put(id, new Ready(id, lane, envelope, now()));
  }

  /**
   * Puts it back: in front of those that wait behind it, or else, or where another message has its
   * id by now, at the end of the ready ones.
   */
  public void replay(DeadTable.Dead dead) {
    DeadLetter letter = dead.letter();
    if (!letter.holdsKey() || parked.get(dead.id()) != null) {
      append(dead.lane(), letter.envelope());
      return;
    }
    parked.put(
        new ParkedTable.Parked(
            dead.id(),
            dead.lane(),
            letter.envelope(),
            HoldReason.FAILED,
            0,
            letter.error(),
            letter.history(),
            null,
            now()));
  }

  public int promoteDue(Predicate<Lane> accepted, int atMost) {
    Instant now = now();
    List<Delayed> due =
        delayed.values().stream()
            .filter(row -> !row.due().isAfter(now) && accepted.test(row.lane()))
            .sorted(Comparator.comparing(Delayed::due).thenComparing(Delayed::id))
            .limit(atMost)
            .toList();
    for (Delayed row : due) {
      delayed.remove(row.id());
      append(row.lane(), row.envelope());
    }
    return due.size();
  }

  public boolean isOwn(Lane lane) {
    return layout.clusterOf(lane) == layout.cluster();
  }

  public StoredEnvelope stored(Ready row) {
    return new StoredEnvelope(
        row.id(), row.lane(), seenFrom(row.lane(), row.envelope()), null, defect(row.envelope()));
  }

  public StoredEnvelope stored(ParkedTable.Parked row) {
    Instant first = row.firstFailure();
    Duration failing = first == null ? Duration.ZERO : Duration.between(first, now());
    RetryState retryState = new RetryState(row.attempts(), failing, row.history());
    Envelope envelope = seenFrom(row.lane(), row.envelope());
    return new StoredEnvelope(row.id(), row.lane(), envelope, retryState, defect(envelope));
  }

  /** The envelope with the mark of a message that was taken over. */
  Envelope seenFrom(Lane lane, Envelope envelope) {
    Origin seen = Origin.of(envelope.origin().cluster(), layout.clusterOf(lane));
    return seen.equals(envelope.origin()) ? envelope : envelope.from(seen);
  }

  /** Writes what an application has committed. */
  public synchronized void enqueue(Ready row) {
    ready.put(row.id(), row);
    committed.add(row.envelope());
    notifyAll();
  }

  public synchronized void enqueue(Delayed row) {
    delayed.put(row.id(), row);
    committed.add(row.envelope());
    notifyAll();
  }

  public synchronized Purged purgeArchive(Duration retention, Instant from, int atMost) {
    return archive.purge(from, now().minus(retention), atMost);
  }

  private StoredEnvelope.@Nullable Defect defect(Envelope envelope) {
    Instant notAfter = envelope.notAfter();
    return notAfter != null && now().isAfter(notAfter)
        ? new StoredEnvelope.Defect(Reason.EXPIRED, "notAfter was " + notAfter)
        : null;
  }
}
