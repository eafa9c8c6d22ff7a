package dev.outbox.jdbc.internal.cluster;

import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.internal.message.RowId;
import dev.outbox.jdbc.internal.moves.MoveRow;
import dev.outbox.jdbc.internal.moves.Moves;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.shape.BySource.Source;
import dev.outbox.jdbc.sql.SweepStatement;
import dev.outbox.message.MessageId;
import dev.outbox.spi.Layout;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Clears up behind takeovers: messages that are there although they were taken over, notes that are
 * old, and followers that lost their head.
 *
 * <p>Used by one thread.
 */
/*
 * Replication has an order for each pair of clusters, not for three: what B took from A can reach C before what A
 * wrote. Then the delete finds nothing at C, and A's row comes afterwards and stays. The note, which is not deleted so
 * soon, tells it.
 *
 * So an old note can meet a new row. Where the messages of other clusters stand is therefore walked through, a bounded
 * piece at a time and round again, instead of joining all notes; each is looked up among them by its id and its
 * message's.
 */
final class TakeoverCleanup {
  /** The most messages that one step looks at, and the most that it drops. */
  static final int PIECE = 2_000;

  /** Before all messages. */
  static final RowId START = new RowId(-1, -1);

  private final Sql sql;
  private final Dialect dialect;
  private final int firstOwn;
  private final int lastOwn;
  private final DelayedCleanup delayed;
  private final Map<Source, RowId> reached = new EnumMap<>(Source.class);
  private RowId woken = START;

  TakeoverCleanup(Sql sql, Layout layout) {
    this.sql = sql;
    this.dialect = sql.dialect();
    this.firstOwn = layout.firstLane().number();
    this.lastOwn = firstOwn + layout.lanes() - 1;
    this.delayed = new DelayedCleanup(sql, layout);
  }

  boolean areThereNotes(Connection connection) {
    return !sql.query(
            connection, SweepStatement.ANY_NOTE, Map.of("limit", 1), row -> row.getInt("lane"))
        .isEmpty();
  }

  /** Walks on where {@code source} has messages of other clusters. Returns how many it dropped. */
  int sweep(Connection connection, Source source) {
    if (source.isDelayed()) {
      return delayed.sweep(connection);
    }
    String text = sql.statements().text(SweepStatement.GHOSTS, source);
    RowId from = reached.getOrDefault(source, START);
    List<Found> found = next(connection, text, from, 0, firstOwn - 1, PIECE);
    int left = PIECE - found.size();
    found.addAll(next(connection, text, from, lastOwn + 1, Integer.MAX_VALUE, left));
    reached.put(source, isPiece(found) ? last(found) : START);
    return drop(connection, source, found);
  }

  /**
   * Drops what this cluster parked while another took it over, among the next messages behind
   * {@code from}. Returns how far it came, or null when that was all.
   */
  @Nullable RowId dropOwn(Connection connection, RowId from) {
    String text = sql.statements().text(SweepStatement.GHOSTS, Source.PARKED);
    List<Found> found = next(connection, text, from, firstOwn, lastOwn, PIECE);
    drop(connection, Source.PARKED, found);
    return isPiece(found) ? last(found) : null;
  }

  private static boolean isPiece(List<Found> found) {
    return found.size() >= PIECE;
  }

  private static RowId last(List<Found> found) {
    return found.get(found.size() - 1).rowId();
  }

  /** A message, and whether it is one that is looked for. */
  private record Found(RowId rowId, MessageId message, boolean isHit) {}

  /** The next ones of these lanes: the rest of the lane that was reached, then those behind it. */
  private List<Found> next(
      Connection connection, String text, RowId from, int low, int high, int atMost) {
    List<Found> found = new ArrayList<>();
    if (low <= from.lane() && from.lane() <= high) {
      found.addAll(look(connection, text, from.lane(), from, atMost));
    }
    int behind = Math.max(low, from.lane() + 1);
    if (behind <= high) {
      RowId start = new RowId(behind, START.id());
      found.addAll(look(connection, text, high, start, atMost - found.size()));
    }
    return found;
  }

  private List<Found> look(Connection connection, String text, int high, RowId from, int atMost) {
    if (atMost <= 0) {
      return List.of();
    }
    Map<String, Object> values =
        Map.of("low", from.lane(), "high", high, "after", from.id(), "limit", atMost);
    return sql.query(connection, text, values, row -> found(row));
  }

  private Found found(ResultSet row) throws SQLException {
    MessageId message = dialect.messageId(row, row.findColumn("message_id"));
    return new Found(RowId.of(row), message, row.getInt("hit") > 0);
  }

  private int drop(Connection connection, Source source, List<Found> found) {
    List<MoveRow> ghosts =
        found.stream()
            .filter(Found::isHit)
            .map(each -> MoveRow.at(each.rowId().lane(), each.rowId().id(), each.message()))
            .toList();
    return new Moves(sql, connection, Moves.BatchMode.SINGLY)
        .total(Takeovers.deletion(sql, source), ghosts);
  }

  /**
   * Makes the next followers due that have lost their head to another cluster, where the last call
   * ended. True when there are more to look at, in this round.
   */
  boolean wakeNext(Connection connection) {
    RowId left = wakeLost(connection, woken);
    woken = left == null ? START : left;
    return left != null;
  }

  /** As {@link #wakeNext}, behind {@code from}. Returns how far it came, or null at the end. */
  @Nullable RowId wakeLost(Connection connection, RowId from) {
    String text = sql.statements().text(SweepStatement.FOLLOWERS);
    List<Found> found = next(connection, text, from, firstOwn, lastOwn, PIECE);
    List<Map<String, Object>> lost =
        found.stream().filter(Found::isHit).map(each -> each.rowId().values()).toList();
    if (!lost.isEmpty()) {
      sql.batch(connection, sql.statements().text(SweepStatement.WAKE), lost);
    }
    return isPiece(found) ? last(found) : null;
  }

  /** Forgets the oldest of this cluster's notes that are older. Returns how many. */
  int forget(Connection connection, Instant before) {
    Map<String, Object> old = Map.of("batch", before.toEpochMilli(), "limit", PIECE);
    List<Long> batches =
        sql.query(connection, SweepStatement.OLD_NOTES, old, row -> row.getLong("batch"));
    return batches.isEmpty()
        ? 0
        : sql.update(
            connection,
            SweepStatement.DROP_NOTES,
            Map.of("batch", batches.get(batches.size() - 1), "before", before));
  }
}
