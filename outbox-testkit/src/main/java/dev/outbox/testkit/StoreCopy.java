package dev.outbox.testkit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How an in-memory store stood at one moment, as an asynchronous standby or a backup has it.
 *
 * <p>Immutable. It may be restored any number of times.
 */
public final class StoreCopy {
  private final Tables tables;
  private final List<Runnable> parts;

  StoreCopy(Tables tables) {
    this.tables = tables;
    synchronized (tables) {
      this.parts = List.copyOf(parts(tables));
    }
  }

  private static List<Runnable> parts(Tables tables) {
    List<Runnable> parts = new ArrayList<>();
    parts.add(tables.counters());
    parts.add(of(tables.ready));
    parts.add(of(tables.delayed));
    parts.add(tables.parked.copy());
    parts.add(tables.dead.copy());
    parts.add(of(tables.archived));
    parts.add(of(tables.relays));
    parts.add(of(tables.topics));
    parts.add(of(tables.committed));
    parts.add(of(tables.beats));
    parts.add(of(tables.notes));
    parts.add(tables.dedupe.copy());
    parts.add(tables.receipts.copy());
    tables.lanes.forEach(lane -> parts.add(lane.copy()));
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
    synchronized (tables) {
      tables.cutSessions();
      parts.forEach(Runnable::run);
      tables.notifyAll();
    }
  }
}
