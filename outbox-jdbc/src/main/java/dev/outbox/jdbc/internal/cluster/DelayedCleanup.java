package dev.outbox.jdbc.internal.cluster;

import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.internal.moves.MoveRow;
import dev.outbox.jdbc.internal.moves.Moves;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.shape.BySource.Source;
import dev.outbox.jdbc.sql.SweepStatement;
import dev.outbox.spi.Layout;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Drops delayed messages of other clusters that are there although they were taken over.
 *
 * <p>Used by one thread.
 */
/*
 * Only those that are due were taken over, and only the due ones of one lane are found by an index. So it goes from lane to
 * lane, and within a lane by the time at which they were due.
 */
final class DelayedCleanup {
  /** The most lanes that one step looks at. */
  private static final int LOOKS = 64;

  private final Sql sql;
  private final Dialect dialect;
  private final Layout layout;
  private final int lanes;
  private Spot reached = Spot.ofLane(0);

  DelayedCleanup(Sql sql, Layout layout) {
    this.sql = sql;
    this.dialect = sql.dialect();
    this.layout = layout;
    this.lanes = layout.clusters() * layout.lanes();
  }

  /** Behind the message of this id in the lane, which was due then. */
  private record Spot(int lane, Instant due, long id) {
    static Spot ofLane(int lane) {
      return new Spot(lane, Instant.EPOCH, -1);
    }

    Map<String, Object> values(int atMost) {
      return Map.of("lane", lane, "at", due, "after", id, "limit", atMost);
    }
  }

  private record Found(Spot spot, boolean isGhost) {}

  /** Walks on. Returns how many it dropped. */
  int sweep(Connection connection) {
    int left = TakeoverCleanup.PIECE;
    int dropped = 0;
    for (int looks = 0; looks < Math.min(LOOKS, lanes) && left > 0; looks++) {
      List<Found> found = isOwn(reached.lane()) ? List.of() : look(connection, left);
      dropped += drop(connection, found);
      reached =
          found.size() < left
              ? Spot.ofLane((reached.lane() + 1) % lanes)
              : found.get(found.size() - 1).spot();
      left -= found.size();
    }
    return dropped;
  }

  private boolean isOwn(int lane) {
    return lane / layout.lanes() == layout.cluster();
  }

  private List<Found> look(Connection connection, int atMost) {
    return sql.query(
        connection,
        SweepStatement.DELAYED_GHOSTS,
        reached.values(atMost),
        row ->
            new Found(
                new Spot(
                    row.getInt("lane"),
                    Objects.requireNonNull(dialect.instant(row, row.findColumn("due_at"))),
                    row.getLong("id")),
                row.getInt("hit") > 0));
  }

  private int drop(Connection connection, List<Found> found) {
    List<MoveRow> ghosts =
        found.stream()
            .filter(Found::isGhost)
            .map(each -> MoveRow.at(each.spot().lane(), each.spot().id()))
            .toList();
    return new Moves(sql, connection, Moves.BatchMode.SINGLY)
        .total(Takeovers.deletion(sql, Source.DELAYED), ghosts);
  }
}
