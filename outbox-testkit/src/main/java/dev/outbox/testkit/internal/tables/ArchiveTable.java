package dev.outbox.testkit.internal.tables;

import dev.outbox.message.Envelope;
import dev.outbox.spi.Purged;
import dev.outbox.spi.lane.Lane;
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

  /** A delivered message and the lane that it had. */
  public record Archived(Lane lane, Envelope envelope, Instant completedAt) {
    boolean isWithin(Instant from, Instant to) {
      return !completedAt.isBefore(from) && completedAt.isBefore(to);
    }
  }

  public boolean isKept() {
    return archive == Archive.KEPT;
  }

  void add(long id, Lane lane, Envelope envelope, Instant completedAt) {
    rows.put(id, new Archived(lane, envelope, completedAt));
  }

  public int size() {
    return rows.size();
  }

  long highestId() {
    return rows.isEmpty() ? 0 : rows.lastKey();
  }

  /** Those that were completed from {@code from} until before {@code to}, in that order. */
  public List<Archived> completed(Instant from, Instant to) {
    return rows.values().stream()
        .filter(row -> row.isWithin(from, to))
        .sorted(Comparator.comparing(Archived::completedAt))
        .toList();
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
