package dev.outbox.jdbc.internal.operate;

import dev.outbox.Claiming;
import dev.outbox.Snapshot;
import dev.outbox.Snapshot.Depth;
import dev.outbox.jdbc.internal.moves.LaneQueries;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.sql.RegistryStatement;
import dev.outbox.spi.LaneStore.Cursor;
import dev.outbox.spi.lane.Lane;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Counts what is in the tables, and finds the oldest by indexes.
 *
 * <p>Used by one thread.
 */
final class Snapshots {
  private final Sql sql;
  private final Claiming claiming;
  private final LaneQueries queries;

  Snapshots(Sql sql, Claiming claiming) {
    this.sql = sql;
    this.claiming = claiming;
    this.queries = new LaneQueries(sql);
  }

  private record LaneState(int lane, long floor, @Nullable String owner) {
    Snapshot.OwnedLane owned() {
      return new Snapshot.OwnedLane(new Lane(lane), owner);
    }
  }

  private record Ages(@Nullable Duration ready, @Nullable Duration due) {}

  private record Count(String what, String topic, long messages) {
    Depth depth() {
      return new Depth(of("ready"), of("parked"), of("delayed"), of("dead"));
    }

    private long of(String table) {
      return what.equals(table) ? messages : 0;
    }
  }

  Snapshot take(Connection connection, long bound) {
    List<LaneState> lanes =
        sql.query(connection, RegistryStatement.LANE_STATES, Map.of(), row -> lane(row));
    List<Cursor> floors =
        lanes.stream().map(lane -> new Cursor(new Lane(lane.lane()), lane.floor(), 1)).toList();
    List<Ages> ages =
        queries.ofLanes(
            connection,
            sql.statements().lanes(RegistryStatement.AGES),
            floors,
            Map.of(),
            row -> ages(row));
    Map<String, Depth> topics =
        sql
            .query(connection, RegistryStatement.COUNTS, Map.of("bound", bound), row -> count(row))
            .stream()
            .collect(Collectors.toMap(Count::topic, Count::depth, Depth::plus));
    return Snapshot.of(
        topics,
        TopicTable.all(sql, connection),
        oldest(ages, Ages::ready),
        oldest(ages, Ages::due),
        claiming == Claiming.ROWS ? List.of() : lanes.stream().map(LaneState::owned).toList(),
        RelayTable.live(sql, connection));
  }

  private static LaneState lane(ResultSet row) throws SQLException {
    return new LaneState(row.getInt("lane"), row.getLong("floor"), row.getString("owner"));
  }

  private static Count count(ResultSet row) throws SQLException {
    return new Count(row.getString("what"), row.getString("topic"), row.getLong("messages"));
  }

  private static Ages ages(ResultSet row) throws SQLException {
    return new Ages(age(row, "ready_age"), age(row, "due_age"));
  }

  private static @Nullable Duration age(ResultSet row, String column) throws SQLException {
    long micros = row.getLong(column);
    return row.wasNull() ? null : Duration.of(Math.max(0, micros), ChronoUnit.MICROS);
  }

  private static @Nullable Duration oldest(
      List<Ages> ages, Function<Ages, @Nullable Duration> age) {
    return ages.stream().map(age).filter(Objects::nonNull).max(Duration::compareTo).orElse(null);
  }
}
