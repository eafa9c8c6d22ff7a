package dev.outbox.testkit.internal.tables;

import dev.outbox.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A table of which each key has one row: who comes second waits for the end of the first, as at a
 * unique index.
 *
 * <p>Guarded by the monitor of its {@link InMemoryTables}.
 */
public final class OneRowEach<K, V> {
  private static final Duration LOCK_WAIT = Duration.ofSeconds(30);

  private final InMemoryTables inMemoryTables;
  private final Map<K, Row<V>> committed = new HashMap<>();
  private final Map<K, Open<V>> open = new HashMap<>();

  OneRowEach(InMemoryTables inMemoryTables) {
    this.inMemoryTables = inMemoryTables;
  }

  private record Row<V>(V value, Instant expires) {}

  private record Open<V>(InMemoryTransaction owner, Row<V> row) {}

  /**
   * Puts {@code value} there, as of the commit, where no row is that is {@code kept}; returns what
   * is there then.
   */
  public V take(
      InMemoryTransaction transaction, K key, V value, Duration keep, Predicate<Instant> kept) {
    synchronized (inMemoryTables) {
      Row<V> there = awaited(transaction, key);
      if (there != null && kept.test(there.expires())) {
        return there.value();
      }
      Row<V> row = new Row<>(value, inMemoryTables.now().plus(keep));
      open.put(key, new Open<>(transaction, row));
      transaction.write(() -> commit(key, row), () -> forget(key));
      return value;
    }
  }

  private @Nullable Row<V> awaited(InMemoryTransaction transaction, K key) {
    try {
      if (!Monitor.await(inMemoryTables, () -> isFree(transaction, key), LOCK_WAIT)) {
        throw StoreException.contended(
            "another transaction has held %s for %s".formatted(key, LOCK_WAIT), null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw StoreException.passing("interrupted while another transaction had " + key, e);
    }
    Open<V> ours = open.get(key);
    return ours == null ? committed.get(key) : ours.row();
  }

  private boolean isFree(InMemoryTransaction transaction, K key) {
    Open<V> holder = open.get(key);
    return holder == null || holder.owner() == transaction;
  }

  private void commit(K key, Row<V> row) {
    committed.put(key, row);
    forget(key);
  }

  private void forget(K key) {
    open.remove(key);
    inMemoryTables.notifyAll();
  }

  /** What puts back all that is committed now; what is open then is lost. */
  public Runnable copy() {
    Map<K, Row<V>> copy = Map.copyOf(committed);
    return () -> {
      committed.clear();
      committed.putAll(copy);
      open.clear();
    };
  }

  public int purge(int atMost) {
    synchronized (inMemoryTables) {
      Instant now = inMemoryTables.now();
      int purged = 0;
      Iterator<Row<V>> rows = committed.values().iterator();
      while (purged < atMost && rows.hasNext()) {
        if (!rows.next().expires().isAfter(now)) {
          rows.remove();
          purged++;
        }
      }
      return purged;
    }
  }
}
