package dev.outbox.testkit;

import dev.outbox.message.Lane;
import dev.outbox.store.LaneClaim;
import dev.outbox.store.LaneStore;
import dev.outbox.store.Lease;
import dev.outbox.store.Standing;
import dev.outbox.store.Suspect;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Leases lanes of an in-memory store. Every method is one step under the tables' monitor. */
final class InMemoryClaims {
  private final Tables tables;
  private final String owner;
  private final Duration lease;

  InMemoryClaims(Tables tables, String owner, Duration lease) {
    this.tables = tables;
    this.owner = owner;
    this.lease = lease;
  }

  List<LaneClaim> claim(int atMost, Set<Lane> known) {
    synchronized (tables) {
      Instant now = tables.now();
      List<Tables.LaneRow> free =
          tables.lanes.stream()
              .filter(row -> !row.locked && row.isFree(now) && !known.contains(row.lane))
              .limit(atMost)
              .toList();
      if (InMemoryClusters.standing(tables) != Standing.WORKING) {
        return List.of();
      }
      free.forEach(row -> row.takeovers += row.owner == null ? 0 : 1);
      return take(free, now);
    }
  }

  List<LaneClaim> reclaim(Set<Lane> known) {
    synchronized (tables) {
      Instant now = tables.now();
      return take(
          tables.lanes.stream()
              .filter(row -> !row.locked && owner.equals(row.owner) && !known.contains(row.lane))
              .toList(),
          now);
    }
  }

  private List<LaneClaim> take(List<Tables.LaneRow> rows, Instant now) {
    long next = tables.layout.hasPeers() ? LaneStore.UNTOLD : tables.upcomingId();
    boolean wentBack = rows.stream().anyMatch(row -> row.floor >= next);
    for (Tables.LaneRow row : rows) {
      row.suspect = wentBack || !isThere(row.suspect) ? null : row.suspect;
    }
    return rows.stream().map(row -> take(row, wentBack ? 0 : row.floor, now)).toList();
  }

  private boolean isThere(@Nullable Suspect suspect) {
    return suspect != null
        && (tables.ready.containsKey(suspect.id()) || tables.parked.get(suspect.id()) != null);
  }

  private LaneClaim take(Tables.LaneRow row, long floor, Instant now) {
    row.leaseTo(owner, lease, now);
    return new LaneClaim(
        new Lease(row.lane, owner, row.epoch, floor),
        tables.heldKeys(row.lane),
        row.takeovers,
        row.suspect);
  }
}
