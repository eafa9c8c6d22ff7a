package dev.outbox.testkit;

import dev.outbox.message.Lane;
import dev.outbox.store.ClusterStore;
import dev.outbox.store.Fate;
import dev.outbox.store.GivenIds;
import dev.outbox.store.HeldKey;
import dev.outbox.store.HoldReason;
import dev.outbox.store.LaneClaim;
import dev.outbox.store.LaneStore;
import dev.outbox.store.Lease;
import dev.outbox.store.News;
import dev.outbox.store.Outcome;
import dev.outbox.store.RelayRegistry;
import dev.outbox.store.Settlement;
import dev.outbox.store.StoreException;
import dev.outbox.store.Stored;
import dev.outbox.store.Suspect;
import dev.outbox.store.TopicSetting;
import dev.outbox.store.Writers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Claims by lanes on an in-memory store. Every method is one step under the tables' monitor. */
final class InMemoryLanes implements LaneStore {
  private final Tables tables;
  private final Duration lease;
  private final InMemorySession session;
  private final InMemoryClaims claims;

  InMemoryLanes(Tables tables, String owner, Duration lease) {
    this.tables = tables;
    this.lease = lease;
    this.session = new InMemorySession(tables);
    this.claims = new InMemoryClaims(tables, owner, lease);
  }

  @Override
  public List<LaneClaim> claim(int atMost, Set<Lane> known) {
    synchronized (tables) {
      session.begin();
      return claims.claim(atMost, known);
    }
  }

  @Override
  public List<LaneClaim> reclaim(Set<Lane> known) {
    synchronized (tables) {
      session.begin();
      return claims.reclaim(known);
    }
  }

  @Override
  public News look(List<Cursor> cursors, Set<String> heldTopics) {
    synchronized (tables) {
      session.begin();
      Instant now = tables.now();
      return new News(
          lanes(cursors, cursor -> ready(cursor).findAny().isPresent()),
          lanes(cursors, cursor -> due(cursor, heldTopics).findAny().isPresent()),
          lanes(cursors, cursor -> tables.hasDelayedDue(cursor.lane())),
          (int) tables.lanes.stream().filter(row -> row.isFree(now)).count());
    }
  }

  private static Set<Lane> lanes(List<Cursor> cursors, Predicate<Cursor> filter) {
    return cursors.stream().filter(filter).map(Cursor::lane).collect(Collectors.toSet());
  }

  @Override
  public List<Stored> read(List<Cursor> cursors, long bytes) {
    synchronized (tables) {
      session.begin();
      return within(
          bytes,
          cursors,
          cursor -> ready(cursor).limit(cursor.limit()).map(tables::stored).toList());
    }
  }

  @Override
  public List<Stored> readPast(
      List<Cursor> cursors, long bytes, Set<String> heldTopics, long reach) {
    synchronized (tables) {
      session.begin();
      return within(
          bytes,
          cursors,
          cursor ->
              ready(cursor)
                  .takeWhile(row -> row.id() <= cursor.after() + reach)
                  .filter(row -> !heldTopics.contains(row.envelope().topic()))
                  .limit(cursor.limit())
                  .map(tables::stored)
                  .toList());
    }
  }

  private Stream<Tables.Ready> ready(Cursor cursor) {
    return tables.ready.tailMap(cursor.after(), false).values().stream()
        .filter(row -> row.lane().equals(cursor.lane()));
  }

  @Override
  public List<Stored> readDue(List<Cursor> cursors, long bytes, Set<String> heldTopics) {
    synchronized (tables) {
      session.begin();
      return within(
          bytes,
          cursors,
          cursor -> due(cursor, heldTopics).limit(cursor.limit()).map(tables::stored).toList());
    }
  }

  private Stream<ParkedTable.Parked> due(Cursor cursor, Set<String> heldTopics) {
    return tables.parked.due(cursor.lane(), heldTopics, tables.now());
  }

  private static List<Stored> within(
      long bytes, List<Cursor> cursors, Function<Cursor, List<Stored>> read) {
    List<Stored> all = new ArrayList<>();
    long left = bytes;
    for (Cursor cursor : cursors) {
      for (Stored stored : read.apply(cursor)) {
        int size = stored.envelope().payload().bytes().length;
        if (size > left && !all.isEmpty()) {
          break;
        }
        all.add(stored);
        left -= size;
      }
    }
    return all;
  }

  @Override
  public int release(List<Lease> leases, Set<String> heldTopics, int atMost) {
    synchronized (tables) {
      session.begin();
      Set<Lane> owned = owned(leases);
      return tables.parked.release(
          row -> owned.contains(row.lane()) && !heldTopics.contains(row.envelope().topic()),
          atMost,
          tables.now());
    }
  }

  @Override
  public int promoteDue(List<Lease> leases, int atMost) {
    synchronized (tables) {
      session.begin();
      return tables.promoteDue(owned(leases)::contains, atMost);
    }
  }

  private Set<Lane> owned(List<Lease> leases) {
    return leases.stream()
        .filter(held -> tables.lane(held.lane()).belongsTo(held))
        .map(Lease::lane)
        .collect(Collectors.toSet());
  }

  @Override
  public Map<Lane, Outcome> settle(List<Settlement> settlements) {
    synchronized (tables) {
      session.begin();
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
    if (settlement.after() != Settlement.After.RUN_ON) {
      row.floor = settlement.floor();
      row.until = tables.now().plus(lease);
    }
    if (!settlement.fates().isEmpty()) {
      row.takeovers = 0;
      row.suspect = null;
    }
    if (settlement.after() == Settlement.After.RELEASE) {
      row.owner = null;
    }
    return outcome;
  }

  private Outcome apply(List<Fate> fates) {
    int missing = 0;
    int taken = 0;
    Set<HeldKey> left = new LinkedHashSet<>();
    Set<HeldKey> moved = new LinkedHashSet<>();
    for (Fate fate : fates) {
      boolean written = tables.apply(fate);
      missing += written ? 0 : 1;
      HeldKey key = fate.stored().holdable();
      boolean renumbered = written && fate instanceof Fate.Park && !tables.isParked(fate.stored());
      taken += renumbered ? 1 : 0;
      boolean leaves = fate.stored().isParked() && !(fate instanceof Fate.Park);
      boolean unparked = !written && !isForItsTopic(fate);
      if (key != null && (leaves || unparked)) {
        left.add(key);
      }
      if (key != null && fate instanceof Fate.Park park && park.reason() == HoldReason.FOLLOWER) {
        moved.add(key);
      }
    }
    moved.addAll(left);
    moved.forEach(key -> tables.parked.wakeFirst(key, tables.now()));
    left.removeIf(tables::isHeld);
    return new Outcome.Settled(left, missing, taken);
  }

  private static boolean isForItsTopic(Fate fate) {
    return fate instanceof Fate.Park park && park.reason() == HoldReason.TOPIC;
  }

  @Override
  public boolean suspect(Lease lease, Stored message) {
    synchronized (tables) {
      session.begin();
      Tables.LaneRow row = tables.lane(lease.lane());
      if (!row.belongsTo(lease)) {
        return false;
      }
      if (tables.has(message)) {
        Suspect before = row.suspect;
        int deaths = before == null || before.id() != message.id() ? 0 : before.deaths();
        row.suspect = new Suspect(message.id(), deaths + 1);
      }
      return true;
    }
  }

  @Override
  public long newest(long id) {
    if (tables.layout.hasPeers()) {
      return id; // the newest of all may be another cluster's, whose ids say nothing of ours
    }
    synchronized (tables) {
      session.begin();
      return tables.ready.isEmpty() ? id : Math.max(id, tables.ready.lastKey());
    }
  }

  @Override
  public long nextId() {
    return tables.layout.hasPeers() ? UNTOLD : tables.upcomingId();
  }

  @Override
  public GivenIds given(long next) {
    synchronized (tables) {
      return new GivenIds(IdsGiven.highest(tables), "Run InMemoryStore.raiseIds()");
    }
  }

  @Override
  public Writers writers() {
    synchronized (tables) {
      session.begin();
      return new Writers.Known(tables.writers, Duration.ZERO);
    }
  }

  @Override
  public Map<String, TopicSetting> topics() {
    session.begin();
    return new InMemoryTopics(tables).all();
  }

  @Override
  public RelayRegistry registry() {
    return new InMemoryRelays(tables, session::begin);
  }

  @Override
  public ClusterStore clusters() {
    return new InMemoryClusters(tables);
  }

  /** There is no connection to cut. */
  @Override
  public void abort() {}

  /** There is no connection to give back. */
  @Override
  public void close() {}
}
