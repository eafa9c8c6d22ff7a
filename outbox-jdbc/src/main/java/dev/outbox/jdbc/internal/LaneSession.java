package dev.outbox.jdbc.internal;

import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.Limits;
import dev.outbox.jdbc.dialect.LockSql;
import dev.outbox.jdbc.internal.Moves.Tempo;
import dev.outbox.message.Key;
import dev.outbox.message.Lane;
import dev.outbox.store.ClusterStore;
import dev.outbox.store.HeldKey;
import dev.outbox.store.LaneClaim;
import dev.outbox.store.LaneStore;
import dev.outbox.store.Layout;
import dev.outbox.store.Lease;
import dev.outbox.store.News;
import dev.outbox.store.Outcome;
import dev.outbox.store.RelayRegistry;
import dev.outbox.store.Settlement;
import dev.outbox.store.Stored;
import dev.outbox.store.Suspect;
import dev.outbox.store.TopicSetting;
import dev.outbox.store.Writers;
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
import org.jspecify.annotations.Nullable;

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
  private final ReadyReader ready;
  private final DueReader due;
  private final Look look;
  private final Releases releases;
  private final OpenWriters writers;
  private final ClusterTable clusters;
  private final Delayed delayed;
  private final String owner;
  private final Duration lease;
  private final Layout layout;

  public LaneSession(DataSource dataSource, Sql sql, LaneTerms terms) {
    this.session = new Session(dataSource, sql, Limits.below(terms.lease()));
    this.sql = sql;
    this.dialect = sql.dialect();
    this.queries = new LaneQueries(sql);
    this.settles = new SettleRunner(sql, queries, terms.archive(), terms.lease());
    this.ready = new ReadyReader(sql, queries);
    this.due = new DueReader(sql, queries);
    this.look = new Look(sql, queries);
    this.releases = new Releases(sql, queries);
    this.writers = new OpenWriters(sql);
    this.delayed = new Delayed(sql, queries);
    this.owner = terms.owner();
    this.lease = terms.lease();
    this.layout = terms.layout();
    this.clusters = ClusterTable.over(session, sql, layout);
  }

  /** On what terms lanes are claimed. */
  public record LaneTerms(String owner, Duration lease, Layout layout, boolean archive) {}

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

    LaneClaim leased(String owner, Map<Lane, Set<HeldKey>> held) {
      Lease lease = new Lease(new Lane(lane), owner, epoch + 1, floor);
      return new LaneClaim(lease, held.getOrDefault(lease.lane(), Set.of()), takeovers, suspect);
    }
  }

  @Override
  public List<LaneClaim> claim(int atMost, Set<Lane> known) {
    return atMost < 1
        ? List.of()
        : session.transaction("claim lanes", handle -> claim(handle, atMost, known));
  }

  private List<LaneClaim> claim(Handle handle, int atMost, Set<Lane> known) {
    List<Free> free = free(handle, atMost);
    if (free.stream().anyMatch(lane -> known.contains(new Lane(lane.lane())))) {
      // seldom: whoever locks more than it leases hides them from the others
      free = unknown(free(handle, atMost + known.size()), known).stream().limit(atMost).toList();
    }
    // asked with the lanes locked: a cluster that leaves locks them all before it says that it left
    return clusters.mayLease(handle) ? lease(handle, free) : List.of();
  }

  private static List<Free> unknown(List<Free> lanes, Set<Lane> known) {
    return lanes.stream().filter(lane -> !known.contains(new Lane(lane.lane()))).toList();
  }

  private List<Free> free(Handle handle, int atMost) {
    // two relays that begin at different lanes seldom meet at the same ones
    int first = layout.firstLane().number();
    int start = first + ThreadLocalRandom.current().nextInt(layout.lanes());
    List<Free> free = new ArrayList<>(lock(handle, start, first + layout.lanes() - 1, atMost));
    if (free.size() < atMost && start > first) {
      free.addAll(lock(handle, first, start - 1, atMost - free.size()));
    }
    return free;
  }

  @Override
  public List<LaneClaim> reclaim(Set<Lane> known) {
    return session.transaction("claim own lanes", handle -> reclaim(handle, known));
  }

  private List<LaneClaim> reclaim(Handle handle, Set<Lane> known) {
    Map<String, Object> values = Map.of("owner", owner, "limit", layout.lanes());
    List<Free> own = Locks.read(sql, handle, dialect.ownLanes(), values, Free::read);
    return lease(handle, unknown(own, known));
  }

  private List<LaneClaim> lease(Handle handle, List<Free> locked) {
    List<Free> leased = locked.stream().filter(lane -> lease(handle, lane)).toList();
    Map<Lane, Set<HeldKey>> held = held(handle, leased);
    return leased.stream()
        .sorted(Comparator.comparingInt(Free::lane))
        .map(lane -> lane.leased(owner, held))
        .toList();
  }

  private boolean lease(Handle handle, Free free) {
    Map<String, Object> values =
        Map.of(
            "lane", free.lane(),
            "epoch", free.epoch(),
            "takeovers", free.takeovers(),
            "owner", owner,
            "lease", lease);
    return sql.update(handle, dialect.leaseLane(), values) == 1;
  }

  private List<Free> lock(Handle handle, int first, int last, int atMost) {
    LockSql lock = dialect.freeLanes();
    Map<String, Object> values = Map.of("first", first, "last", last, "limit", atMost);
    return Locks.read(sql, handle, lock, values, Free::read);
  }

  private Map<Lane, Set<HeldKey>> held(Handle handle, List<Free> free) {
    List<Cursor> cursors =
        free.stream().map(lane -> new Cursor(new Lane(lane.lane()), 0, Integer.MAX_VALUE)).toList();
    return queries
        .ofLanes(handle, dialect.heldKeys(), cursors, Map.of(), (row, context) -> heldKey(row))
        .stream()
        .collect(Collectors.groupingBy(HeldKey::lane, TreeMap::new, Collectors.toSet()));
  }

  private static HeldKey heldKey(ResultSet row) throws SQLException {
    return new HeldKey(
        new Lane(row.getInt("lane")), row.getString("topic"), new Key(row.getString("msg_key")));
  }

  @Override
  public News look(List<Cursor> cursors, Set<String> heldTopics) {
    return session.read("look for news", handle -> look.at(handle, cursors, heldTopics));
  }

  @Override
  public List<Stored> read(List<Cursor> cursors, long bytes) {
    return cursors.isEmpty()
        ? List.of()
        : session.read("read ready messages", handle -> ready.read(handle, cursors, bytes));
  }

  @Override
  public List<Stored> readPast(
      List<Cursor> cursors, long bytes, Set<String> heldTopics, long reach) {
    return cursors.isEmpty()
        ? List.of()
        : session.read(
            "read past held topics",
            handle -> ready.readPast(handle, cursors, bytes, heldTopics, reach));
  }

  @Override
  public List<Stored> readDue(List<Cursor> cursors, long bytes, Set<String> heldTopics) {
    return cursors.isEmpty()
        ? List.of()
        : session.read("read due messages", handle -> due.read(handle, cursors, bytes, heldTopics));
  }

  @Override
  public int release(List<Lease> leases, Set<String> heldTopics, int atMost) {
    return quickly(
        "release messages of topics",
        (handle, tempo) -> releases.run(handle, leases, heldTopics, atMost, tempo));
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
    return quickly("settle", (handle, tempo) -> settles.run(handle, settlements, tempo));
  }

  /** Work that is done in few round trips, if it can be told then what it did. */
  @FunctionalInterface
  private interface Moving<T> {
    T run(Handle handle, Tempo tempo);
  }

  private <T> T quickly(String what, Moving<T> work) {
    try {
      return session.transaction(what, handle -> work.run(handle, Tempo.TOGETHER));
    } catch (Moves.Uneven uneven) {
      return session.transaction(what, handle -> work.run(handle, Tempo.SINGLY));
    }
  }

  @Override
  public boolean suspect(Lease held, long id) {
    Map<String, Object> values =
        Map.of(
            "lane", held.lane().number(),
            "owner", held.owner(),
            "epoch", held.epoch(),
            "id", id);
    return session.transaction(
        "note a suspect", handle -> sql.update(handle, dialect.suspect(), values) == 1);
  }

  @Override
  public long newest(long id) {
    if (layout.hasPeers()) {
      return id; // the newest of all may be another cluster's, whose ids say nothing of ours
    }
    Map<String, Object> values = Map.of("above", id, "most", layout.lanes() - 1);
    return session.read(
        "look for the newest message",
        handle ->
            Math.max(
                id,
                sql.query(handle, dialect.newest(), values, (row, context) -> row.getLong(1))
                    .get(0)));
  }

  @Override
  public Writers writers() {
    Writers known = writers.known();
    return known == null ? session.read("look for open transactions", writers::ask) : known;
  }

  @Override
  public Map<String, TopicSetting> topics() {
    return session.read("read what is set per topic", handle -> TopicTable.all(sql, handle));
  }

  @Override
  public RelayRegistry registry() {
    return RelayTable.over(session, sql);
  }

  @Override
  public ClusterStore clusters() {
    return clusters;
  }

  @Override
  public void abort() {
    session.abort();
  }

  @Override
  public void close() {
    session.close();
  }
}
