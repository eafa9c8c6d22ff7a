package dev.outbox.jdbc.internal.lanes;

import dev.outbox.jdbc.internal.ids.IdCounters;
import dev.outbox.jdbc.internal.session.Session;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.sql.LaneStatement;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.Layout;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

/**
 * What a relay learns of the ids of ready messages. By default it learns nothing: several clusters
 * give ids that say nothing of each other.
 *
 * <p>Used by one thread.
 */
interface ToldIds {
  static ToldIds of(Session session, Sql sql, IdCounters ids, Layout layout) {
    return layout.hasPeers()
        ? new ToldIds() {}
        : new OfOneCluster(session, sql, ids, layout.lanes() - 1);
  }

  /** As {@link LaneStore#newest} says. */
  default long newest(long id) {
    return id;
  }

  /** As {@link LaneStore#nextId} says. */
  default long next() {
    return LaneStore.UNTOLD;
  }

  /** The same within a transaction. */
  default long next(Connection connection) throws SQLException {
    return LaneStore.UNTOLD;
  }

  record OfOneCluster(Session session, Sql sql, IdCounters ids, int lastLane) implements ToldIds {
    @Override
    public long newest(long id) {
      Map<String, Object> values = Map.of("above", id, "most", lastLane);
      return session.read(
          "look for the newest message",
          connection ->
              Math.max(
                  id,
                  sql.query(connection, LaneStatement.NEWEST, values, row -> row.getLong(1))
                      .get(0)));
    }

    @Override
    public long next() {
      return session.read("look for the next id", this::next);
    }

    @Override
    public long next(Connection connection) throws SQLException {
      return ids.next(connection, IdCounters.Counter.READY).orElse(LaneStore.UNTOLD);
    }
  }
}
