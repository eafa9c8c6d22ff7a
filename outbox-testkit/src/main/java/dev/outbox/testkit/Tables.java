package dev.outbox.testkit;

import static java.util.Objects.requireNonNull;

import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.Lane;
import dev.outbox.store.DeadLetter;
import dev.outbox.store.DeathReason;
import dev.outbox.store.Fate;
import dev.outbox.store.HeldKey;
import dev.outbox.store.Layout;
import dev.outbox.store.Lease;
import dev.outbox.store.Parking;
import dev.outbox.store.Stored;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is committed in an in-memory store, one map per table of the real ones, keyed by id.
 *
 * <p>Guarded by its own monitor: whoever reads or writes here holds it for the whole of a
 * transaction's commit, so that no half of one is ever seen.
 */
final class Tables {
  final Layout layout;
  final InstantSource clock;
  final Archive archive;
  final TreeMap<Long, Ready> ready = new TreeMap<>();
  final TreeMap<Long, Parked> parked = new TreeMap<>();
  final TreeMap<Long, Delayed> delayed = new TreeMap<>();
  final TreeMap<Long, Dead> dead = new TreeMap<>();
  final TreeMap<Long, Archived> archived = new TreeMap<>();
  final TreeMap<String, Instant> relays = new TreeMap<>();
  final List<LaneRow> lanes = new ArrayList<>();

  /** Ids of messages that open row claims have locked. */
  final Set<Long> locked = new HashSet<>();

  private long lastId;

  Tables(Layout layout, InstantSource clock, Archive archive) {
    this.layout = layout;
    this.clock = clock;
    this.archive = archive;
    for (int number = 0; number < layout.lanes(); number++) {
      lanes.add(new LaneRow(new Lane(number)));
    }
  }

  /** Whether delivered messages are kept. */
  enum Archive {
    KEPT,
    NONE
  }

  record Ready(long id, Lane lane, Envelope envelope) {}

  record Delayed(long id, Lane lane, Envelope envelope, Instant due) {}

  /**
   * A null {@code due} is a follower's; {@code firstFailure} is null until an attempt was counted.
   */
  record Parked(
      Lane lane,
      Envelope envelope,
      Fate.Park park,
      @Nullable Instant firstFailure,
      @Nullable Instant due) {
    long id() {
      return park.stored().id();
    }

    int attempts() {
      return park.attempts();
    }

    String history() {
      return park.history();
    }

    @Nullable HeldKey heldKey() {
      Key key = envelope.key();
      return key == null ? null : new HeldKey(lane, envelope.topic(), key);
    }

    boolean isDue(Instant now) {
      return due != null && !due.isAfter(now);
    }

    Parked dueAt(Instant instant) {
      return new Parked(lane, envelope, park, firstFailure, instant);
    }
  }

  record Dead(Lane lane, DeadLetter letter) {}

  record Archived(Envelope envelope, Instant completedAt) {}

  /** One lane's lease; free while {@code owner} is null. */
  static final class LaneRow {
    final Lane lane;
    @Nullable String owner;
    long epoch;
    Instant until = Instant.EPOCH;
    long floor;
    int takeovers;
    boolean locked;

    LaneRow(Lane lane) {
      this.lane = lane;
    }

    boolean isFree(Instant now, Duration lease) {
      return owner == null || !until.isAfter(now) || until.isAfter(now.plus(lease.multipliedBy(2)));
    }

    boolean belongsTo(Lease lease) {
      return lease.owner().equals(owner) && lease.epoch() == epoch;
    }
  }

  /**
   * Ids are taken before the commit, as databases do, so that a lower one may become visible later.
   */
  synchronized long nextId() {
    return ++lastId;
  }

  Instant now() {
    return clock.instant();
  }

  LaneRow lane(Lane lane) {
    return lanes.get(lane.number());
  }

  void append(Lane lane, Envelope envelope) {
    long id = nextId();
    ready.put(id, new Ready(id, lane, envelope));
  }

  /** Writes the fate. Returns false when its row was not there any more. */
  boolean apply(Fate fate) {
    if (fate instanceof Fate.Park park) {
      return park(park);
    }
    Envelope envelope = remove(fate.stored());
    if (envelope == null) {
      return false;
    }
    if (fate instanceof Fate.Bury bury) {
      bury(bury, envelope);
    } else if (archive == Archive.KEPT) {
      archived.put(nextId(), new Archived(envelope, now()));
    }
    return true;
  }

  private @Nullable Envelope remove(Stored stored) {
    if (stored.isParked()) {
      Parked row = parked.remove(stored.id());
      return row == null ? null : row.envelope();
    }
    Ready row = ready.remove(stored.id());
    return row == null ? null : row.envelope();
  }

  private boolean park(Fate.Park park) {
    long id = park.stored().id();
    Ready from = ready.remove(id);
    Parked before = parked.get(id);
    if (from == null && before == null) {
      return false;
    }
    Envelope envelope = from == null ? requireNonNull(before).envelope() : from.envelope();
    Instant due = park.rest() == null ? null : now().plus(park.rest());
    Instant failed = park.attempts() == 0 ? null : firstFailure(before);
    parked.put(id, new Parked(park.stored().lane(), envelope, park, failed, due));
    return true;
  }

  private Instant firstFailure(@Nullable Parked before) {
    return before == null || before.firstFailure() == null ? now() : before.firstFailure();
  }

  private void bury(Fate.Bury bury, Envelope envelope) {
    long number = nextId();
    DeadLetter letter =
        new DeadLetter(
            number, envelope, bury.reason(), bury.error(), bury.attempts(), bury.history(), now());
    dead.put(number, new Dead(bury.stored().lane(), letter));
  }

  /**
   * Makes the first parked message of {@code key} due if it is a follower, which waits for nothing.
   */
  void wakeFirst(HeldKey key) {
    parkedOf(key)
        .findFirst()
        .filter(first -> first.due() == null)
        .ifPresent(first -> parked.put(first.id(), first.dueAt(now())));
  }

  /** The parked messages of a key in id order. */
  Stream<Parked> parkedOf(HeldKey key) {
    return parked.values().stream().filter(row -> key.equals(row.heldKey()));
  }

  /** Moves delayed messages that are due and accepted to the ready table. */
  int promoteDue(Predicate<Lane> accepted, int atMost) {
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

  Stored stored(Ready row) {
    return new Stored(row.id(), row.lane(), row.envelope(), null, defect(row.envelope()));
  }

  Stored stored(Parked row) {
    Instant first = row.firstFailure();
    Duration failing = first == null ? Duration.ZERO : Duration.between(first, now());
    Parking parking = new Parking(row.attempts(), failing, row.history());
    return new Stored(row.id(), row.lane(), row.envelope(), parking, defect(row.envelope()));
  }

  synchronized int purgeArchive(Duration retention, int atMost) {
    Instant limit = now().minus(retention);
    List<Long> old =
        archived.entrySet().stream()
            .filter(entry -> entry.getValue().completedAt().isBefore(limit))
            .limit(atMost)
            .map(Map.Entry::getKey)
            .toList();
    old.forEach(archived::remove);
    return old.size();
  }

  private Stored.@Nullable Defect defect(Envelope envelope) {
    Instant notAfter = envelope.notAfter();
    return notAfter != null && now().isAfter(notAfter)
        ? new Stored.Defect(DeathReason.EXPIRED, "notAfter was " + notAfter)
        : null;
  }
}
