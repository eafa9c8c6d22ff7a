package dev.outbox.testkit.internal.tables;

import dev.outbox.DeadLetter;
import dev.outbox.message.Key;
import dev.outbox.spi.lane.HeldKey;
import dev.outbox.spi.lane.Lane;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The dead letters of an in-memory store, and the keys that some of them hold.
 *
 * <p>Guarded by the monitor of its {@link InMemoryTables}.
 */
public final class DeadTable {
  private final TreeMap<Long, Dead> rows = new TreeMap<>();
  private final Map<HeldKey, TreeSet<Long>> holders = new HashMap<>();

  /** A letter with the lane and the id that its message had. */
  public record Dead(long id, Lane lane, DeadLetter letter) {
    /** The key that it holds, or null. */
    @Nullable
    public HeldKey holds() {
      Key key = letter.envelope().key();
      return letter.holdsKey() && key != null
          ? new HeldKey(lane, letter.envelope().topic(), key)
          : null;
    }
  }

  /** What puts back all that is dead now. */
  public Runnable copy() {
    List<Dead> copy = List.copyOf(rows.values());
    return () -> {
      rows.clear();
      holders.clear();
      copy.forEach(this::add);
    };
  }

  public void add(Dead dead) {
    rows.put(dead.letter().number(), dead);
    HeldKey key = dead.holds();
    if (key != null) {
      holders.computeIfAbsent(key, any -> new TreeSet<>()).add(dead.id());
    }
  }

  /** Returns null when it is not there, or when its number is another one's by now. */
  @Nullable
  public Dead remove(DeadLetter.Id id) {
    Dead dead = rows.get(id.number());
    return dead == null || !dead.letter().id().equals(id) ? null : remove(id.number());
  }

  @Nullable
  public Dead remove(long number) {
    Dead dead = rows.remove(number);
    HeldKey key = dead == null ? null : dead.holds();
    if (dead != null && key != null) {
      holders.computeIfPresent(
          key,
          (any, ids) -> {
            ids.remove(dead.id());
            return ids.isEmpty() ? null : ids;
          });
    }
    return dead;
  }

  /** In order of number. */
  public Stream<Dead> above(long number) {
    return rows.tailMap(number, false).values().stream();
  }

  public Collection<Dead> rows() {
    return rows.values();
  }

  boolean holds(HeldKey key) {
    return holders.containsKey(key);
  }

  /** Whether a message of {@code key} with this id is behind one that died before it. */
  boolean holdsBack(HeldKey key, long id) {
    TreeSet<Long> ids = holders.get(key);
    return ids != null && ids.first() < id;
  }

  Set<HeldKey> heldKeys(Lane lane) {
    return holders.keySet().stream()
        .filter(key -> key.lane().equals(lane))
        .collect(Collectors.toSet());
  }

  /** Of the messages that died. */
  long highestId() {
    return rows.values().stream().mapToLong(Dead::id).max().orElse(0);
  }
}
