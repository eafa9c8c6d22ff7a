package dev.outbox.jdbc.internal;

import dev.outbox.jdbc.dialect.ByIds;
import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.internal.Moves.Tempo;
import dev.outbox.message.Key;
import dev.outbox.message.Lane;
import dev.outbox.store.HeldKey;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/**
 * Moves dead letters, within one transaction.
 *
 * <p>Where some hold their keys it locks those lanes first, as a settle does: each of the two sees
 * all that the other did, or nothing, so that no message is left waiting for what has gone. Safe
 * for use by many threads; handles are not.
 */
final class DeadMoves {
  private final Sql sql;
  private final Dialect dialect;
  private final LaneQueries queries;
  private final Heads heads;

  DeadMoves(Sql sql) {
    this.sql = sql;
    this.dialect = sql.dialect();
    this.queries = new LaneQueries(sql);
    this.heads = new Heads(sql, queries);
  }

  /**
   * Puts them back. Returns how many were there.
   *
   * @throws Moves.Uneven when another operator was at some of them meanwhile
   */
  int replay(Handle handle, List<Long> numbers) {
    List<MoveRow> rows = rows(numbers);
    boolean holding = !lockHeld(handle, rows).isEmpty();
    int copied = moved(handle, dialect.replay(), rows);
    copied += holding ? moved(handle, dialect.replayHolders(), rows) : 0;
    int deleted = moved(handle, dialect.deleteDead(), rows);
    if (copied != deleted) {
      throw new Moves.Uneven();
    }
    return deleted;
  }

  /** Deletes them, and lets those go on that waited behind them. Returns how many were there. */
  int discard(Handle handle, List<Long> numbers) {
    List<MoveRow> rows = rows(numbers);
    Set<HeldKey> held = lockHeld(handle, rows);
    int deleted = moved(handle, dialect.deleteDead(), rows);
    heads.wake(handle, held, Tempo.SINGLY);
    return deleted;
  }

  private static List<MoveRow> rows(List<Long> numbers) {
    return numbers.stream().distinct().sorted().map(number -> MoveRow.at(0, number)).toList();
  }

  private int moved(Handle handle, ByIds move, List<MoveRow> rows) {
    return new Moves(sql, handle, Tempo.SINGLY).total(move, rows);
  }

  /** The keys that some of them hold, whose lanes are locked. */
  private Set<HeldKey> lockHeld(Handle handle, List<MoveRow> rows) {
    List<Map<String, Object>> entries =
        rows.stream().<Map<String, Object>>map(row -> Map.of("id", row.id())).toList();
    Set<HeldKey> held =
        new HashSet<>(
            queries.ofKeys(
                handle,
                dialect.holders(),
                entries,
                Map.of(),
                (row, context) ->
                    new HeldKey(
                        new Lane(row.getInt("lane")),
                        row.getString("topic"),
                        new Key(row.getString("msg_key")))));
    held.stream()
        .map(HeldKey::lane)
        .distinct()
        .sorted()
        .forEach(lane -> lock(handle, lane.number()));
    return held;
  }

  private void lock(Handle handle, int lane) {
    sql.query(
        handle, dialect.lockLane(), Map.of("lane", lane), (row, context) -> row.getInt("lane"));
  }
}
