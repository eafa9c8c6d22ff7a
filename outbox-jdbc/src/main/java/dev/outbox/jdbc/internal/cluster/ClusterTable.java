package dev.outbox.jdbc.internal.cluster;

import dev.outbox.cluster.ClusterState;
import dev.outbox.jdbc.dialect.Limits;
import dev.outbox.jdbc.internal.message.RowId;
import dev.outbox.jdbc.internal.moves.Moves;
import dev.outbox.jdbc.internal.session.Session;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.shape.BySource.Source;
import dev.outbox.jdbc.sql.ClusterStatement;
import dev.outbox.jdbc.sql.SettleStatement;
import dev.outbox.spi.Layout;
import dev.outbox.spi.cluster.ClusterBeat;
import dev.outbox.spi.cluster.ClusterBeat.Seen;
import dev.outbox.spi.cluster.ClusterStore;
import dev.outbox.spi.cluster.ClusterView;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.Lease;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The signs of life of the clusters, and the taking over of messages.
 *
 * <p>Safe for use by many threads when it borrows, but for {@link #sweep}.
 */
public final class ClusterTable implements ClusterStore {
  private static final Logger log = LoggerFactory.getLogger(ClusterTable.class);

  private static final int ATTEMPTS = 3;
  private static final int ROUNDS = 20;
  private static final Duration LONGEST_SWEEP = Duration.ofSeconds(1);

  private final Sql sql;
  private final Layout layout;
  private final BeatTable beats;
  private final Takeovers takeovers;
  private final TakeoverCleanup takeoverCleanup;
  private final Supplier<Session> sessions;
  private final boolean keepsSession;

  private ClusterTable(Sql sql, Layout layout, Supplier<Session> sessions, boolean keepsSession) {
    this.sql = sql;
    this.layout = layout;
    this.beats = new BeatTable(sql, layout);
    this.takeovers = new Takeovers(sql);
    this.takeoverCleanup = new TakeoverCleanup(sql, layout);
    this.sessions = sessions;
    this.keepsSession = keepsSession;
  }

  /** On a connection borrowed for each call. */
  public static ClusterTable borrowing(
      DataSource dataSource, Sql sql, Layout layout, Limits limits) {
    return new ClusterTable(sql, layout, () -> new Session(dataSource, sql, limits), false);
  }

  /** On the connection of {@code session}, by its thread. */
  public static ClusterTable over(Session session, Sql sql, Layout layout) {
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
  public boolean mayLease(Connection connection) {
    return !layout.hasPeers() || beats.isWorking(connection);
  }

  @Override
  public ClusterView roll() {
    return call("read the signs of life", beats::read);
  }

  @Override
  public ClusterView beat(Duration silence, Map<Integer, Seen> taking) {
    return call(
        "beat cluster " + layout.cluster(),
        connection -> {
          ClusterView roll = beats.readLocked(connection);
          boolean leaves = roll.clusterState() == ClusterState.LEAVING;
          ClusterBeat next = roll.next(silence, taking, leaves && isAnyLaneLeased(connection));
          if (leaves && next.clusterState() == ClusterState.LEFT) {
            sql.update(connection, ClusterStatement.FREE_LANES, Map.of());
          }
          return beats.write(connection, roll, next);
        });
  }

  private boolean isAnyLaneLeased(Connection connection) {
    return sql.query(connection, ClusterStatement.LOCK_LANES, Map.of(), row -> row.getInt("leased"))
        .contains(1);
  }

  @Override
  public boolean resume(long since) {
    return walk(since, takeoverCleanup::dropOwn)
        && walk(since, takeoverCleanup::wakeLost)
        && call("resume cluster " + layout.cluster(), connection -> workAgain(connection, since));
  }

  /** Clears up behind a place. Returns how far it came, or null at the end. */
  private interface Piece {
    @Nullable RowId run(Connection connection, RowId from);
  }

  /** Whether the cluster returns, and from where on it has to clear up yet before it works. */
  private record Step(boolean returns, @Nullable RowId left) {}

  /** False when the cluster returns no more. */
  private boolean walk(long since, Piece piece) {
    Step step = new Step(true, TakeoverCleanup.START);
    for (RowId from = step.left(); from != null; from = step.left()) {
      RowId reached = from;
      step = call("clear up before work", connection -> clear(connection, since, piece, reached));
    }
    return step.returns();
  }

  /** Where there is more it beats, or others would take over from it meanwhile. */
  private Step clear(Connection connection, long since, Piece piece, RowId from) {
    ClusterView roll = beats.readLocked(connection);
    if (!isReturning(roll, since)) {
      return new Step(false, null);
    }
    RowId left = piece.run(connection, from);
    if (left != null) {
      beats.write(connection, roll, roll.stillReturning());
    }
    return new Step(true, left);
  }

  private static boolean isReturning(ClusterView roll, long since) {
    return roll.clusterState() == ClusterState.RETURNING && roll.since() == since;
  }

  private boolean workAgain(Connection connection, long since) {
    ClusterView roll = beats.readLocked(connection);
    boolean returns = isReturning(roll, since);
    if (returns) {
      beats.write(connection, roll, roll.resuming());
    }
    return returns;
  }

  @Override
  public void leave() {
    turn("leave with", ClusterState.LEAVING, Set.of(ClusterState.WORKING, ClusterState.RETURNING));
  }

  @Override
  public void comeBack() {
    turn("take back", ClusterState.RETURNING, Set.of(ClusterState.LEAVING, ClusterState.LEFT));
  }

  private void turn(String what, ClusterState to, Set<ClusterState> from) {
    call(
        what + " cluster " + layout.cluster(),
        connection -> {
          ClusterView roll = beats.readLocked(connection);
          return from.contains(roll.clusterState())
              ? beats.write(connection, roll, roll.turning(to, Map.of()))
              : roll;
        });
  }

  @Override
  public List<Orphan> look(Lane from, int atMost) {
    return call("look at lane " + from, connection -> takeovers.look(connection, from, atMost));
  }

  @Override
  public Extent extent(Lane from) {
    return call(
        "see how far lane " + from + " reaches", connection -> takeovers.extent(connection, from));
  }

  @Override
  public int adopt(Lease lease, Lane from, ClusterView before, Extent upTo, int atMost) {
    return adopt(
        lease,
        from,
        before,
        (connection, batchMode) ->
            takeovers.takeFirst(connection, from, lease.lane(), upTo, atMost, batchMode));
  }

  @Override
  public int adopt(Lease lease, Lane from, ClusterView before, List<Orphan> some) {
    return adopt(
        lease,
        from,
        before,
        (connection, batchMode) -> takeovers.take(connection, from, lease.lane(), some, batchMode));
  }

  private interface Move {
    int run(Connection connection, Moves.BatchMode batchMode);
  }

  /** What replication changes all the time is left for the next turn. */
  private int adopt(Lease lease, Lane from, ClusterView before, Move move) {
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      Moves.BatchMode batchMode = attempt == 1 ? Moves.BatchMode.TOGETHER : Moves.BatchMode.SINGLY;
      try {
        return call(
            "take over lane " + from,
            connection ->
                mayAdopt(connection, lease, from, before) ? move.run(connection, batchMode) : 0);
      } catch (Moves.Uneven e) {
        log.debug("lane={} changed during its takeover, attempt {}", from, attempt);
      }
    }
    return 0;
  }

  private boolean mayAdopt(Connection connection, Lease lease, Lane from, ClusterView before) {
    return beats.readLocked(connection).allows(layout.clusterOf(from), before)
        && isHeld(connection, lease);
  }

  private boolean isHeld(Connection connection, Lease lease) {
    Map<String, Object> values =
        Map.of("lane", lease.lane().number(), "owner", lease.owner(), "epoch", lease.epoch());
    return !sql.query(connection, SettleStatement.HOLD_LANE, values, row -> row.getInt("lane"))
        .isEmpty();
  }

  @Override
  public int sweep(Duration retention) {
    int dropped = 0;
    if (call("look for notes", takeoverCleanup::areThereNotes)) {
      rounds(() -> forget(retention) > 0);
      for (Source source : Source.values()) {
        dropped +=
            call(
                "sweep what was taken over",
                connection -> takeoverCleanup.sweep(connection, source));
      }
    }
    rounds(() -> call("wake followers", takeoverCleanup::wakeNext));
    return dropped;
  }

  /** One at least, while there are more: the thread that sweeps renews leases too. */
  private static void rounds(BooleanSupplier next) {
    long began = System.nanoTime();
    boolean more = true;
    for (int round = 0; round < ROUNDS && more; round++) {
      more = next.getAsBoolean() && System.nanoTime() - began < LONGEST_SWEEP.toNanos();
    }
  }

  private int forget(Duration retention) {
    return call(
        "forget notes",
        connection -> takeoverCleanup.forget(connection, sql.now(connection).minus(retention)));
  }
}
