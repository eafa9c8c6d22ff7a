package dev.outbox.testkit.internal.tables;

import static java.util.Objects.requireNonNull;

import dev.outbox.DeadLetter;
import dev.outbox.message.Envelope;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.StoredEnvelope;
import org.jspecify.annotations.Nullable;

/**
 * Writes what became of messages into the tables of an in-memory store.
 *
 * <p>Guarded by the monitor of its {@link InMemoryTables}.
 */
public final class FateWriter {
  private final InMemoryTables inMemoryTables;

  FateWriter(InMemoryTables inMemoryTables) {
    this.inMemoryTables = inMemoryTables;
  }

  /** Writes the fate. Returns false when its row was not there any more. */
  public boolean write(Fate fate) {
    synchronized (inMemoryTables) {
      inMemoryTables.notifyAll();
      return fate instanceof Fate.Park park ? park(park) : end(fate);
    }
  }

  private boolean end(Fate fate) {
    Envelope envelope = remove(fate.storedEnvelope());
    if (envelope == null) {
      return false;
    }
    if (fate instanceof Fate.Bury bury) {
      deadLetter(bury, envelope);
    } else {
      deliver(fate.storedEnvelope().lane(), envelope);
    }
    return true;
  }

  private void deliver(Lane lane, Envelope envelope) {
    inMemoryTables.delivered++;
    if (inMemoryTables.archive.isKept()) {
      inMemoryTables.archive.add(inMemoryTables.nextId(), lane, envelope, inMemoryTables.now());
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

  /** Removes the row, and returns what was in it; null when it was not there any more. */
  public @Nullable Envelope remove(StoredEnvelope storedEnvelope) {
    Envelope there =
        storedEnvelope.isParked() ? parkedAt(storedEnvelope.id()) : readyAt(storedEnvelope.id());
    if (!is(storedEnvelope, there)) {
      return null;
    }
    if (storedEnvelope.isParked()) {
      inMemoryTables.parked.remove(storedEnvelope.id());
    } else {
      inMemoryTables.ready.remove(storedEnvelope.id());
    }
    return there;
  }

  private @Nullable Envelope readyAt(long id) {
    InMemoryTables.Ready row = inMemoryTables.ready.get(id);
    return row == null ? null : row.envelope();
  }

  private @Nullable Envelope parkedAt(long id) {
    ParkedTable.Parked row = inMemoryTables.parked.get(id);
    return row == null ? null : row.envelope();
  }

  /** Ids are given again when a store goes back: then another message may be there. */
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
    inMemoryTables.parked.put(
        park,
        taken ? inMemoryTables.parked.freeId(id) : id,
        requireNonNull(isReady ? from : before),
        inMemoryTables.now());
    if (isReady) {
      inMemoryTables.ready.remove(id);
    }
    return true;
  }

  private void deadLetter(Fate.Bury bury, Envelope envelope) {
    DeadLetter letter =
        new DeadLetter(
            inMemoryTables.nextId(),
            inMemoryTables.seenFrom(bury.storedEnvelope().lane(), envelope),
            bury.reason(),
            bury.error(),
            bury.attempts(),
            bury.history(),
            inMemoryTables.now(),
            bury.holdsKey() && envelope.key() != null);
    inMemoryTables.dead.add(
        new DeadTable.Dead(bury.storedEnvelope().id(), bury.storedEnvelope().lane(), letter));
  }
}
