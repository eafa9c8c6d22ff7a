package dev.outbox.testkit;

import dev.outbox.DeadLetter;
import dev.outbox.message.Envelope;
import dev.outbox.testkit.internal.tables.DeadTable;
import dev.outbox.testkit.internal.tables.InMemoryTables;
import dev.outbox.testkit.internal.tables.ParkedTable;
import java.util.List;

/**
 * What is committed in a store: where every message is. In memory it is of one moment, each list in
 * the order of the database's ids and {@code committed} in the order of the commits; over a
 * database it holds what a {@link Kit} has seen, in the order in which it did. {@code committed}
 * holds all that were ever enqueued, those that have left too.
 *
 * <p>Immutable.
 *
 * <pre>{@code
 * Contents contents = kit.contents();
 * boolean allSettled = contents.isDrained();
 * }</pre>
 */
public record Contents(
    List<Envelope> committed,
    List<Envelope> ready,
    List<Envelope> parked,
    List<Envelope> delayed,
    List<DeadLetter> dead,
    long delivered) {
  /** Copies the lists. */
  public Contents {
    committed = List.copyOf(committed);
    ready = List.copyOf(ready);
    parked = List.copyOf(parked);
    delayed = List.copyOf(delayed);
    dead = List.copyOf(dead);
  }

  static Contents of(InMemoryTables inMemoryTables) {
    synchronized (inMemoryTables) {
      return new Contents(
          inMemoryTables.committed,
          inMemoryTables.ready.values().stream().map(InMemoryTables.Ready::envelope).toList(),
          inMemoryTables.parked.rows().stream().map(ParkedTable.Parked::envelope).toList(),
          inMemoryTables.delayed.values().stream().map(InMemoryTables.Delayed::envelope).toList(),
          inMemoryTables.dead.above(0).map(DeadTable.Dead::letter).toList(),
          inMemoryTables.delivered);
    }
  }

  /** Nothing waits any more: every message was delivered or is a dead letter. */
  public boolean isDrained() {
    return ready.isEmpty() && parked.isEmpty() && delayed.isEmpty();
  }

  /** How many there are of each. */
  @Override
  public String toString() {
    return "%d committed, of them %d ready, %d parked, %d delayed, %d dead; %d delivered"
        .formatted(
            committed.size(), ready.size(), parked.size(), delayed.size(), dead.size(), delivered);
  }
}
