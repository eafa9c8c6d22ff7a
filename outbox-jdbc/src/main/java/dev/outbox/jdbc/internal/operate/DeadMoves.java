package dev.outbox.jdbc.internal.operate;

import dev.outbox.DeadLetter;
import dev.outbox.jdbc.internal.message.RowId;
import dev.outbox.jdbc.internal.moves.KeyHeads;
import dev.outbox.jdbc.internal.moves.LaneQueries;
import dev.outbox.jdbc.internal.moves.MoveRow;
import dev.outbox.jdbc.internal.moves.Moves;
import dev.outbox.jdbc.internal.moves.Moves.BatchMode;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.shape.ByIds;
import dev.outbox.jdbc.sql.DeadStatement;
import dev.outbox.jdbc.sql.SettleStatement;
import dev.outbox.message.Key;
import dev.outbox.spi.lane.HeldKey;
import dev.outbox.spi.lane.Lane;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Moves dead letters, within one transaction.
 *
 * <p>Where some hold their keys it locks those lanes first, as a settle does: each of the two sees
 * all that the other did, or nothing, so that no message is left waiting for what has gone. Safe
 * for use by many threads; handles are not.
 */
final class DeadMoves {
  private final Sql sql;
  private final LaneQueries queries;
  private final KeyHeads keyHeads;

  DeadMoves(Sql sql) {
    this.sql = sql;
    this.queries = new LaneQueries(sql);
    this.keyHeads = new KeyHeads(sql, queries);
  }

  /** A dead letter that holds its key, and where it stood. */
  private record Holder(long number, RowId rowId, HeldKey key) {
    static Holder read(ResultSet row) throws SQLException {
      return new Holder(
          row.getLong("dead_id"),
          RowId.of(row),
          new HeldKey(
              new Lane(row.getInt("lane")),
              row.getString("topic"),
              new Key(row.getString("msg_key"))));
    }
  }

  /**
   * Puts them back. One that holds its key goes where it stood, or with the others to the end of
   * the ready messages where another message has its id by now. Returns how many were there.
   *
   * @throws Moves.Uneven when another operator was at some of them meanwhile
   */
  int replay(Connection connection, List<DeadLetter.Id> letters) {
    List<MoveRow> rows = rows(letters);
    List<Holder> holders = lockHolders(connection, rows);
    Set<Long> returning = returning(connection, holders);
    List<MoveRow> back = rows.stream().filter(row -> returning.contains(row.id())).toList();
    List<MoveRow> last = rows.stream().filter(row -> !returning.contains(row.id())).toList();
    int copied = moved(connection, sql.statements().byIds(DeadStatement.REPLAY), last);
    copied += moved(connection, sql.statements().byIds(DeadStatement.REPLAY_HOLDERS), back);
    int deleted = moved(connection, sql.statements().byIds(DeadStatement.DELETE_DEAD), rows);
    if (copied != deleted) {
      throw new Moves.Uneven();
    }
    if (returning.size() < holders.size()) {
      keyHeads.wake(connection, keys(holders), BatchMode.SINGLY);
    }
    return deleted;
  }

  /** The numbers of those whose place is free, one for each place. */
  private Set<Long> returning(Connection connection, List<Holder> holders) {
    Set<RowId> taken = new HashSet<>(taken(connection, holders));
    return holders.stream()
        .sorted(Comparator.comparingLong(Holder::number))
        .filter(holder -> taken.add(holder.rowId()))
        .map(Holder::number)
        .collect(Collectors.toSet());
  }

  private List<RowId> taken(Connection connection, List<Holder> holders) {
    List<Map<String, Object>> asked =
        holders.stream().map(Holder::rowId).distinct().map(RowId::values).toList();
    return asked.isEmpty()
        ? List.of()
        : queries.ofKeys(
            connection,
            sql.statements().keys(SettleStatement.TAKEN_PARKED),
            asked,
            Map.of(),
            row -> RowId.of(row));
  }

  /** Deletes them, and lets those go on that waited behind them. Returns how many were there. */
  int discard(Connection connection, List<DeadLetter.Id> letters) {
    List<MoveRow> rows = rows(letters);
    Set<HeldKey> held = keys(lockHolders(connection, rows));
    int deleted = moved(connection, sql.statements().byIds(DeadStatement.DELETE_DEAD), rows);
    keyHeads.wake(connection, held, BatchMode.SINGLY);
    return deleted;
  }

  private static List<MoveRow> rows(List<DeadLetter.Id> letters) {
    return letters.stream()
        .distinct()
        .map(letter -> MoveRow.at(0, letter.number(), letter.message()))
        .sorted(MoveRow.IN_ORDER)
        .toList();
  }

  private int moved(Connection connection, ByIds move, List<MoveRow> rows) {
    return new Moves(sql, connection, BatchMode.SINGLY).total(move, rows);
  }

  /** Those that hold their keys; the lanes of these are locked. */
  private List<Holder> lockHolders(Connection connection, List<MoveRow> rows) {
    List<Map<String, Object>> entries = rows.stream().map(DeadMoves::values).toList();
    List<Holder> holders =
        queries.ofKeys(
            connection,
            sql.statements().keys(DeadStatement.HOLDERS),
            entries,
            Map.of(),
            row -> Holder.read(row));
    holders.stream()
        .map(holder -> holder.key().lane())
        .distinct()
        .sorted()
        .forEach(lane -> lock(connection, lane.number()));
    return holders;
  }

  private static Set<HeldKey> keys(List<Holder> holders) {
    return holders.stream().map(Holder::key).collect(Collectors.toSet());
  }

  private static Map<String, Object> values(MoveRow row) {
    return Map.of("id", row.id(), "message_id", Objects.requireNonNull(row.message()));
  }

  private void lock(Connection connection, int lane) {
    sql.query(
        connection, SettleStatement.LOCK_LANE, Map.of("lane", lane), row -> row.getInt("lane"));
  }
}
