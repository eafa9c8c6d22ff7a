package dev.outbox.jdbc.internal.cluster;

import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.internal.moves.MoveRow;
import dev.outbox.jdbc.internal.moves.Moves;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.shape.ByIds;
import dev.outbox.jdbc.shape.BySource.Source;
import dev.outbox.jdbc.sql.ClusterStatement;
import dev.outbox.jdbc.sql.DueStatement;
import dev.outbox.jdbc.sql.SettleStatement;
import dev.outbox.spi.cluster.ClusterStore.Extent;
import dev.outbox.spi.cluster.ClusterStore.Orphan;
import dev.outbox.spi.lane.Lane;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Moves messages from lanes of other clusters to this one's, within a transaction.
 *
 * <p>Safe for use by many threads; handles are not.
 */
/*
 * Parked messages come first, because they are before the ready ones of their key. They become ready: their attempts
 * were another cluster's, with another broker perhaps. Every row is deleted where it stood and written to a lane that
 * only this cluster writes to, so replication meets no two rows of one key.
 *
 * The notes are written first, and tell the statements that follow which rows are meant. A note is the end of its
 * message wherever it is. So one that is gone meanwhile, because replication has brought what its own cluster did to
 * it, must leave no note: where not as many were moved as were noted, the transaction begins again.
 *
 * Batches are numbered by the clock, so that an older copy of these tables gives no number again. With it in their key,
 * notes of what the copy takes over a second time meet none of the first time where replication brings them.
 */
final class Takeovers {
  private final Sql sql;
  private final Dialect dialect;

  Takeovers(Sql sql) {
    this.sql = sql;
    this.dialect = sql.dialect();
  }

  /** What there is to take: parked ones, then ready ones, then those that are due. */
  List<Orphan> look(Connection connection, Lane from, int atMost) {
    List<Orphan> orphans = new ArrayList<>();
    for (Source source : Source.values()) {
      Map<String, Object> values = Map.of("lane", from.number(), "limit", atMost - orphans.size());
      orphans.addAll(
          sql.query(
              connection,
              sql.statements().text(ClusterStatement.TO_TAKE, source),
              values,
              row -> new Orphan(row.getLong("id"), source.isDelayed())));
      if (orphans.size() >= atMost) {
        break;
      }
    }
    return orphans;
  }

  Extent extent(Connection connection, Lane from) {
    return new Extent(
        Math.max(last(connection, from, Source.PARKED), last(connection, from, Source.READY)),
        last(connection, from, Source.DELAYED));
  }

  private long last(Connection connection, Lane from, Source source) {
    return sql.query(
            connection,
            sql.statements().text(ClusterStatement.LAST, source),
            Map.of("lane", from.number()),
            row -> row.getLong("id"))
        .get(0);
  }

  /** Moves the first of what {@link #look} tells, none beyond {@code upTo}. Returns how many. */
  int takeFirst(
      Connection connection,
      Lane from,
      Lane to,
      Extent upTo,
      int atMost,
      Moves.BatchMode batchMode) {
    long batch = beforeNextBatch(connection);
    int taken = 0;
    for (Source source : Source.values()) {
      if (taken < atMost) {
        batch++;
        long last = source.isDelayed() ? upTo.due() : upTo.id();
        Map<String, Object> values =
            Map.of("lane", from.number(), "limit", atMost - taken, "batch", batch, "upTo", last);
        int noted =
            sql.update(connection, sql.statements().text(ClusterStatement.NOTE, source), values);
        taken += noted == 0 ? 0 : move(connection, source, batch, shift(from, to), batchMode);
      }
    }
    return taken;
  }

  /** Moves those of {@code some} that {@link #look} would tell. Returns how many. */
  int take(
      Connection connection, Lane from, Lane to, List<Orphan> some, Moves.BatchMode batchMode) {
    long batch = beforeNextBatch(connection);
    int taken = 0;
    for (Source source : Source.values()) {
      long number = ++batch;
      List<Map<String, Object>> entries =
          some.stream()
              .filter(orphan -> orphan.delayed() == source.isDelayed())
              .<Map<String, Object>>map(
                  orphan -> Map.of("lane", from.number(), "id", orphan.id(), "batch", number))
              .toList();
      if (!entries.isEmpty()) {
        sql.batch(connection, sql.statements().text(ClusterStatement.NOTE_ONE, source), entries);
        taken += move(connection, source, number, shift(from, to), batchMode);
      }
    }
    return taken;
  }

  private static int shift(Lane from, Lane to) {
    return to.number() - from.number();
  }

  private long beforeNextBatch(Connection connection) {
    long last =
        sql.query(connection, ClusterStatement.LAST_BATCH, Map.of(), row -> row.getLong("batch"))
            .get(0);
    return Math.max(last, sql.now(connection).toEpochMilli());
  }

  private int move(
      Connection connection, Source source, long batch, int shift, Moves.BatchMode batchMode) {
    List<MoveRow> rows =
        sql.query(
            connection,
            ClusterStatement.OF_BATCH,
            Map.of("batch", batch),
            row ->
                MoveRow.at(
                    row.getInt("lane"),
                    row.getLong("id"),
                    dialect.messageId(row, row.findColumn("message_id"))));
    if (rows.isEmpty()) {
      return 0;
    }
    int taken =
        sql.update(
            connection,
            sql.statements().text(ClusterStatement.TAKE, source),
            Map.of("batch", batch, "shift", shift));
    int deleted = new Moves(sql, connection, batchMode).total(deletion(sql, source), rows);
    if (taken != rows.size() || deleted != rows.size()) {
      throw new Moves.Uneven();
    }
    return taken;
  }

  /** How rows of {@code source} are deleted, whichever cluster wrote them. */
  static ByIds deletion(Sql sql, Source source) {
    return switch (source) {
      case PARKED -> sql.statements().byIds(SettleStatement.DELETE_ANY_PARKED);
      case READY -> sql.statements().byIds(SettleStatement.DELETE_READY);
      case DELAYED -> sql.statements().byIds(DueStatement.DELETE_DELAYED);
    };
  }
}
