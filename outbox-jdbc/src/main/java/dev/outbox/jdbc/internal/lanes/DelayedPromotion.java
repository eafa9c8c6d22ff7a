package dev.outbox.jdbc.internal.lanes;

import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.internal.moves.LaneQueries;
import dev.outbox.jdbc.internal.moves.MoveRow;
import dev.outbox.jdbc.internal.moves.Moves;
import dev.outbox.jdbc.internal.moves.Moves.BatchMode;
import dev.outbox.jdbc.internal.moves.SkipLockedRead;
import dev.outbox.jdbc.internal.session.Faults;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.sql.DueStatement;
import dev.outbox.spi.LaneStore.Cursor;
import dev.outbox.spi.lane.Lease;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Appends delayed messages that have fallen due to the ready table.
 *
 * <p>Used by one thread.
 */
public final class DelayedPromotion {
  private final Sql sql;
  private final Dialect dialect;
  private final LaneQueries queries;
  private final LaneOwnership laneOwnership;

  private record Waiting(int lane, long id, Instant due) {}

  public DelayedPromotion(Sql sql, LaneQueries queries) {
    this.sql = sql;
    this.dialect = sql.dialect();
    this.queries = queries;
    this.laneOwnership = new LaneOwnership(sql);
  }

  /** For lanes: only where the lane still belongs to its lease. */
  int promote(Connection connection, List<Lease> leases, int atMost) {
    List<Cursor> cursors =
        leases.stream().map(Lease::lane).sorted().map(lane -> new Cursor(lane, 0, atMost)).toList();
    List<Waiting> due =
        queries.ofLanes(
            connection,
            sql.statements().lanes(DueStatement.DUE_DELAYED),
            cursors,
            Map.of(),
            row -> waiting(row));
    if (due.isEmpty()) {
      return 0;
    }
    Set<Integer> wanted = new HashSet<>();
    due.forEach(message -> wanted.add(message.lane()));
    Set<Integer> owned = laneOwnership.hold(connection, leases, wanted);
    return move(
        connection, due.stream().filter(row -> owned.contains(row.lane())).toList(), atMost);
  }

  /** For rows: those that no other worker has locked. */
  public int promote(Connection connection, int atMost) {
    List<Waiting> due =
        SkipLockedRead.read(
            sql,
            connection,
            sql.statements().lock(DueStatement.CLAIM_DELAYED),
            Map.of("limit", atMost),
            this::waiting);
    return move(connection, due, atMost);
  }

  /** A cancelled message is not published: what is copied must still be there to be deleted. */
  private int move(Connection connection, List<Waiting> due, int atMost) {
    List<MoveRow> rows =
        due.stream()
            .sorted(Comparator.comparing(Waiting::due).thenComparingLong(Waiting::id))
            .limit(atMost)
            .map(message -> MoveRow.at(message.lane(), message.id()))
            .toList();
    Moves moves = new Moves(sql, connection, BatchMode.SINGLY);
    int copied = moves.total(sql.statements().byIds(DueStatement.PROMOTE), rows);
    int deleted = moves.total(sql.statements().byIds(DueStatement.DELETE_DELAYED), rows);
    if (copied != deleted) {
      throw Faults.lostRace("a delayed message was cancelled", null);
    }
    return deleted;
  }

  private Waiting waiting(ResultSet row) throws SQLException {
    return new Waiting(
        row.getInt("lane"),
        row.getLong("id"),
        Objects.requireNonNullElse(
            dialect.instant(row, row.findColumn("due_at")), Instant.EPOCH)); // of a zero date
  }
}
