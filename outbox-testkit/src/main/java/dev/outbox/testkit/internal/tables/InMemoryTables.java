package dev.outbox.testkit.internal.tables;

import static java.util.Objects.requireNonNull;

import dev.outbox.DeadLetter;
import dev.outbox.DeadLetter.Reason;
import dev.outbox.Topics.Setting;
import dev.outbox.cluster.Origin;
import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import dev.outbox.spi.DedupeKey;
import dev.outbox.spi.Layout;
import dev.outbox.spi.Purged;
import dev.outbox.spi.cluster.ClusterBeat;
import dev.outbox.spi.lane.HeldKey;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.lane.LiveRelay;
import dev.outbox.spi.lane.Suspect;
import dev.outbox.spi.settle.Fate;
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
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is committed in an in-memory store, one map per table of the real ones, keyed by id.
 *
 * <p>Guarded by its own monitor: whoever reads or writes here holds it for the whole of a
 * transaction's commit, so that no half of one is ever seen.
 */
public final class InMemoryTables {
  public final Layout layout;
  final InstantSource clock;
  public final Archive archive;
  public final TreeMap<Long, Ready> ready = new TreeMap<>();
  public final TreeMap<Long, Delayed> delayed = new TreeMap<>();
  public final DeadTable dead = new DeadTable();
  public final ParkedTable parked = new ParkedTable(dead);
  public final TreeMap<Long, Archived> archived = new TreeMap<>();
  public final TreeMap<String, RelayRow> relays = new TreeMap<>();
  public final TreeMap<String, Setting> topics = new TreeMap<>();
  public final List<LaneRow> lanes = new ArrayList<>();
  public final OneRowEach<DedupeKey, MessageId> dedupe = new OneRowEach<>(this);
  public final OneRowEach<InMemoryReceipts.Receipt, Object> receipts = new OneRowEach<>(this);

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

  public InMemoryTables(Layout layout, InstantSource clock, Archive archive) {
    this.layout = layout;
    this.clock = clock;
    this.archive = archive;
    this.lastId = layout.cluster() + 1L - layout.clusters();
    for (int number = 0; number < layout.lanes(); number++) {
      lanes.add(new LaneRow(layout.own(new Lane(number))));
    }
  }

  /** Whether delivered messages are kept. */
  public enum Archive {
    KEPT,
    NONE
  }

  public record Ready(long id, Lane lane, Envelope envelope, Instant writtenAt) {}

  public record Delayed(long id, Lane lane, Envelope envelope, Instant due) {}

  public record RelayRow(LiveRelay relay, Instant until) {}

  record Archived(Envelope envelope, Instant completedAt) {
    boolean isWithin(Instant from, Instant to) {
      return !completedAt.isBefore(from) && completedAt.isBefore(to);
    }
  }

  /** One lane's lease; free while {@code owner} is null. */
  public static final class LaneRow {
    public final Lane lane;
    @Nullable public String owner;
    public long epoch;
    public Instant until = Instant.EPOCH;
    Duration lease = Duration.ZERO;
    public long floor;
    public int takeovers;
    @Nullable public Suspect suspect;
    public boolean locked;

    LaneRow(Lane lane) {
      this.lane = lane;
    }

    public boolean isFree(Instant now) {
      return owner == null || !until.isAfter(now) || until.isAfter(now.plus(lease.multipliedBy(2)));
    }

    public void leaseTo(String relay, Duration lease, Instant now) {
      owner = relay;
      epoch++;
      this.lease = lease;
      until = now.plus(lease);
    }

    public boolean belongsTo(Lease lease) {
      return lease.owner().equals(owner) && lease.epoch() == epoch;
    }

    /** What makes the row again what it is now. */
    public Runnable copy() {
      LaneRow copy = new LaneRow(lane);
      copy.become(this);
      return () -> become(copy);
    }

    private void become(LaneRow other) {
      owner = other.owner;
      epoch = other.epoch;
      until = other.until;
      lease = other.lease;
      floor = other.floor;
      takeovers = other.takeovers;
      suspect = other.suspect;
      locked = false;
    }
  }

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

  public synchronized long upcomingId() {
    return lastId + layout.clusters();
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

  void append(Lane lane, Envelope envelope) {
    long id = nextId();
    ready.put(id, new Ready(id, lane, envelope, now()));
  }

  /** Writes the fate. Returns false when its row was not there any more. */
  public synchronized boolean apply(Fate fate) {
    notifyAll();
    if (fate instanceof Fate.Park park) {
      return park(park);
    }
    Envelope envelope = remove(fate.storedEnvelope());
    if (envelope == null) {
      return false;
    }
    if (fate instanceof Fate.Bury bury) {
      bury(bury, envelope);
    } else {
      deliver(envelope);
    }
    return true;
  }

  private void deliver(Envelope envelope) {
    delivered++;
    if (archive == Archive.KEPT) {
      archived.put(nextId(), new Archived(envelope, now()));
    }
  }

  /** Whether the message is still there: its id may be another one's by now. */
  public boolean has(StoredEnvelope storedEnvelope) {
    return is(storedEnvelope, readyAt(storedEnvelope.id()))
        || is(storedEnvelope, parkedAt(storedEnvelope.id()));
  }

  public boolean isParked(StoredEnvelope storedEnvelope) {
    return is(storedEnvelope, parkedAt(storedEnvelope.id()));
  }

  private @Nullable Envelope remove(StoredEnvelope storedEnvelope) {
    Envelope there =
        storedEnvelope.isParked() ? parkedAt(storedEnvelope.id()) : readyAt(storedEnvelope.id());
    if (!is(storedEnvelope, there)) {
      return null;
    }
    if (storedEnvelope.isParked()) {
      parked.remove(storedEnvelope.id());
    } else {
      ready.remove(storedEnvelope.id());
    }
    return there;
  }

  private @Nullable Envelope readyAt(long id) {
    Ready row = ready.get(id);
    return row == null ? null : row.envelope();
  }

  private @Nullable Envelope parkedAt(long id) {
    ParkedTable.Parked row = parked.get(id);
    return row == null ? null : row.envelope();
  }

  /** Ids are given again when a store goes back: then another message may stand there. */
  private static boolean is(StoredEnvelope storedEnvelope, @Nullable Envelope there) {
    return there != null && there.id().equals(storedEnvelope.envelope().id());
  }

  /** One whose id another parked message has gets another. */
  private boolean park(Fate.Park park) {
    long id = park.storedEnvelope().id();
    Envelope from = readyAt(id);
    Envelope before = parkedAt(id);
    boolean isReady = is(park.storedEnvelope(), from);
    if (!isReady && !is(park.storedEnvelope(), before)) {
      return false;
    }
    boolean taken = before != null && !is(park.storedEnvelope(), before);
    parked.put(
        park, taken ? parked.freeId(id) : id, requireNonNull(isReady ? from : before), now());
    if (isReady) {
      ready.remove(id);
    }
    return true;
  }

  private void bury(Fate.Bury bury, Envelope envelope) {
    DeadLetter letter =
        new DeadLetter(
            nextId(),
            seenFrom(bury.storedEnvelope().lane(), envelope),
            bury.reason(),
            bury.error(),
            bury.attempts(),
            bury.history(),
            now(),
            bury.holdsKey() && envelope.key() != null);
    dead.add(new DeadTable.Dead(bury.storedEnvelope().id(), bury.storedEnvelope().lane(), letter));
  }

  /**
   * Puts it back: in front of those that wait behind it, or else, or where another message has its
   * id by now, at the end of the ready ones.
   */
  public void replay(DeadTable.Dead dead) {
    DeadLetter letter = dead.letter();
    if (!letter.holdsKey() || parkedAt(dead.id()) != null) {
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
    return layout.hasPeers()
        ? envelope.from(Origin.of(envelope.origin().cluster(), layout.clusterOf(lane)))
        : envelope;
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
    Instant limit = now().minus(retention);
    List<Map.Entry<Long, Archived>> old =
        archived.entrySet().stream()
            .filter(entry -> entry.getValue().isWithin(from, limit))
            .sorted(Comparator.comparing(entry -> entry.getValue().completedAt()))
            .limit(atMost)
            .toList();
    old.forEach(entry -> archived.remove(entry.getKey()));
    return old.isEmpty()
        ? new Purged(0, from)
        : new Purged(old.size(), old.get(old.size() - 1).getValue().completedAt());
  }

  private StoredEnvelope.@Nullable Defect defect(Envelope envelope) {
    Instant notAfter = envelope.notAfter();
    return notAfter != null && now().isAfter(notAfter)
        ? new StoredEnvelope.Defect(Reason.EXPIRED, "notAfter was " + notAfter)
        : null;
  }
}
