package dev.outbox.testkit.internal.tables;

import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.spi.lane.HeldKey;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.HoldReason;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The parked messages of an in-memory store, by id and by key.
 *
 * <p>Guarded by the monitor of its {@link InMemoryTables}.
 */
public final class ParkedTable {
  private final DeadTable dead;
  private final TreeMap<Long, Parked> rows = new TreeMap<>();
  private final TreeMap<Long, Parked> unkeyed = new TreeMap<>();
  private final Map<HeldKey, TreeMap<Long, Parked>> keys = new LinkedHashMap<>();

  ParkedTable(DeadTable dead) {
    this.dead = dead;
  }

  /**
   * A null {@code due} waits for something else than time; {@code firstFailure} is null until an
   * attempt was counted.
   */
  public record Parked(
      long id,
      Lane lane,
      Envelope envelope,
      HoldReason reason,
      int attempts,
      String error,
      String history,
      @Nullable Instant firstFailure,
      @Nullable Instant due) {
    @Nullable HeldKey heldKey() {
      Key key = envelope.key();
      return key == null ? null : new HeldKey(lane, envelope.topic(), key);
    }

    public boolean isDue(Instant now) {
      return due != null && !due.isAfter(now);
    }

    boolean waitsForItsTopic() {
      return reason == HoldReason.TOPIC && due == null;
    }

    Parked dueAt(Instant instant) {
      return new Parked(
          id, lane, envelope, reason, attempts, error, history, firstFailure, instant);
    }
  }

  /** What puts back all that is parked now. */
  public Runnable copy() {
    List<Parked> copy = List.copyOf(rows.values());
    return () -> {
      rows.clear();
      unkeyed.clear();
      keys.clear();
      copy.forEach(this::put);
    };
  }

  public void put(Parked row) {
    rows.put(row.id(), row);
    line(row).put(row.id(), row);
  }

  /** An id above {@code id} and above all that is parked. */
  long freeId(long id) {
    return Math.max(id, rows.lastKey()) + 1;
  }

  /** Parks the message under {@code id}, or what is parked of it again. */
  void put(Fate.Park park, long id, Envelope envelope, Instant now) {
    Parked before = rows.get(id);
    Instant first = before == null || before.firstFailure() == null ? now : before.firstFailure();
    put(
        new Parked(
            id,
            park.storedEnvelope().lane(),
            envelope,
            park.reason(),
            park.attempts(),
            Objects.requireNonNullElse(park.error(), ""),
            park.history(),
            park.attempts() == 0 ? null : first,
            park.rest() == null ? null : now.plus(park.rest())));
  }

  private SortedMap<Long, Parked> line(Parked row) {
    HeldKey key = row.heldKey();
    return key == null ? unkeyed : keys.computeIfAbsent(key, any -> new TreeMap<>());
  }

  @Nullable
  public Parked get(long id) {
    return rows.get(id);
  }

  @Nullable
  public Parked remove(long id) {
    Parked row = rows.remove(id);
    if (row != null) {
      SortedMap<Long, Parked> line = line(row);
      line.remove(id);
      HeldKey key = row.heldKey();
      if (key != null && line.isEmpty()) {
        keys.remove(key);
      }
    }
    return row;
  }

  long highestId() {
    return rows.isEmpty() ? 0 : rows.lastKey();
  }

  /** In order of id. */
  public Collection<Parked> rows() {
    return rows.values();
  }

  public int size() {
    return rows.size();
  }

  boolean holds(HeldKey key) {
    return keys.containsKey(key);
  }

  Set<HeldKey> heldKeys(Lane lane) {
    return keys.keySet().stream()
        .filter(key -> key.lane().equals(lane))
        .collect(Collectors.toSet());
  }

  /**
   * Makes the first parked message of {@code key} due if it waits for no failure of its own, and no
   * dead letter holds the key.
   */
  public void wakeFirst(HeldKey key, Instant now) {
    TreeMap<Long, Parked> line = keys.get(key);
    if (line != null && !dead.holds(key) && line.firstEntry().getValue().due() == null) {
      put(line.firstEntry().getValue().dueAt(now));
    }
  }

  /** Makes those due that were held with their topic, if they are first of their key. */
  public int release(Predicate<Parked> wanted, int atMost, Instant now) {
    List<Parked> released =
        heads()
            .filter(row -> row.waitsForItsTopic() && wanted.test(row))
            .filter(row -> row.heldKey() == null || !dead.holds(row.heldKey()))
            .sorted(Comparator.comparing(Parked::id))
            .limit(atMost)
            .toList();
    released.forEach(row -> put(row.dueAt(now)));
    return released.size();
  }

  /** Each due head of the lane followed by those of its key, as far as no dead letter holds it. */
  public Stream<Parked> due(Lane lane, Set<String> heldTopics, Instant now) {
    return heads()
        .filter(row -> row.lane().equals(lane) && row.isDue(now))
        .filter(row -> !heldTopics.contains(row.envelope().topic()))
        .sorted(Comparator.comparing(Parked::due).thenComparing(Parked::id))
        .flatMap(this::withFollowers);
  }

  private Stream<Parked> heads() {
    return Stream.concat(
        keys.values().stream().map(line -> line.firstEntry().getValue()),
        unkeyed.values().stream());
  }

  private Stream<Parked> withFollowers(Parked head) {
    HeldKey key = head.heldKey();
    return key == null
        ? Stream.of(head)
        : Objects.requireNonNull(keys.get(key)).values().stream()
            .takeWhile(row -> !dead.holdsBack(key, row.id()));
  }
}
