package dev.outbox.testkit.internal.store;

import dev.outbox.cluster.ClusterState;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.lane.Suspect;
import dev.outbox.testkit.internal.tables.InMemoryClusters;
import dev.outbox.testkit.internal.tables.InMemoryTables;
import dev.outbox.testkit.internal.tables.LaneRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Leases lanes of an in-memory store. Every method is one step under the tables' monitor. */
final class InMemoryClaims {
  private final InMemoryTables inMemoryTables;
  private final String owner;
  private final Duration lease;

  InMemoryClaims(InMemoryTables inMemoryTables, String owner, Duration lease) {
    this.inMemoryTables = inMemoryTables;
    this.owner = owner;
    this.lease = lease;
  }

  List<LaneClaim> claim(int atMost, Set<Lane> known) {
    synchronized (inMemoryTables) {
      Instant now = inMemoryTables.now();
      List<LaneRow> free =
          inMemoryTables.lanes.stream()
              .filter(row -> !row.locked && row.isFree(now) && !known.contains(row.lane))
              .limit(atMost)
              .toList();
      if (InMemoryClusters.standing(inMemoryTables) != ClusterState.WORKING) {
        return List.of();
      }
      free.forEach(row -> row.takeovers += row.owner == null ? 0 : 1);
      return take(free, now);
    }
  }

  List<LaneClaim> reclaim(Set<Lane> known) {
    synchronized (inMemoryTables) {
      Instant now = inMemoryTables.now();
      return take(
          inMemoryTables.lanes.stream()
              .filter(row -> !row.locked && owner.equals(row.owner) && !known.contains(row.lane))
              .toList(),
          now);
    }
  }

  private List<LaneClaim> take(List<LaneRow> rows, Instant now) {
    long next = inMemoryTables.upcomingId();
    boolean wentBack = rows.stream().anyMatch(row -> row.floor >= next);
    for (LaneRow row : rows) {
      row.suspect = wentBack || !isThere(row.suspect) ? null : row.suspect;
    }
    return rows.stream().map(row -> take(row, wentBack ? 0 : row.floor, now)).toList();
  }

  private boolean isThere(@Nullable Suspect suspect) {
    return suspect != null
        && (inMemoryTables.ready.containsKey(suspect.id())
            || inMemoryTables.parked.get(suspect.id()) != null);
  }

  private LaneClaim take(LaneRow row, long floor, Instant now) {
    row.leaseTo(owner, lease, now);
    return new LaneClaim(
        new Lease(row.lane, owner, row.epoch, floor),
        inMemoryTables.heldKeys(row.lane),
        row.takeovers,
        row.suspect);
  }
}
