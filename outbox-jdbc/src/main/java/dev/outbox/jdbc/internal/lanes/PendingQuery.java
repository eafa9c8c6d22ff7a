package dev.outbox.jdbc.internal.lanes;

import dev.outbox.jdbc.internal.moves.LaneQueries;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.sql.LaneStatement;
import dev.outbox.spi.LaneStore.Cursor;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.PendingLanes;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Asks what there is to do, in one statement for up to 64 lanes.
 *
 * <p>Used by one thread.
 */
final class PendingQuery {
  private static final int FREE_LANES = -1;

  private final Sql sql;
  private final LaneQueries queries;

  PendingQuery(Sql sql, LaneQueries queries) {
    this.sql = sql;
    this.queries = queries;
  }

  /** What was seen of a lane; or, for no lane, how many lanes are free. */
  private record Sight(int lane, int ready, int due, int later) {}

  PendingLanes at(Connection connection, List<Cursor> cursors, Set<String> heldTopics) {
    Map<String, Object> also = Map.of("held", heldTopics);
    List<Sight> sights =
        queries.ofLanes(
            connection,
            sql.statements().lanes(LaneStatement.LOOK),
            cursors,
            also,
            row ->
                new Sight(
                    row.getInt("lane"),
                    row.getInt("ready"),
                    row.getInt("due"),
                    row.getInt("later")));
    return new PendingLanes(
        lanes(sights, sight -> sight.ready() == 1),
        lanes(sights, sight -> sight.due() == 1),
        lanes(sights, sight -> sight.later() == 1),
        sights.stream()
            .filter(sight -> sight.lane() == FREE_LANES)
            .mapToInt(Sight::ready)
            .findFirst()
            .orElse(0));
  }

  private static Set<Lane> lanes(List<Sight> sights, Predicate<Sight> seen) {
    return sights.stream()
        .filter(sight -> sight.lane() >= 0 && seen.test(sight))
        .map(sight -> new Lane(sight.lane()))
        .collect(Collectors.toSet());
  }
}
