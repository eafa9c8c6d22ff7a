package dev.outbox.testkit;

import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.Lane;
import dev.outbox.message.MessageId;
import dev.outbox.store.ClusterBeat;
import dev.outbox.store.ClusterBeat.Seen;
import dev.outbox.store.ClusterRoll;
import dev.outbox.store.ClusterStore;
import dev.outbox.store.ClusterStore.Orphan;
import dev.outbox.store.HeldKey;
import dev.outbox.store.HoldReason;
import dev.outbox.store.Lease;
import dev.outbox.store.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The signs of life in an in-memory store. Every method is one step under the tables' monitor. */
record InMemoryClusters(Tables tables) implements ClusterStore {

  /** That a message was taken from a lane; those of the delayed table have ids of their own. */
  record Note(
      Lane lane, long id, boolean delayed, MessageId message, int taker, long batch, Instant at) {
    Place place() {
      return new Place(lane, id, delayed);
    }

    Noted noted() {
      return new Noted(place(), message);
    }

    /** Ids go back when tables are restored: then another message may stand there. */
    boolean isOf(@Nullable Envelope envelope) {
      return envelope != null && envelope.id().equals(message);
    }
  }

  record Place(Lane lane, long id, boolean delayed) {}

  private record Noted(Place place, MessageId message) {}

  static Standing standing(Tables tables) {
    return tables.layout.hasPeers() ? rollOf(tables).standing() : Standing.WORKING;
  }

  private static ClusterRoll rollOf(Tables tables) {
    return ClusterRoll.of(tables.layout, tables.beats, tables.now());
  }

  @Override
  public ClusterRoll roll() {
    synchronized (tables) {
      return rollOf(tables);
    }
  }

  @Override
  public ClusterRoll beat(Duration silence, Map<Integer, Seen> taking) {
    synchronized (tables) {
      ClusterRoll roll = roll();
      ClusterBeat next = roll.next(silence, taking, isAnyLaneLeased());
      if (roll.standing() == Standing.LEAVING && next.standing() == Standing.LEFT) {
        tables.lanes.forEach(row -> row.owner = null);
      }
      return write(roll, next);
    }
  }

  private boolean isAnyLaneLeased() {
    Instant now = tables.now();
    return tables.lanes.stream().anyMatch(row -> row.owner != null && row.until.isAfter(now));
  }

  private ClusterRoll write(ClusterRoll roll, ClusterBeat beat) {
    tables.beats.removeIf(each -> each.cluster() == beat.cluster());
    tables.beats.add(beat);
    Map<Integer, ClusterBeat> beats = new HashMap<>(roll.beats());
    beats.put(beat.cluster(), beat);
    return new ClusterRoll(roll.layout(), beats, roll.now());
  }

  @Override
  public boolean resume(long since) {
    synchronized (tables) {
      ClusterRoll roll = roll();
      if (roll.standing() != Standing.RETURNING || roll.since() != since) {
        return false;
      }
      tables.notes.stream()
          .filter(note -> !note.delayed() && tables.isOwn(note.lane()))
          .forEach(this::dropParked);
      wakeLost();
      write(roll, roll.resuming());
      return true;
    }
  }

  /** Followers that have become the first of their key without anybody telling them. */
  private void wakeLost() {
    List.copyOf(tables.parked.rows()).stream()
        .filter(row -> row.due() == null && row.reason() == HoldReason.FOLLOWER)
        .filter(row -> tables.isOwn(row.lane()) && row.heldKey() != null)
        .forEach(
            row -> tables.parked.wakeFirst(Objects.requireNonNull(row.heldKey()), tables.now()));
  }

  @Override
  public void leave() {
    turn(Standing.LEAVING, Standing.WORKING, Standing.RETURNING);
  }

  @Override
  public void comeBack() {
    turn(Standing.RETURNING, Standing.LEFT, Standing.LEAVING);
  }

  private void turn(Standing to, Standing from, Standing orFrom) {
    synchronized (tables) {
      ClusterRoll roll = roll();
      if (roll.standing() == from || roll.standing() == orFrom) {
        write(roll, roll.turning(to, Map.of()));
      }
    }
  }

  @Override
  public List<Orphan> look(Lane from, int atMost) {
    return look(from, Extent.ALL, atMost);
  }

  private List<Orphan> look(Lane from, Extent upTo, int atMost) {
    synchronized (tables) {
      Instant now = tables.now();
      Set<Noted> noted = tables.notes.stream().map(Note::noted).collect(Collectors.toSet());
      Stream<Orphan> parked =
          tables.parked.rows().stream()
              .filter(row -> isToTake(row.lane(), row.id(), false, row.envelope(), from, noted))
              .filter(row -> !isHeld(row))
              .map(row -> new Orphan(row.id(), false));
      Stream<Orphan> ready =
          tables.ready.values().stream()
              .filter(row -> isToTake(row.lane(), row.id(), false, row.envelope(), from, noted))
              .filter(row -> !isHeld(row))
              .map(row -> new Orphan(row.id(), false));
      Stream<Orphan> due =
          tables.delayed.values().stream()
              .filter(row -> isToTake(row.lane(), row.id(), true, row.envelope(), from, noted))
              .filter(row -> !row.due().isAfter(now) && !isHeld(row))
              .sorted(Comparator.comparing(Tables.Delayed::due).thenComparing(Tables.Delayed::id))
              .map(row -> new Orphan(row.id(), true));
      return Stream.of(parked, ready, due)
          .flatMap(each -> each)
          .filter(upTo::reaches)
          .limit(atMost)
          .toList();
    }
  }

  @Override
  public Extent extent(Lane from) {
    synchronized (tables) {
      Instant now = tables.now();
      LongStream ready =
          tables.ready.values().stream()
              .filter(row -> row.lane().equals(from))
              .mapToLong(Tables.Ready::id);
      LongStream parked =
          tables.parked.rows().stream()
              .filter(row -> row.lane().equals(from))
              .mapToLong(ParkedTable.Parked::id);
      LongStream due =
          tables.delayed.values().stream()
              .filter(row -> row.lane().equals(from) && !row.due().isAfter(now))
              .mapToLong(Tables.Delayed::id);
      return new Extent(LongStream.concat(ready, parked).max().orElse(0), due.max().orElse(0));
    }
  }

  @Override
  public int adopt(Lease lease, Lane from, ClusterRoll before, Extent upTo, int atMost) {
    synchronized (tables) {
      return move(lease, from, before, look(from, upTo, atMost));
    }
  }

  @Override
  public int adopt(Lease lease, Lane from, ClusterRoll before, List<Orphan> some) {
    synchronized (tables) {
      Set<Orphan> asked = Set.copyOf(some);
      return move(
          lease,
          from,
          before,
          look(from, Integer.MAX_VALUE).stream().filter(asked::contains).toList());
    }
  }

  private int move(Lease lease, Lane from, ClusterRoll before, List<Orphan> places) {
    boolean may =
        roll().allows(tables.layout.clusterOf(from), before)
            && tables.lane(lease.lane()).belongsTo(lease);
    if (!may) {
      return 0;
    }
    long batch = nextBatch();
    places.forEach(place -> take(place, from, lease.lane(), batch));
    return places.size();
  }

  /** Higher than all, also than those that an older copy of the tables does not know. */
  private long nextBatch() {
    long last =
        tables.notes.stream()
            .filter(note -> note.taker() == tables.layout.cluster())
            .mapToLong(Note::batch)
            .max()
            .orElse(0);
    return Math.max(last + 1, tables.now().toEpochMilli());
  }

  private void take(Orphan place, Lane from, Lane to, long batch) {
    Envelope envelope = remove(place);
    tables.append(to, envelope);
    int taker = tables.layout.cluster();
    tables.notes.add(
        new Note(from, place.id(), place.delayed(), envelope.id(), taker, batch, tables.now()));
  }

  private Envelope remove(Orphan place) {
    if (place.delayed()) {
      return Objects.requireNonNull(tables.delayed.remove(place.id())).envelope();
    }
    ParkedTable.Parked parked = tables.parked.remove(place.id());
    return parked == null
        ? Objects.requireNonNull(tables.ready.remove(place.id())).envelope()
        : parked.envelope();
  }

  private static boolean isToTake(
      Lane lane, long id, boolean delayed, Envelope envelope, Lane from, Set<Noted> noted) {
    return lane.equals(from)
        && !noted.contains(new Noted(new Place(lane, id, delayed), envelope.id()));
  }

  /** It is promoted to an id of its own: behind all that is dead. */
  private boolean isHeld(Tables.Delayed row) {
    Key key = row.envelope().key();
    return key != null && tables.dead.holds(new HeldKey(row.lane(), row.envelope().topic(), key));
  }

  private boolean isHeld(ParkedTable.Parked row) {
    return row.heldKey() != null
        && tables.dead.holdsBack(Objects.requireNonNull(row.heldKey()), row.id());
  }

  private boolean isHeld(Tables.Ready row) {
    var key = tables.stored(row).holdable();
    return key != null && tables.dead.holdsBack(key, row.id());
  }

  @Override
  public int sweep(Duration retention) {
    synchronized (tables) {
      int dropped = 0;
      for (Note note : tables.notes) {
        if (!tables.isOwn(note.lane())) {
          dropped += drop(note) ? 1 : 0;
        }
      }
      wakeLost();
      Instant before = tables.now().minus(retention);
      tables.notes.removeIf(
          note -> note.taker() == tables.layout.cluster() && note.at().isBefore(before));
      return dropped;
    }
  }

  private boolean drop(Note note) {
    if (note.delayed()) {
      Tables.Delayed delayed = tables.delayed.get(note.id());
      boolean isGhost = delayed != null && note.isOf(delayed.envelope());
      return isGhost && tables.delayed.remove(note.id()) != null;
    }
    Tables.Ready ready = tables.ready.get(note.id());
    boolean wasReady = ready != null && note.isOf(ready.envelope());
    if (wasReady) {
      tables.ready.remove(note.id());
    }
    return dropParked(note) || wasReady;
  }

  private boolean dropParked(Note note) {
    ParkedTable.Parked parked = tables.parked.get(note.id());
    boolean isGhost = parked != null && note.isOf(parked.envelope());
    return isGhost && tables.parked.remove(note.id()) != null;
  }
}
