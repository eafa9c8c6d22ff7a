package dev.outbox.jdbc.internal.lanes;

import dev.outbox.jdbc.internal.cluster.ClusterTable;
import dev.outbox.jdbc.internal.ids.ToldIds;
import dev.outbox.jdbc.internal.lanes.LaneSession.LaneTerms;
import dev.outbox.jdbc.internal.moves.LaneQueries;
import dev.outbox.jdbc.internal.moves.Moves;
import dev.outbox.jdbc.internal.moves.Moves.BatchMode;
import dev.outbox.jdbc.internal.moves.SkipLockedRead;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.shape.LockSql;
import dev.outbox.jdbc.sql.IdStatement;
import dev.outbox.jdbc.sql.LaneStatement;
import dev.outbox.message.Key;
import dev.outbox.spi.LaneStore.Cursor;
import dev.outbox.spi.Layout;
import dev.outbox.spi.lane.HeldKey;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.lane.Suspect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Leases lanes, and tells with each what its row knows of it.
 *
 * <p>Used by one thread.
 */
final class LaneClaims {
  private final Sql sql;
  private final LaneQueries queries;
  private final ClusterTable clusters;
  private final ToldIds told;
  private final Layout layout;
  private final String owner;
  private final Duration lease;

  LaneClaims(Sql sql, LaneQueries queries, ClusterTable clusters, ToldIds told, LaneTerms terms) {
    this.sql = sql;
    this.queries = queries;
    this.clusters = clusters;
    this.told = told;
    this.layout = terms.layout();
    this.owner = terms.owner();
    this.lease = terms.lease();
  }

  private record Free(int lane, long epoch, long floor, int takeovers, @Nullable Suspect suspect) {
    static Free read(ResultSet row) throws SQLException {
      long id = row.getLong("suspect_id");
      Suspect suspect = row.wasNull() ? null : new Suspect(id, row.getInt("suspect_count"));
      return new Free(
          row.getInt("lane"),
          row.getLong("epoch"),
          row.getLong("floor"),
          row.getInt("takeovers"),
          suspect);
    }

    Free without(boolean floor, boolean suspect) {
      return new Free(
          lane, epoch, floor ? 0 : this.floor, takeovers, suspect ? null : this.suspect);
    }

    LaneClaim leased(String owner, Map<Lane, Set<HeldKey>> held) {
      Lease lease = new Lease(new Lane(lane), owner, epoch + 1, floor);
      return new LaneClaim(lease, held.getOrDefault(lease.lane(), Set.of()), takeovers, suspect);
    }
  }

  List<LaneClaim> claim(Connection connection, int atMost, Set<Lane> known, BatchMode batchMode)
      throws SQLException {
    List<Free> free = free(connection, atMost);
    if (free.stream().anyMatch(lane -> known.contains(new Lane(lane.lane())))) {
      // seldom: a relay that locks more than it leases hides them from the others
      free =
          unknown(free(connection, atMost + known.size()), known).stream().limit(atMost).toList();
    }
    // asked with the lanes locked: a cluster that leaves locks them all before it says that it left
    return clusters.mayLease(connection) ? lease(connection, free, batchMode) : List.of();
  }

  private static List<Free> unknown(List<Free> lanes, Set<Lane> known) {
    return lanes.stream().filter(lane -> !known.contains(new Lane(lane.lane()))).toList();
  }

  private List<Free> free(Connection connection, int atMost) {
    // two relays that begin at different lanes seldom meet at the same ones
    int first = layout.firstLane().number();
    int start = first + ThreadLocalRandom.current().nextInt(layout.lanes());
    List<Free> free = new ArrayList<>(lock(connection, start, first + layout.lanes() - 1, atMost));
    if (free.size() < atMost && start > first) {
      free.addAll(lock(connection, first, start - 1, atMost - free.size()));
    }
    return free;
  }

  List<LaneClaim> reclaim(Connection connection, Set<Lane> known, BatchMode batchMode)
      throws SQLException {
    return lease(connection, unknown(own(connection), known), batchMode);
  }

  /** Those that this session can lock. */
  private List<Free> own(Connection connection) {
    Map<String, Object> values = Map.of("owner", owner, "limit", layout.lanes());
    LockSql lock = sql.statements().lock(LaneStatement.OWN_LANES);
    return SkipLockedRead.read(sql, connection, lock, values, Free::read);
  }

  /** Not among them: what another relay took meanwhile. */
  Set<Lane> locked(Connection connection) {
    Set<Lane> free =
        own(connection).stream().map(lane -> new Lane(lane.lane())).collect(Collectors.toSet());
    Map<String, Object> values = Map.of("owner", owner);
    return sql
        .query(connection, LaneStatement.LANES_OF_OWNER, values, row -> new Lane(row.getInt(1)))
        .stream()
        .filter(lane -> !free.contains(lane))
        .collect(Collectors.toSet());
  }

  private List<LaneClaim> lease(Connection connection, List<Free> locked, BatchMode batchMode)
      throws SQLException {
    List<Free> leased = believed(connection, leasedOf(connection, locked, batchMode));
    Map<Lane, Set<HeldKey>> held = held(connection, leased);
    return leased.stream()
        .sorted(Comparator.comparingInt(Free::lane))
        .map(lane -> lane.leased(owner, held))
        .toList();
  }

  private List<Free> leasedOf(Connection connection, List<Free> locked, BatchMode batchMode) {
    if (locked.isEmpty()) {
      return List.of();
    }
    List<Map<String, Object>> entries = locked.stream().map(this::values).toList();
    String text = sql.statements().text(LaneStatement.LEASE_LANE);
    int[] counts = new Moves(sql, connection, batchMode).counts(text, entries);
    return IntStream.range(0, counts.length)
        .filter(place -> counts[place] == 1)
        .mapToObj(locked::get)
        .toList();
  }

  /** Without floors where ids went back, and without suspects that are no messages any more. */
  private List<Free> believed(Connection connection, List<Free> leased) throws SQLException {
    boolean wentBack =
        leased.stream().anyMatch(lane -> lane.floor() > 0) && wentBack(connection, leased);
    Set<Integer> strangers = strangers(connection, leased, wentBack);
    strangers.forEach(
        lane -> sql.update(connection, IdStatement.FORGET_SUSPECT, Map.of("lane", lane)));
    return leased.stream()
        .map(lane -> lane.without(wentBack, strangers.contains(lane.lane())))
        .toList();
  }

  private boolean wentBack(Connection connection, List<Free> leased) throws SQLException {
    long next = told.next(connection);
    return leased.stream().anyMatch(lane -> lane.floor() >= next);
  }

  /** The lanes whose suspect is, or may be, another message by now. */
  private Set<Integer> strangers(Connection connection, List<Free> leased, boolean wentBack) {
    Set<Integer> strangers =
        leased.stream()
            .filter(lane -> lane.suspect() != null)
            .map(Free::lane)
            .collect(Collectors.toCollection(HashSet::new));
    if (!strangers.isEmpty() && !wentBack) {
      sql.query(connection, IdStatement.LANES_WITH_SUSPECTS, Map.of(), row -> row.getInt(1))
          .forEach(strangers::remove);
    }
    return strangers;
  }

  private Map<String, Object> values(Free free) {
    return Map.of(
        "lane", free.lane(),
        "epoch", free.epoch(),
        "takeovers", free.takeovers(),
        "owner", owner,
        "lease", lease);
  }

  private List<Free> lock(Connection connection, int first, int last, int atMost) {
    LockSql lock = sql.statements().lock(LaneStatement.FREE_LANES);
    Map<String, Object> values = Map.of("first", first, "last", last, "limit", atMost);
    return SkipLockedRead.read(sql, connection, lock, values, Free::read);
  }

  private Map<Lane, Set<HeldKey>> held(Connection connection, List<Free> free) {
    List<Cursor> cursors =
        free.stream().map(lane -> new Cursor(new Lane(lane.lane()), 0, Integer.MAX_VALUE)).toList();
    return queries
        .ofLanes(
            connection,
            sql.statements().lanes(LaneStatement.HELD_KEYS),
            cursors,
            Map.of(),
            row -> heldKey(row))
        .stream()
        .collect(Collectors.groupingBy(HeldKey::lane, TreeMap::new, Collectors.toSet()));
  }

  private static HeldKey heldKey(ResultSet row) throws SQLException {
    return new HeldKey(
        new Lane(row.getInt("lane")), row.getString("topic"), new Key(row.getString("msg_key")));
  }
}
