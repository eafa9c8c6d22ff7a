package dev.outbox.testkit.internal.store;

import dev.outbox.Topics.Setting;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.RelayRegistry;
import dev.outbox.spi.cluster.ClusterStore;
import dev.outbox.spi.lane.GivenIds;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.lane.OpenTransactions;
import dev.outbox.spi.lane.PendingLanes;
import dev.outbox.spi.lane.Suspect;
import dev.outbox.spi.settle.SettleResult;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.testkit.internal.tables.IdsGiven;
import dev.outbox.testkit.internal.tables.InMemoryClusters;
import dev.outbox.testkit.internal.tables.InMemoryTables;
import dev.outbox.testkit.internal.tables.LaneRow;
import dev.outbox.testkit.internal.tables.ParkedTable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Claims by lanes on an in-memory store. Every method is one step under the tables' monitor. */
public final class InMemoryLanes implements LaneStore {
  private final InMemoryTables inMemoryTables;
  private final InMemorySession session;
  private final InMemoryClaims claims;
  private final InMemorySettling settling;

  public InMemoryLanes(InMemoryTables inMemoryTables, String owner, Duration lease) {
    this.inMemoryTables = inMemoryTables;
    this.session = new InMemorySession(inMemoryTables);
    this.claims = new InMemoryClaims(inMemoryTables, owner, lease);
    this.settling = new InMemorySettling(inMemoryTables, lease);
  }

  @Override
  public List<LaneClaim> claim(int atMost, Set<Lane> known) {
    synchronized (inMemoryTables) {
      session.begin();
      return claims.claim(atMost, known);
    }
  }

  @Override
  public List<LaneClaim> reclaim(Set<Lane> known) {
    synchronized (inMemoryTables) {
      session.begin();
      return claims.reclaim(known);
    }
  }

  @Override
  public PendingLanes look(List<Cursor> cursors, Set<String> heldTopics) {
    synchronized (inMemoryTables) {
      session.begin();
      Instant now = inMemoryTables.now();
      return new PendingLanes(
          lanes(cursors, cursor -> ready(cursor).findAny().isPresent()),
          lanes(cursors, cursor -> due(cursor, heldTopics).findAny().isPresent()),
          lanes(cursors, cursor -> inMemoryTables.hasDelayedDue(cursor.lane())),
          (int) inMemoryTables.lanes.stream().filter(row -> row.isFree(now)).count());
    }
  }

  private static Set<Lane> lanes(List<Cursor> cursors, Predicate<Cursor> filter) {
    return cursors.stream().filter(filter).map(Cursor::lane).collect(Collectors.toSet());
  }

  @Override
  public List<StoredEnvelope> read(List<Cursor> cursors, long bytes) {
    synchronized (inMemoryTables) {
      session.begin();
      return within(
          bytes,
          cursors,
          cursor -> ready(cursor).limit(cursor.limit()).map(inMemoryTables::stored).toList());
    }
  }

  @Override
  public List<StoredEnvelope> readPast(
      List<Cursor> cursors, long bytes, Set<String> heldTopics, long reach) {
    synchronized (inMemoryTables) {
      session.begin();
      return within(
          bytes,
          cursors,
          cursor ->
              ready(cursor)
                  .takeWhile(row -> row.id() <= cursor.after() + reach)
                  .filter(row -> !heldTopics.contains(row.envelope().topic()))
                  .limit(cursor.limit())
                  .map(inMemoryTables::stored)
                  .toList());
    }
  }

  private Stream<InMemoryTables.Ready> ready(Cursor cursor) {
    return inMemoryTables.ready.tailMap(cursor.after(), false).values().stream()
        .filter(row -> row.lane().equals(cursor.lane()));
  }

  @Override
  public List<StoredEnvelope> readDue(List<Cursor> cursors, long bytes, Set<String> heldTopics) {
    synchronized (inMemoryTables) {
      session.begin();
      return within(
          bytes,
          cursors,
          cursor ->
              due(cursor, heldTopics).limit(cursor.limit()).map(inMemoryTables::stored).toList());
    }
  }

  private Stream<ParkedTable.Parked> due(Cursor cursor, Set<String> heldTopics) {
    return inMemoryTables.parked.due(cursor.lane(), heldTopics, inMemoryTables.now());
  }

  private static List<StoredEnvelope> within(
      long bytes, List<Cursor> cursors, Function<Cursor, List<StoredEnvelope>> read) {
    List<StoredEnvelope> all = new ArrayList<>();
    long left = bytes;
    for (Cursor cursor : cursors) {
      for (StoredEnvelope storedEnvelope : read.apply(cursor)) {
        int size = storedEnvelope.envelope().payload().bytes().length;
        if (size > left && !all.isEmpty()) {
          break;
        }
        all.add(storedEnvelope);
        left -= size;
      }
    }
    return all;
  }

  @Override
  public int release(List<Lease> leases, Set<String> heldTopics, int atMost) {
    synchronized (inMemoryTables) {
      session.begin();
      Set<Lane> owned = owned(leases);
      return inMemoryTables.parked.release(
          row -> owned.contains(row.lane()) && !heldTopics.contains(row.envelope().topic()),
          atMost,
          inMemoryTables.now());
    }
  }

  @Override
  public int promoteDue(List<Lease> leases, int atMost) {
    synchronized (inMemoryTables) {
      session.begin();
      return inMemoryTables.promoteDue(owned(leases)::contains, atMost);
    }
  }

  private Set<Lane> owned(List<Lease> leases) {
    return leases.stream()
        .filter(held -> inMemoryTables.lane(held.lane()).belongsTo(held))
        .map(Lease::lane)
        .collect(Collectors.toSet());
  }

  @Override
  public Map<Lane, SettleResult> settle(List<Settlement> settlements) {
    synchronized (inMemoryTables) {
      session.begin();
      return settling.settle(settlements);
    }
  }

  @Override
  public boolean suspect(Lease lease, StoredEnvelope message) {
    synchronized (inMemoryTables) {
      session.begin();
      LaneRow row = inMemoryTables.lane(lease.lane());
      if (!row.belongsTo(lease)) {
        return false;
      }
      if (inMemoryTables.fates.has(message)) {
        Suspect before = row.suspect;
        int deaths = before == null || before.id() != message.id() ? 0 : before.deaths();
        row.suspect = new Suspect(message.id(), deaths + 1);
      }
      return true;
    }
  }

  @Override
  public boolean restoreSuspect(Lease lease, Suspect suspect) {
    synchronized (inMemoryTables) {
      session.begin();
      LaneRow row = inMemoryTables.lane(lease.lane());
      Suspect before = row.suspect;
      if (!row.belongsTo(lease) || before == null || before.id() != suspect.id()) {
        return false;
      }
      row.suspect = suspect.deaths() > 0 ? suspect : null;
      return true;
    }
  }

  @Override
  public long newest(long id) {
    if (nextId() == UNTOLD) {
      return id;
    }
    synchronized (inMemoryTables) {
      session.begin();
      return inMemoryTables.ready.isEmpty() ? id : Math.max(id, inMemoryTables.ready.lastKey());
    }
  }

  @Override
  public long nextId() {
    return inMemoryTables.upcomingId();
  }

  @Override
  public GivenIds given(long next) {
    synchronized (inMemoryTables) {
      return new GivenIds(IdsGiven.highest(inMemoryTables), "Run InMemoryStore.raiseIds()");
    }
  }

  @Override
  public OpenTransactions openTransactions() {
    synchronized (inMemoryTables) {
      session.begin();
      return new OpenTransactions.Known(inMemoryTables.writers, Duration.ZERO);
    }
  }

  @Override
  public boolean wereOpen(Set<String> transactions) {
    synchronized (inMemoryTables) {
      session.begin();
      return inMemoryTables.writers.containsAll(transactions);
    }
  }

  @Override
  public Map<String, Setting> topics() {
    session.begin();
    return new InMemoryTopics(inMemoryTables).all();
  }

  @Override
  public RelayRegistry registry() {
    return new InMemoryRelays(inMemoryTables, session::begin);
  }

  @Override
  public ClusterStore clusters() {
    return new InMemoryClusters(inMemoryTables);
  }

  /** There is no connection to cut. */
  @Override
  public void abort() {}

  /** There is no connection to give back. */
  @Override
  public void close() {}
}
