package dev.outbox.jdbc.internal.cluster;

import dev.outbox.cluster.ClusterState;
import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.sql.ClusterStatement;
import dev.outbox.jdbc.sql.SettleStatement;
import dev.outbox.spi.Layout;
import dev.outbox.spi.cluster.ClusterBeat;
import dev.outbox.spi.cluster.ClusterBeat.Shape;
import dev.outbox.spi.cluster.ClusterView;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The table of the clusters' signs of life, read and written within a transaction.
 *
 * <p>Safe for use by many threads; handles are not.
 */
final class BeatTable {
  private final Sql sql;
  private final Dialect dialect;
  private final Layout layout;

  BeatTable(Sql sql, Layout layout) {
    this.sql = sql;
    this.dialect = sql.dialect();
    this.layout = layout;
  }

  /** True when this cluster works, by its last sign of life. */
  boolean isWorking(Connection connection) {
    List<String> standings =
        sql.query(
            connection, ClusterStatement.STANDING, Map.of(), row -> row.getString("standing"));
    return standings.isEmpty()
        || standings.get(standings.size() - 1).equals(ClusterState.WORKING.name());
  }

  ClusterView read(Connection connection) {
    List<ClusterBeat> beats =
        sql.query(connection, ClusterStatement.BEATS, Map.of(), row -> beat(row));
    return ClusterView.of(layout, beats, sql.now(connection));
  }

  private ClusterBeat beat(ResultSet row) throws SQLException {
    return new ClusterBeat(
        row.getInt("cluster_id"),
        row.getLong("beat"),
        ClusterState.valueOf(row.getString("standing")),
        row.getLong("since_beat"),
        SeenCodec.read(row.getString("seen")),
        Objects.requireNonNull(dialect.instant(row, row.findColumn("beaten_at"))),
        new Shape(row.getInt("lanes"), row.getInt("clusters")));
  }

  /** Reads after waiting for the others of this cluster that beat or take over. */
  ClusterView readLocked(Connection connection) {
    sql.query(
        connection,
        SettleStatement.LOCK_LANE,
        Map.of("lane", layout.firstLane().number()),
        row -> row.getInt("lane"));
    return read(connection);
  }

  /** Writes this cluster's next sign of life. Returns {@code before} with it. */
  ClusterView write(Connection connection, ClusterView before, ClusterBeat beat) {
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("beat", beat.number());
    values.put("standing", beat.clusterState().name());
    values.put("since", beat.since());
    values.put("seen", SeenCodec.of(beat.seen()));
    values.put("at", beat.at());
    values.put("lanes", beat.shape().lanes());
    values.put("clusters", beat.shape().clusters());
    sql.update(connection, ClusterStatement.INSERT_BEAT, values);
    sql.update(connection, ClusterStatement.DELETE_BEATS, Map.of("beat", beat.number()));
    Map<Integer, ClusterBeat> beats = new HashMap<>(before.beats());
    beats.put(beat.cluster(), beat);
    return new ClusterView(before.layout(), beats, before.now());
  }
}
