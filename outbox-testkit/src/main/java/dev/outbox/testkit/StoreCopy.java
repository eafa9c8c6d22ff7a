package dev.outbox.testkit;

import dev.outbox.testkit.internal.tables.InMemoryTables;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How an in-memory store stood at one moment, as an asynchronous standby or a backup has it.
 *
 * <p>Immutable. It may be restored any number of times.
 *
 * <pre>{@code
 * StoreCopy copy = InMemoryStore.create().copy();
 * copy.restore(); // as an operator restores a backup
 * }</pre>
 */
public final class StoreCopy {
  private final InMemoryTables inMemoryTables;
  private final List<Runnable> parts;

  StoreCopy(InMemoryTables inMemoryTables) {
    this.inMemoryTables = inMemoryTables;
    synchronized (inMemoryTables) {
      this.parts = List.copyOf(parts(inMemoryTables));
    }
  }

  private static List<Runnable> parts(InMemoryTables inMemoryTables) {
    List<Runnable> parts = new ArrayList<>();
    parts.add(inMemoryTables.counters());
    parts.add(of(inMemoryTables.ready));
    parts.add(of(inMemoryTables.delayed));
    parts.add(inMemoryTables.parked.copy());
    parts.add(inMemoryTables.dead.copy());
    parts.add(inMemoryTables.archive.copy());
    parts.add(of(inMemoryTables.relays));
    parts.add(of(inMemoryTables.topics));
    parts.add(of(inMemoryTables.committed));
    parts.add(of(inMemoryTables.beats));
    parts.add(of(inMemoryTables.notes));
    parts.add(inMemoryTables.dedupe.copy());
    parts.add(inMemoryTables.receipts.copy());
    inMemoryTables.lanes.forEach(lane -> parts.add(lane.copy()));
    return parts;
  }

  private static <K, V> Runnable of(Map<K, V> table) {
    Map<K, V> copy = new LinkedHashMap<>(table);
    return () -> {
      table.clear();
      table.putAll(copy);
    };
  }

  private static <T> Runnable of(Collection<T> table) {
    List<T> copy = List.copyOf(table);
    return () -> {
      table.clear();
      table.addAll(copy);
    };
  }

  /**
   * Makes the store what it was: all tables, the leases, and the identity, which gives ids again.
   * What was committed since never happened; open transactions are lost, and every session is cut,
   * which it hears at its next call.
   */
  public void restore() {
    synchronized (inMemoryTables) {
      inMemoryTables.cutSessions();
      parts.forEach(Runnable::run);
      inMemoryTables.notifyAll();
    }
  }
}
