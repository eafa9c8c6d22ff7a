package dev.outbox.jdbc.internal;

import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.Limits;
import dev.outbox.jdbc.dialect.LockSql;
import dev.outbox.jdbc.internal.Moves.Tempo;
import dev.outbox.message.Key;
import dev.outbox.message.Lane;
import dev.outbox.store.HeldKey;
import dev.outbox.store.LaneClaim;
import dev.outbox.store.LaneStore;
import dev.outbox.store.Lease;
import dev.outbox.store.Outcome;
import dev.outbox.store.RelayRegistry;
import dev.outbox.store.Settlement;
import dev.outbox.store.Stored;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;

/**
 * Claims by lanes over one connection.
 *
 * <p>Used by one thread.
 */
public final class LaneSession implements LaneStore {
  private final Session session;
  private final Sql sql;
  private final Dialect dialect;
  private final LaneQueries queries;
  private final SettleRunner settles;
  private final DueReader due;
  private final Delayed delayed;
  private final String owner;
  private final Duration lease;
  private final int lanes;

  public LaneSession(DataSource dataSource, Sql sql, LaneTerms terms) {
    this.session = new Session(dataSource, sql, Limits.below(terms.lease()));
    this.sql = sql;
    this.dialect = sql.dialect();
    this.queries = new LaneQueries(sql);
    this.settles = new SettleRunner(sql, queries, terms.archive(), terms.lease());
    this.due = new DueReader(sql, queries);
    this.delayed = new Delayed(sql, queries);
    this.owner = terms.owner();
    this.lease = terms.lease();
    this.lanes = terms.lanes();
  }

  /** On what terms lanes are claimed. */
  public record LaneTerms(String owner, Duration lease, int lanes, boolean archive) {}

  private record Free(int lane, long epoch, long floor) {}

  @Override
  public List<LaneClaim> claim(int atMost) {
    return atMost < 1
        ? List.of()
        : session.transaction("claim lanes", handle -> claim(handle, atMost));
  }

  private List<LaneClaim> claim(Handle handle, int atMost) {
    // two relays that begin at different lanes seldom meet at the same ones
    int start = ThreadLocalRandom.current().nextInt(lanes);
    List<Free> free = new ArrayList<>(lock(handle, start, lanes - 1, atMost));
    if (free.size() < atMost && start > 0) {
      free.addAll(lock(handle, 0, start - 1, atMost - free.size()));
    }
    List<Free> leased = free.stream().filter(lane -> lease(handle, lane)).toList();
    Map<Lane, Set<HeldKey>> held = held(handle, leased);
    return leased.stream()
        .map(lane -> new Lease(new Lane(lane.lane()), owner, lane.epoch() + 1, lane.floor()))
        .sorted(Comparator.comparing(Lease::lane))
        .map(claimed -> new LaneClaim(claimed, held.getOrDefault(claimed.lane(), Set.of())))
        .toList();
  }

  private boolean lease(Handle handle, Free free) {
    Map<String, Object> values =
        Map.of("lane", free.lane(), "epoch", free.epoch(), "owner", owner, "lease", lease);
    return sql.update(handle, dialect.leaseLane(), values) == 1;
  }

  private List<Free> lock(Handle handle, int first, int last, int atMost) {
    LockSql lock = dialect.freeLanes();
    Map<String, Object> values =
        Map.of("first", first, "last", last, "lease", lease, "limit", atMost);
    return Locks.read(
        sql,
        handle,
        lock,
        values,
        atMost,
        row -> new Free(row.getInt("lane"), row.getLong("epoch"), row.getLong("floor")));
  }

  private Map<Lane, Set<HeldKey>> held(Handle handle, List<Free> free) {
    List<Cursor> cursors =
        free.stream().map(lane -> new Cursor(new Lane(lane.lane()), 0, Integer.MAX_VALUE)).toList();
    return queries
        .ofLanes(handle, dialect.heldKeys(), cursors, (row, context) -> heldKey(row))
        .stream()
        .collect(Collectors.groupingBy(HeldKey::lane, TreeMap::new, Collectors.toSet()));
  }

  private static HeldKey heldKey(ResultSet row) throws SQLException {
    return new HeldKey(
        new Lane(row.getInt("lane")), row.getString("topic"), new Key(row.getString("msg_key")));
  }

  @Override
  public List<Stored> read(List<Cursor> cursors) {
    List<Cursor> ascending = cursors.stream().sorted(Comparator.comparing(Cursor::lane)).toList();
    return session.transaction(
        "read ready messages",
        handle ->
            queries.ofLanes(
                handle,
                dialect.ready(),
                ascending,
                (row, context) -> MessageRow.read(row, dialect).stored(null)));
  }

  @Override
  public List<Stored> readDue(List<Lane> lanes, int perLane) {
    return session.transaction("read due messages", handle -> due.read(handle, lanes, perLane));
  }

  @Override
  public int promoteDue(List<Lease> leases, int atMost) {
    return session.transaction(
        "promote delayed messages", handle -> delayed.promote(handle, leases, atMost));
  }

  @Override
  public Map<Lane, Outcome> settle(List<Settlement> settlements) {
    if (settlements.isEmpty()) {
      return Map.of();
    }
    try {
      return session.transaction(
          "settle", handle -> settles.run(handle, settlements, Tempo.TOGETHER));
    } catch (Moves.Uneven uneven) {
      return session.transaction(
          "settle", handle -> settles.run(handle, settlements, Tempo.SINGLY));
    }
  }

  @Override
  public RelayRegistry registry() {
    return RelayTable.over(session, sql);
  }

  @Override
  public void close() {
    session.close();
  }
}
