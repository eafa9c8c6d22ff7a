package dev.outbox.testkit;

import dev.outbox.message.Lane;
import dev.outbox.store.Fate;
import dev.outbox.store.HeldKey;
import dev.outbox.store.LaneClaim;
import dev.outbox.store.LaneStore;
import dev.outbox.store.Lease;
import dev.outbox.store.Outcome;
import dev.outbox.store.RelayRegistry;
import dev.outbox.store.Settlement;
import dev.outbox.store.StoreException;
import dev.outbox.store.Stored;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Claims by lanes on an in-memory store. Every method is one step under the tables' monitor. */
final class InMemoryLanes implements LaneStore {
  private final Tables tables;
  private final String owner;
  private final Duration lease;

  InMemoryLanes(Tables tables, String owner, Duration lease) {
    this.tables = tables;
    this.owner = owner;
    this.lease = lease;
  }

  @Override
  public List<LaneClaim> claim(int atMost) {
    synchronized (tables) {
      Instant now = tables.now();
      List<Tables.LaneRow> free =
          tables.lanes.stream()
              .filter(row -> !row.locked && row.isFree(now, lease))
              .limit(atMost)
              .toList();
      return free.stream().map(row -> take(row, now)).toList();
    }
  }

  private LaneClaim take(Tables.LaneRow row, Instant now) {
    row.takeovers += row.owner == null ? 0 : 1;
    row.owner = owner;
    row.epoch++;
    row.until = now.plus(lease);
    return new LaneClaim(new Lease(row.lane, owner, row.epoch, row.floor), heldKeys(row.lane));
  }

  private Set<HeldKey> heldKeys(Lane lane) {
    return tables.parked.values().stream()
        .filter(row -> row.lane().equals(lane))
        .map(Tables.Parked::heldKey)
        .flatMap(java.util.stream.Stream::ofNullable)
        .collect(Collectors.toSet());
  }

  @Override
  public List<Stored> read(List<Cursor> cursors) {
    synchronized (tables) {
      return cursors.stream().flatMap(cursor -> read(cursor).stream()).toList();
    }
  }

  private List<Stored> read(Cursor cursor) {
    return tables.ready.tailMap(cursor.after(), false).values().stream()
        .filter(row -> row.lane().equals(cursor.lane()))
        .limit(cursor.limit())
        .map(tables::stored)
        .toList();
  }

  @Override
  public List<Stored> readDue(List<Lane> lanes, int perLane) {
    synchronized (tables) {
      return lanes.stream().flatMap(lane -> readDue(lane, perLane).stream()).toList();
    }
  }

  private List<Stored> readDue(Lane lane, int perLane) {
    List<Stored> due = new ArrayList<>();
    for (Tables.Parked head : dueHeads(lane)) {
      HeldKey key = head.heldKey();
      if (key == null) {
        due.add(tables.stored(head));
      } else {
        tables.parkedOf(key).map(tables::stored).forEach(due::add);
      }
    }
    return due.stream().limit(perLane).toList();
  }

  private List<Tables.Parked> dueHeads(Lane lane) {
    Instant now = tables.now();
    Set<@Nullable HeldKey> met = new HashSet<>();
    return tables.parked.values().stream()
        .filter(row -> row.lane().equals(lane))
        .filter(row -> row.heldKey() == null || met.add(row.heldKey()))
        .filter(head -> head.isDue(now))
        .sorted(Comparator.comparing(Tables.Parked::due).thenComparing(Tables.Parked::id))
        .toList();
  }

  @Override
  public int promoteDue(List<Lease> leases, int atMost) {
    synchronized (tables) {
      Set<Lane> owned =
          leases.stream()
              .filter(held -> tables.lane(held.lane()).belongsTo(held))
              .map(Lease::lane)
              .collect(Collectors.toSet());
      return tables.promoteDue(owned::contains, atMost);
    }
  }

  @Override
  public Map<Lane, Outcome> settle(List<Settlement> settlements) {
    synchronized (tables) {
      refuseLocked(settlements);
      Map<Lane, Outcome> outcomes = new TreeMap<>();
      settlements.forEach(
          settlement -> outcomes.put(settlement.lease().lane(), settle(settlement)));
      return outcomes;
    }
  }

  private void refuseLocked(List<Settlement> settlements) {
    for (Settlement settlement : settlements) {
      if (tables.lane(settlement.lease().lane()).locked) {
        throw StoreException.passing(
            "another session has locked lane " + settlement.lease().lane(), null);
      }
    }
  }

  private Outcome settle(Settlement settlement) {
    Tables.LaneRow row = tables.lane(settlement.lease().lane());
    if (!row.belongsTo(settlement.lease())) {
      return new Outcome.Fenced();
    }
    Outcome outcome = apply(settlement.fates());
    row.floor = settlement.floor();
    row.until = tables.now().plus(lease);
    if (!settlement.fates().isEmpty()) {
      row.takeovers = 0;
    }
    if (settlement.after() == Settlement.After.RELEASE) {
      row.owner = null;
    }
    return outcome;
  }

  private Outcome apply(List<Fate> fates) {
    int missing = 0;
    Set<HeldKey> touched = new LinkedHashSet<>();
    Set<HeldKey> left = new LinkedHashSet<>();
    for (Fate fate : fates) {
      missing += tables.apply(fate) ? 0 : 1;
      HeldKey key = fate.stored().holdable();
      if (key != null) {
        touched.add(key);
      }
      if (key != null && fate.stored().isParked() && !(fate instanceof Fate.Park)) {
        left.add(key);
      }
    }
    touched.forEach(tables::wakeFirst);
    left.removeIf(key -> tables.parkedOf(key).findAny().isPresent());
    return new Outcome.Settled(left, missing);
  }

  @Override
  public RelayRegistry registry() {
    return new InMemoryRelays(tables);
  }

  /** There is no connection to give back. */
  @Override
  public void close() {}
}
