package dev.outbox.testkit.internal.tables;

import dev.outbox.message.Envelope;
import dev.outbox.spi.Purged;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The delivered messages of an in-memory store, if it keeps them.
 *
 * <p>Guarded by the monitor of its {@link InMemoryTables}.
 */
public final class ArchiveTable {
  private final Archive archive;
  private final TreeMap<Long, Archived> rows = new TreeMap<>();

  ArchiveTable(Archive archive) {
    this.archive = archive;
  }

  /** Whether delivered messages are kept. */
  public enum Archive {
    KEPT,
    NONE
  }

  private record Archived(Envelope envelope, Instant completedAt) {
    boolean isWithin(Instant from, Instant to) {
      return !completedAt.isBefore(from) && completedAt.isBefore(to);
    }
  }

  public boolean isKept() {
    return archive == Archive.KEPT;
  }

  void add(long id, Envelope envelope, Instant completedAt) {
    rows.put(id, new Archived(envelope, completedAt));
  }

  public int size() {
    return rows.size();
  }

  long highestId() {
    return rows.isEmpty() ? 0 : rows.lastKey();
  }

  /** Deletes the oldest of those that were completed in this time. */
  Purged purge(Instant from, Instant to, int atMost) {
    List<Map.Entry<Long, Archived>> old =
        rows.entrySet().stream()
            .filter(entry -> entry.getValue().isWithin(from, to))
            .sorted(Comparator.comparing(entry -> entry.getValue().completedAt()))
            .limit(atMost)
            .toList();
    old.forEach(entry -> rows.remove(entry.getKey()));
    return old.isEmpty()
        ? new Purged(0, from)
        : new Purged(old.size(), old.get(old.size() - 1).getValue().completedAt());
  }

  /** What puts back all that is archived now. */
  public Runnable copy() {
    Map<Long, Archived> copy = Map.copyOf(rows);
    return () -> {
      rows.clear();
      rows.putAll(copy);
    };
  }
}
