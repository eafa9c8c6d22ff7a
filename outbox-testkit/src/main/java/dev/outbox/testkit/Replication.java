package dev.outbox.testkit;

import dev.outbox.spi.cluster.ClusterBeat;
import dev.outbox.testkit.internal.tables.DeadTable;
import dev.outbox.testkit.internal.tables.InMemoryClusters;
import dev.outbox.testkit.internal.tables.InMemoryTables;
import dev.outbox.testkit.internal.tables.ParkedTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Asynchronous replication among in-memory stores of several clusters: what each has written itself
 * is brought to every other in its order, when a test says so. What was replicated is not
 * replicated again; a delete of what is not there does nothing; a second row of one key is a
 * conflict, which would stop a database's replication.
 *
 * <p>Used by one thread.
 *
 * <pre>{@code
 * Replication replication = Replication.among(List.of(one, other));
 * replication.capture(0); // what the first has changed
 * while (replication.underWay(0, 1) > 0) {
 *   replication.deliver(0, 1);
 * }
 * }</pre>
 */
public final class Replication {
  private final List<InMemoryTables> tables;
  private final List<Map<Object, Object>> known = new ArrayList<>();
  private final Map<Link, Deque<Changes>> underWay = new HashMap<>();

  private Replication(List<InMemoryTables> tables) {
    this.tables = tables;
    tables.forEach(each -> known.add(rows(each)));
    for (int from = 0; from < tables.size(); from++) {
      for (int to = 0; to < tables.size(); to++) {
        underWay.put(new Link(from, to), new ArrayDeque<>());
      }
    }
  }

  private record Link(int from, int to) {}

  /** Rows that were written again, by their key, and keys of rows that were deleted. */
  private record Changes(Map<Object, Object> before, Map<Object, @Nullable Object> after) {}

  private record Key(String table, Object id) {}

  /** Replication among these, which are empty: the first is cluster 0, and so on. */
  public static Replication among(List<InMemoryStore> stores) {
    return new Replication(stores.stream().map(InMemoryStore::inMemoryTables).toList());
  }

  /**
   * Notes what {@code cluster} has written since it was asked last, as one transaction that is
   * under way to all others. False when it wrote nothing.
   */
  public boolean capture(int cluster) {
    Map<Object, Object> before = known.get(cluster);
    Map<Object, Object> now = rows(tables.get(cluster));
    Map<Object, @Nullable Object> after = new LinkedHashMap<>();
    now.forEach(
        (key, row) -> {
          if (!row.equals(before.get(key))) {
            after.put(key, row);
          }
        });
    before.keySet().stream()
        .filter(key -> !now.containsKey(key))
        .forEach(key -> after.put(key, null));
    known.set(cluster, now);
    for (int to = 0; to < tables.size() && !after.isEmpty(); to++) {
      if (to != cluster) {
        queue(cluster, to).add(new Changes(before, after));
      }
    }
    return !after.isEmpty();
  }

  /** The tables of {@code cluster} are another copy now: differences in it are not reported. */
  void replaced(int cluster) {
    known.set(cluster, rows(tables.get(cluster)));
  }

  private Deque<Changes> queue(int from, int to) {
    return Objects.requireNonNull(underWay.get(new Link(from, to)));
  }

  /** How many transactions are under way. */
  public int underWay(int from, int to) {
    return queue(from, to).size();
  }

  /**
   * Brings the oldest transaction that is under way.
   *
   * @throws IllegalStateException when it meets a row of the same key, which is a conflict
   */
  public void deliver(int from, int to) {
    capture(to);
    Changes changes = queue(from, to).remove();
    Map<Object, Object> here = known.get(to);
    InMemoryTables there = tables.get(to);
    synchronized (there) {
      for (Map.Entry<Object, @Nullable Object> change : changes.after().entrySet()) {
        Key key = (Key) change.getKey();
        Object row = change.getValue();
        boolean isUpdate = changes.before().containsKey(key);
        if (row == null) {
          here.remove(key);
          remove(there, key);
        } else if (isUpdate && here.containsKey(key)) {
          here.put(key, row);
          put(there, row);
        } else if (!isUpdate && here.containsKey(key)) {
          throw new IllegalStateException(
              "conflict: cluster %d has %s already, as %d wrote %s"
                  .formatted(to, here.get(key), from, row));
        } else if (!isUpdate) {
          here.put(key, row);
          put(there, row);
        }
      }
    }
  }

  private static Map<Object, Object> rows(InMemoryTables inMemoryTables) {
    Map<Object, Object> rows = new LinkedHashMap<>();
    synchronized (inMemoryTables) {
      inMemoryTables.ready.values().forEach(row -> rows.put(new Key("ready", row.id()), row));
      inMemoryTables.parked.rows().forEach(row -> rows.put(new Key("parked", row.id()), row));
      inMemoryTables.delayed.values().forEach(row -> rows.put(new Key("delayed", row.id()), row));
      inMemoryTables
          .dead
          .rows()
          .forEach(row -> rows.put(new Key("dead", row.letter().number()), row));
      inMemoryTables.beats.forEach(
          beat -> rows.put(new Key("beat", List.of(beat.cluster(), beat.number())), beat));
      inMemoryTables.notes.forEach(note -> rows.put(new Key("note", key(note)), note));
    }
    return rows;
  }

  private static void put(InMemoryTables inMemoryTables, Object row) {
    if (row instanceof InMemoryTables.Ready ready) {
      inMemoryTables.ready.put(ready.id(), ready);
    } else if (row instanceof ParkedTable.Parked parked) {
      inMemoryTables.parked.put(parked);
    } else if (row instanceof InMemoryTables.Delayed delayed) {
      inMemoryTables.delayed.put(delayed.id(), delayed);
    } else if (row instanceof DeadTable.Dead dead) {
      inMemoryTables.dead.add(dead);
    } else if (row instanceof ClusterBeat beat) {
      inMemoryTables.beats.add(beat);
    } else {
      inMemoryTables.notes.add((InMemoryClusters.Note) row);
    }
  }

  private static void remove(InMemoryTables inMemoryTables, Key key) {
    switch (key.table()) {
      case "ready" -> inMemoryTables.ready.remove((Long) key.id());
      case "parked" -> inMemoryTables.parked.remove((Long) key.id());
      case "delayed" -> inMemoryTables.delayed.remove((Long) key.id());
      case "dead" -> inMemoryTables.dead.remove((Long) key.id());
      case "beat" ->
          inMemoryTables.beats.removeIf(
              beat -> List.of(beat.cluster(), beat.number()).equals(key.id()));
      default -> inMemoryTables.notes.removeIf(note -> key(note).equals(key.id()));
    }
  }

  private static List<Object> key(InMemoryClusters.Note note) {
    return List.of(note.place(), note.message(), note.taker(), note.batch());
  }
}
