package dev.outbox.testkit.internal.tables;

import dev.outbox.cluster.ClusterState;
import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import dev.outbox.spi.cluster.ClusterBeat;
import dev.outbox.spi.cluster.ClusterBeat.Seen;
import dev.outbox.spi.cluster.ClusterStore;
import dev.outbox.spi.cluster.ClusterStore.Orphan;
import dev.outbox.spi.cluster.ClusterView;
import dev.outbox.spi.lane.HeldKey;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.HoldReason;
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
public record InMemoryClusters(InMemoryTables inMemoryTables) implements ClusterStore {

  /** That a message was taken from a lane; those of the delayed table have ids of their own. */
  public record Note(
      Lane lane, long id, boolean delayed, MessageId message, int taker, long batch, Instant at) {
    public Place place() {
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

  public static ClusterState standing(InMemoryTables inMemoryTables) {
    return inMemoryTables.layout.hasPeers()
        ? rollOf(inMemoryTables).clusterState()
        : ClusterState.WORKING;
  }

  private static ClusterView rollOf(InMemoryTables inMemoryTables) {
    return ClusterView.of(inMemoryTables.layout, inMemoryTables.beats, inMemoryTables.now());
  }

  @Override
  public ClusterView roll() {
    synchronized (inMemoryTables) {
      return rollOf(inMemoryTables);
    }
  }

  @Override
  public ClusterView beat(Duration silence, Map<Integer, Seen> taking) {
    synchronized (inMemoryTables) {
      ClusterView roll = roll();
      ClusterBeat next = roll.next(silence, taking, isAnyLaneLeased());
      if (roll.clusterState() == ClusterState.LEAVING && next.clusterState() == ClusterState.LEFT) {
        inMemoryTables.lanes.forEach(row -> row.owner = null);
      }
      return write(roll, next);
    }
  }

  private boolean isAnyLaneLeased() {
    Instant now = inMemoryTables.now();
    return inMemoryTables.lanes.stream()
        .anyMatch(row -> row.owner != null && row.until.isAfter(now));
  }

  private ClusterView write(ClusterView roll, ClusterBeat beat) {
    inMemoryTables.beats.removeIf(each -> each.cluster() == beat.cluster());
    inMemoryTables.beats.add(beat);
    Map<Integer, ClusterBeat> beats = new HashMap<>(roll.beats());
    beats.put(beat.cluster(), beat);
    return new ClusterView(roll.layout(), beats, roll.now());
  }

  @Override
  public boolean resume(long since) {
    synchronized (inMemoryTables) {
      ClusterView roll = roll();
      if (roll.clusterState() != ClusterState.RETURNING || roll.since() != since) {
        return false;
      }
      inMemoryTables.notes.stream()
          .filter(note -> !note.delayed() && inMemoryTables.isOwn(note.lane()))
          .forEach(this::dropParked);
      wakeLost();
      write(roll, roll.resuming());
      return true;
    }
  }

  /** Followers that have become the first of their key without anybody telling them. */
  private void wakeLost() {
    List.copyOf(inMemoryTables.parked.rows()).stream()
        .filter(row -> row.due() == null && row.reason() == HoldReason.FOLLOWER)
        .filter(row -> inMemoryTables.isOwn(row.lane()) && row.heldKey() != null)
        .forEach(
            row ->
                inMemoryTables.parked.wakeFirst(
                    Objects.requireNonNull(row.heldKey()), inMemoryTables.now()));
  }

  @Override
  public void leave() {
    turn(ClusterState.LEAVING, ClusterState.WORKING, ClusterState.RETURNING);
  }

  @Override
  public void comeBack() {
    turn(ClusterState.RETURNING, ClusterState.LEFT, ClusterState.LEAVING);
  }

  private void turn(ClusterState to, ClusterState from, ClusterState orFrom) {
    synchronized (inMemoryTables) {
      ClusterView roll = roll();
      if (roll.clusterState() == from || roll.clusterState() == orFrom) {
        write(roll, roll.turning(to, Map.of()));
      }
    }
  }

  @Override
  public List<Orphan> look(Lane from, int atMost) {
    return look(from, Extent.ALL, atMost);
  }

  private List<Orphan> look(Lane from, Extent upTo, int atMost) {
    synchronized (inMemoryTables) {
      Instant now = inMemoryTables.now();
      Set<Noted> noted = inMemoryTables.notes.stream().map(Note::noted).collect(Collectors.toSet());
      Stream<Orphan> parked =
          inMemoryTables.parked.rows().stream()
              .filter(row -> isToTake(row.lane(), row.id(), false, row.envelope(), from, noted))
              .filter(row -> !isHeld(row))
              .map(row -> new Orphan(row.id(), false));
      Stream<Orphan> ready =
          inMemoryTables.ready.values().stream()
              .filter(row -> isToTake(row.lane(), row.id(), false, row.envelope(), from, noted))
              .filter(row -> !isHeld(row))
              .map(row -> new Orphan(row.id(), false));
      Stream<Orphan> due =
          inMemoryTables.delayed.values().stream()
              .filter(row -> isToTake(row.lane(), row.id(), true, row.envelope(), from, noted))
              .filter(row -> !row.due().isAfter(now) && !isHeld(row))
              .sorted(
                  Comparator.comparing(InMemoryTables.Delayed::due)
                      .thenComparing(InMemoryTables.Delayed::id))
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
    synchronized (inMemoryTables) {
      Instant now = inMemoryTables.now();
      LongStream ready =
          inMemoryTables.ready.values().stream()
              .filter(row -> row.lane().equals(from))
              .mapToLong(InMemoryTables.Ready::id);
      LongStream parked =
          inMemoryTables.parked.rows().stream()
              .filter(row -> row.lane().equals(from))
              .mapToLong(ParkedTable.Parked::id);
      LongStream due =
          inMemoryTables.delayed.values().stream()
              .filter(row -> row.lane().equals(from) && !row.due().isAfter(now))
              .mapToLong(InMemoryTables.Delayed::id);
      return new Extent(LongStream.concat(ready, parked).max().orElse(0), due.max().orElse(0));
    }
  }

  @Override
  public int adopt(Lease lease, Lane from, ClusterView before, Extent upTo, int atMost) {
    synchronized (inMemoryTables) {
      return move(lease, from, before, look(from, upTo, atMost));
    }
  }

  @Override
  public int adopt(Lease lease, Lane from, ClusterView before, List<Orphan> some) {
    synchronized (inMemoryTables) {
      Set<Orphan> asked = Set.copyOf(some);
      return move(
          lease,
          from,
          before,
          look(from, Integer.MAX_VALUE).stream().filter(asked::contains).toList());
    }
  }

  private int move(Lease lease, Lane from, ClusterView before, List<Orphan> places) {
    boolean may =
        roll().allows(inMemoryTables.layout.clusterOf(from), before)
            && inMemoryTables.lane(lease.lane()).belongsTo(lease);
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
        inMemoryTables.notes.stream()
            .filter(note -> note.taker() == inMemoryTables.layout.cluster())
            .mapToLong(Note::batch)
            .max()
            .orElse(0);
    return Math.max(last + 1, inMemoryTables.now().toEpochMilli());
  }

  private void take(Orphan place, Lane from, Lane to, long batch) {
    Envelope envelope = remove(place);
    inMemoryTables.append(to, envelope);
    int taker = inMemoryTables.layout.cluster();
    inMemoryTables.notes.add(
        new Note(
            from, place.id(), place.delayed(), envelope.id(), taker, batch, inMemoryTables.now()));
  }

  private Envelope remove(Orphan place) {
    if (place.delayed()) {
      return Objects.requireNonNull(inMemoryTables.delayed.remove(place.id())).envelope();
    }
    ParkedTable.Parked parked = inMemoryTables.parked.remove(place.id());
    return parked == null
        ? Objects.requireNonNull(inMemoryTables.ready.remove(place.id())).envelope()
        : parked.envelope();
  }

  private static boolean isToTake(
      Lane lane, long id, boolean delayed, Envelope envelope, Lane from, Set<Noted> noted) {
    return lane.equals(from)
        && !noted.contains(new Noted(new Place(lane, id, delayed), envelope.id()));
  }

  /** It is promoted to an id of its own: behind all that is dead. */
  private boolean isHeld(InMemoryTables.Delayed row) {
    Key key = row.envelope().key();
    return key != null
        && inMemoryTables.dead.holds(new HeldKey(row.lane(), row.envelope().topic(), key));
  }

  private boolean isHeld(ParkedTable.Parked row) {
    return row.heldKey() != null
        && inMemoryTables.dead.holdsBack(Objects.requireNonNull(row.heldKey()), row.id());
  }

  private boolean isHeld(InMemoryTables.Ready row) {
    var key = inMemoryTables.stored(row).holdable();
    return key != null && inMemoryTables.dead.holdsBack(key, row.id());
  }

  @Override
  public int sweep(Duration retention) {
    synchronized (inMemoryTables) {
      int dropped = 0;
      for (Note note : inMemoryTables.notes) {
        if (!inMemoryTables.isOwn(note.lane())) {
          dropped += drop(note) ? 1 : 0;
        }
      }
      wakeLost();
      Instant before = inMemoryTables.now().minus(retention);
      inMemoryTables.notes.removeIf(
          note -> note.taker() == inMemoryTables.layout.cluster() && note.at().isBefore(before));
      return dropped;
    }
  }

  private boolean drop(Note note) {
    if (note.delayed()) {
      InMemoryTables.Delayed delayed = inMemoryTables.delayed.get(note.id());
      boolean isGhost = delayed != null && note.isOf(delayed.envelope());
      return isGhost && inMemoryTables.delayed.remove(note.id()) != null;
    }
    InMemoryTables.Ready ready = inMemoryTables.ready.get(note.id());
    boolean wasReady = ready != null && note.isOf(ready.envelope());
    if (wasReady) {
      inMemoryTables.ready.remove(note.id());
    }
    return dropParked(note) || wasReady;
  }

  private boolean dropParked(Note note) {
    ParkedTable.Parked parked = inMemoryTables.parked.get(note.id());
    boolean isGhost = parked != null && note.isOf(parked.envelope());
    return isGhost && inMemoryTables.parked.remove(note.id()) != null;
  }
}
