package dev.outbox.jdbc.internal.lanes;

import dev.outbox.jdbc.internal.message.RowId;
import dev.outbox.jdbc.internal.moves.LaneQueries;
import dev.outbox.jdbc.internal.moves.MoveRow;
import dev.outbox.jdbc.internal.moves.Moves;
import dev.outbox.jdbc.internal.moves.Moves.BatchMode;
import dev.outbox.jdbc.internal.moves.SkipLockedRead;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.sql.DueStatement;
import dev.outbox.jdbc.sql.SettleStatement;
import dev.outbox.spi.LaneStore.Cursor;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.Lease;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Makes messages due that waited for their topic.
 *
 * <p>Used by one thread.
 */
public final class TopicRelease {
  private final Sql sql;
  private final LaneQueries queries;
  private final LaneOwnership laneOwnership;

  public TopicRelease(Sql sql, LaneQueries queries) {
    this.sql = sql;
    this.queries = queries;
    this.laneOwnership = new LaneOwnership(sql);
  }

  /** For lanes that are still owned: each its share, and what others leave of theirs. */
  int run(
      Connection connection,
      List<Lease> leases,
      Set<String> heldTopics,
      int atMost,
      BatchMode batchMode) {
    if (leases.isEmpty()) {
      return 0;
    }
    List<Lane> lanes = leases.stream().map(Lease::lane).toList();
    int share = (atMost + lanes.size() - 1) / lanes.size();
    List<RowId> waiting = waiting(connection, lanes, share, heldTopics);
    Set<Integer> owned = laneOwnership.hold(connection, leases, lanesOf(waiting));
    waiting.removeIf(rowId -> !owned.contains(rowId.lane()));
    if (waiting.size() < atMost && share < atMost) {
      List<Lane> full = full(waiting, share);
      waiting.removeIf(rowId -> full.contains(new Lane(rowId.lane())));
      waiting.addAll(waiting(connection, full, atMost - waiting.size(), heldTopics));
    }
    return due(connection, waiting, atMost, batchMode);
  }

  private List<RowId> waiting(
      Connection connection, List<Lane> lanes, int limit, Set<String> heldTopics) {
    List<Cursor> cursors = lanes.stream().sorted().map(lane -> new Cursor(lane, 0, limit)).toList();
    return new ArrayList<>(
        queries.ofLanes(
            connection,
            sql.statements().lanes(DueStatement.RELEASABLE),
            cursors,
            Map.of("held", heldTopics),
            row -> RowId.of(row)));
  }

  private static Set<Integer> lanesOf(List<RowId> waiting) {
    return waiting.stream().map(RowId::lane).collect(Collectors.toSet());
  }

  /** The lanes in which more may wait. */
  private static List<Lane> full(List<RowId> waiting, int share) {
    return waiting.stream()
        .collect(Collectors.groupingBy(RowId::lane, Collectors.counting()))
        .entrySet()
        .stream()
        .filter(lane -> lane.getValue() == share)
        .map(lane -> new Lane(lane.getKey()))
        .toList();
  }

  /** For rows: those that no other worker has locked. */
  public int run(Connection connection, Set<String> heldTopics, int atMost) {
    Map<String, Object> values = Map.of("held", heldTopics, "limit", atMost);
    List<RowId> locked =
        SkipLockedRead.read(
            sql,
            connection,
            sql.statements().lock(DueStatement.CLAIM_RELEASABLE),
            values,
            row -> RowId.of(row));
    return due(connection, locked, atMost, BatchMode.SINGLY);
  }

  private int due(Connection connection, List<RowId> waiting, int atMost, BatchMode batchMode) {
    List<MoveRow> rows =
        waiting.stream()
            .sorted(Comparator.comparingLong(RowId::id))
            .limit(atMost)
            .map(rowId -> MoveRow.at(rowId.lane(), rowId.id()))
            .sorted(MoveRow.IN_ORDER)
            .toList();
    new Moves(sql, connection, batchMode)
        .total(sql.statements().byIds(SettleStatement.WAKE_HEADS), rows);
    return rows.size();
  }
}
