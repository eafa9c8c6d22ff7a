package dev.outbox.testkit.internal.tables;

import dev.outbox.cluster.ClusterState;
import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import dev.outbox.spi.cluster.ClusterBeat;
import dev.outbox.spi.cluster.ClusterBeat.Seen;
import dev.outbox.spi.cluster.ClusterStore;
import dev.outbox.spi.cluster.ClusterStore.Orphan;
import dev.outbox.spi.cluster.ClusterView;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.HoldReason;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The signs of life in an in-memory store. Every method is one step under the tables' monitor. */
public record InMemoryClusters(InMemoryTables inMemoryTables) implements ClusterStore {
  /** That a message was taken from a lane; those of the delayed table have their own ids. */
  public record Note(
      Lane lane, long id, boolean delayed, MessageId message, int taker, long batch, Instant at) {
    public Place place() {
      return new Place(lane, id, delayed);
    }

    /** Ids go back when tables are restored: then another message may be there. */
    boolean isOf(@Nullable Envelope envelope) {
      return envelope != null && envelope.id().equals(message);
    }
  }

  record Place(Lane lane, long id, boolean delayed) {}

  public static ClusterState standing(InMemoryTables inMemoryTables) {
    return rollOf(inMemoryTables).clusterState();
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

  /** Followers that have become the first of their key without being marked as such. */
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
    synchronized (inMemoryTables) {
      return orphans().upTo(from, Extent.ALL, atMost);
    }
  }

  @Override
  public Extent extent(Lane from) {
    synchronized (inMemoryTables) {
      return orphans().extent(from);
    }
  }

  private InMemoryOrphans orphans() {
    return new InMemoryOrphans(inMemoryTables);
  }

  @Override
  public int adopt(Lease lease, Lane from, ClusterView before, Extent upTo, int atMost) {
    synchronized (inMemoryTables) {
      return move(lease, from, before, orphans().upTo(from, upTo, atMost));
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
