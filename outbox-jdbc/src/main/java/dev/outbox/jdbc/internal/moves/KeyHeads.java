package dev.outbox.jdbc.internal.moves;

import dev.outbox.jdbc.internal.message.RowId;
import dev.outbox.jdbc.internal.moves.Moves.BatchMode;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.sql.SettleStatement;
import dev.outbox.spi.lane.HeldKey;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The first parked messages of keys, which fall due when what stood before them has left.
 *
 * <p>Used by one thread.
 */
public final class KeyHeads {
  private final Sql sql;
  private final LaneQueries queries;

  public KeyHeads(Sql sql, LaneQueries queries) {
    this.sql = sql;
    this.queries = queries;
  }

  /** Of a key the first parked message and the first dead letter that holds it. */
  private record Head(int number, @Nullable Long id, @Nullable Long hold) {
    boolean mayGo() {
      return id != null && (hold == null || id < hold);
    }

    boolean holdsNothing() {
      return id == null && hold == null;
    }
  }

  /**
   * Makes the first parked message of each key due if it waits for nothing but that. Returns the
   * keys that nothing holds any more.
   */
  public Set<HeldKey> wake(Connection connection, Set<HeldKey> keys, BatchMode batchMode) {
    return wake(connection, keys, Set.of(), batchMode);
  }

  /** As {@link #wake(Connection, Set, BatchMode)}, but leaves those that are {@code waiting}. */
  public Set<HeldKey> wake(
      Connection connection, Set<HeldKey> keys, Set<RowId> waiting, BatchMode batchMode) {
    List<HeldKey> asked = List.copyOf(keys);
    Set<HeldKey> free = new HashSet<>(keys);
    List<MoveRow> woken = new ArrayList<>();
    for (Head head : heads(connection, asked)) {
      HeldKey key = asked.get(head.number());
      if (!head.holdsNothing()) {
        free.remove(key);
      }
      if (head.mayGo() && head.id() != null) {
        MoveRow row = MoveRow.at(key.lane().number(), head.id());
        if (!waiting.contains(row.rowId())) {
          woken.add(row);
        }
      }
    }
    woken.sort(MoveRow.IN_ORDER);
    new Moves(sql, connection, batchMode)
        .total(sql.statements().byIds(SettleStatement.WAKE_HEADS), woken);
    return free;
  }

  private List<Head> heads(Connection connection, List<HeldKey> keys) {
    List<Map<String, Object>> entries = new ArrayList<>();
    for (HeldKey key : keys) {
      entries.add(
          Map.of(
              "n", entries.size(),
              "lane", key.lane().number(),
              "topic", key.topic(),
              "msg_key", key.key().value()));
    }
    return queries
        .ofKeys(
            connection,
            sql.statements().keys(SettleStatement.HEADS),
            entries,
            Map.of(),
            row ->
                new Head(
                    row.getInt("n"), number(row.getObject("id")), number(row.getObject("hold"))))
        .stream()
        .filter(head -> head.number() != LaneQueries.NO_LANE)
        .toList();
  }

  private static @Nullable Long number(@Nullable Object column) {
    return column == null ? null : ((Number) column).longValue();
  }
}
