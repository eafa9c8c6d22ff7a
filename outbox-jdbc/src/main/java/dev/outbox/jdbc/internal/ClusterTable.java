package dev.outbox.jdbc.internal;

import dev.outbox.jdbc.dialect.ClusterSql;
import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.Limits;
import dev.outbox.message.Lane;
import dev.outbox.store.ClusterBeat;
import dev.outbox.store.ClusterBeat.Seen;
import dev.outbox.store.ClusterRoll;
import dev.outbox.store.ClusterStore;
import dev.outbox.store.Layout;
import dev.outbox.store.Lease;
import dev.outbox.store.Standing;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The signs of life of the clusters, and the taking over of messages.
 *
 * <p>Safe for use by many threads when it borrows.
 */
public final class ClusterTable implements ClusterStore {
  private final Sql sql;
  private final Dialect dialect;
  private final Layout layout;
  private final Takeovers takeovers;
  private final Supplier<Session> sessions;
  private final boolean keepsSession;

  private ClusterTable(Sql sql, Layout layout, Supplier<Session> sessions, boolean keepsSession) {
    this.sql = sql;
    this.dialect = sql.dialect();
    this.layout = layout;
    this.takeovers = new Takeovers(sql);
    this.sessions = sessions;
    this.keepsSession = keepsSession;
  }

  /** On a connection borrowed for each call. */
  public static ClusterTable borrowing(
      DataSource dataSource, Sql sql, Layout layout, Limits limits) {
    return new ClusterTable(sql, layout, () -> new Session(dataSource, sql, limits), false);
  }

  /** On the connection of {@code session}, by its thread. */
  static ClusterTable over(Session session, Sql sql, Layout layout) {
    return new ClusterTable(sql, layout, () -> session, true);
  }

  private <T> T call(String what, Session.Work<T> work) {
    Session session = sessions.get();
    if (keepsSession) {
      return session.transaction(what, work);
    }
    try (session) {
      return session.transaction(what, work);
    }
  }

  /** True when the cluster works, as far as a transaction that has locked free lanes sees it. */
  boolean mayLease(Handle handle) {
    if (!layout.hasPeers()) {
      return true;
    }
    List<String> standings =
        sql.query(
            handle, ClusterSql.standing(), Map.of(), (row, context) -> row.getString("standing"));
    return standings.isEmpty()
        || standings.get(standings.size() - 1).equals(Standing.WORKING.name());
  }

  @Override
  public ClusterRoll roll() {
    return call("read the signs of life", this::roll);
  }

  private ClusterRoll roll(Handle handle) {
    List<ClusterBeat> beats =
        sql.query(handle, ClusterSql.beats(), Map.of(), (row, context) -> beat(row));
    return ClusterRoll.of(layout.cluster(), beats, now(handle));
  }

  private Instant now(Handle handle) {
    return sql.query(
            handle,
            dialect.now(),
            Map.of(),
            (row, context) -> Objects.requireNonNull(dialect.instant(row, 1)))
        .get(0);
  }

  private ClusterBeat beat(ResultSet row) throws SQLException {
    return new ClusterBeat(
        row.getInt("cluster_id"),
        row.getLong("beat"),
        Standing.valueOf(row.getString("standing")),
        row.getLong("since_beat"),
        SeenText.read(row.getString("seen")),
        Objects.requireNonNull(dialect.instant(row, row.findColumn("beaten_at"))));
  }

  @Override
  public ClusterRoll beat(Duration silence, Map<Integer, Seen> taking) {
    return call(
        "beat cluster " + layout.cluster(),
        handle -> {
          lock(handle);
          ClusterRoll roll = roll(handle);
          boolean leaves = roll.standing() == Standing.LEAVING;
          ClusterBeat next = roll.next(silence, taking, leaves && isAnyLaneLeased(handle));
          if (leaves && next.standing() == Standing.LEFT) {
            sql.update(handle, ClusterSql.freeLanes(), Map.of());
          }
          return write(handle, roll, next);
        });
  }

  /** Whoever beats or takes over waits here for the others of this cluster that do. */
  private void lock(Handle handle) {
    sql.query(
        handle,
        dialect.lockLane(),
        Map.of("lane", layout.firstLane().number()),
        (row, context) -> row.getInt("lane"));
  }

  private boolean isAnyLaneLeased(Handle handle) {
    return sql.query(
            handle, ClusterSql.lockLanes(), Map.of(), (row, context) -> row.getInt("leased"))
        .contains(1);
  }

  private ClusterRoll write(Handle handle, ClusterRoll roll, ClusterBeat beat) {
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("beat", beat.number());
    values.put("standing", beat.standing().name());
    values.put("since", beat.since());
    values.put("seen", SeenText.of(beat.seen()));
    values.put("at", beat.at());
    sql.update(handle, ClusterSql.insertBeat(), values);
    sql.update(handle, ClusterSql.deleteBeats(), Map.of("beat", beat.number()));
    Map<Integer, ClusterBeat> beats = new HashMap<>(roll.beats());
    beats.put(beat.cluster(), beat);
    return new ClusterRoll(roll.own(), beats, roll.now());
  }

  @Override
  public boolean resume(long since) {
    return call(
        "resume cluster " + layout.cluster(),
        handle -> {
          lock(handle);
          ClusterRoll roll = roll(handle);
          boolean returns = roll.standing() == Standing.RETURNING && roll.since() == since;
          if (returns) {
            takeovers.dropOwn(handle);
            write(handle, roll, roll.resuming());
          }
          return returns;
        });
  }

  @Override
  public void leave() {
    turn("leave with", Standing.LEAVING, Set.of(Standing.WORKING, Standing.RETURNING));
  }

  @Override
  public void comeBack() {
    turn("take back", Standing.RETURNING, Set.of(Standing.LEAVING, Standing.LEFT));
  }

  private void turn(String what, Standing to, Set<Standing> from) {
    call(
        what + " cluster " + layout.cluster(),
        handle -> {
          lock(handle);
          ClusterRoll roll = roll(handle);
          return from.contains(roll.standing())
              ? write(handle, roll, roll.turning(to, Map.of()))
              : roll;
        });
  }

  @Override
  public List<Orphan> look(Lane from, int atMost) {
    return call("look at lane " + from, handle -> takeovers.look(handle, from, atMost));
  }

  @Override
  public int adopt(Lease lease, Lane from, Seen known, int atMost) {
    return adopt(lease, from, known, handle -> takeovers.look(handle, from, atMost));
  }

  @Override
  public int adopt(Lease lease, Lane from, Seen known, Set<Orphan> some) {
    return adopt(
        lease,
        from,
        known,
        handle ->
            takeovers.look(handle, from, Takeovers.MOST).stream().filter(some::contains).toList());
  }

  private int adopt(Lease lease, Lane from, Seen known, Session.Work<List<Orphan>> orphans) {
    try {
      return adopt(lease, from, known, orphans, Moves.Tempo.TOGETHER);
    } catch (Moves.Uneven e) {
      return adopt(lease, from, known, orphans, Moves.Tempo.SINGLY);
    }
  }

  private int adopt(
      Lease lease, Lane from, Seen known, Session.Work<List<Orphan>> orphans, Moves.Tempo tempo) {
    return call(
        "take over lane " + from,
        handle -> {
          lock(handle);
          ClusterRoll roll = roll(handle);
          boolean may =
              roll.standing() == Standing.WORKING
                  && roll.confirms(layout.clusterOf(from), known)
                  && isHeld(handle, lease);
          return may ? takeovers.run(handle, orphans.run(handle), from, lease.lane(), tempo) : 0;
        });
  }

  private boolean isHeld(Handle handle, Lease lease) {
    Map<String, Object> values =
        Map.of("lane", lease.lane().number(), "owner", lease.owner(), "epoch", lease.epoch());
    return !sql.query(handle, dialect.holdLane(), values, (row, context) -> row.getInt("lane"))
        .isEmpty();
  }

  @Override
  public int sweep(Duration retention) {
    return call(
        "sweep what was taken over",
        handle -> takeovers.sweep(handle, now(handle).minus(retention)));
  }
}
