package dev.outbox.jdbc.internal.ids;

import dev.outbox.StoreException;
import dev.outbox.jdbc.internal.session.Session;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.sql.LaneStatement;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.Layout;
import dev.outbox.spi.lane.GivenIds;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a relay learns of the ids of ready messages. Several clusters give ids that say nothing of
 * each other, so there it learns neither the newest nor the next.
 *
 * <p>Used by one thread.
 */
public final class ToldIds {
  private static final Logger log = LoggerFactory.getLogger(ToldIds.class);

  private final Session session;
  private final Sql sql;
  private final IdCounters ids;
  private final Layout layout;
  private final boolean archive;
  private boolean isArchiveHidden;

  /** Asks an {@code archive} too, if the relay may read it. */
  public ToldIds(Session session, Sql sql, Layout layout, boolean archive) {
    this.session = session;
    this.sql = sql;
    this.ids = new IdCounters(sql);
    this.layout = layout;
    this.archive = archive;
  }

  /** As {@link LaneStore#newest} says. */
  public long newest(long id) {
    if (layout.hasPeers()) {
      return id;
    }
    Map<String, Object> values = Map.of("above", id, "most", layout.lanes() - 1);
    return session.read(
        "look for the newest message",
        connection ->
            Math.max(
                id,
                sql.query(connection, LaneStatement.NEWEST, values, row -> row.getLong(1)).get(0)));
  }

  /** As {@link LaneStore#nextId} says. */
  public long next() {
    return layout.hasPeers() ? LaneStore.UNTOLD : session.read("look for the next id", this::next);
  }

  /** The same within a transaction. */
  public long next(Connection connection) throws SQLException {
    return layout.hasPeers()
        ? LaneStore.UNTOLD
        : ids.next(connection, IdCounters.Counter.READY).orElse(LaneStore.UNTOLD);
  }

  /** What the tables show of ids at or above {@code next}. */
  public GivenIds given(long next) {
    long archived = archive ? highestArchived(next) : 0;
    return session.read(
        "look for ids that were given", connection -> ids.given(connection, next, archived));
  }

  // by itself: after a refusal PostgreSQL answers nothing more in its transaction
  private long highestArchived(long next) {
    try {
      return session.read(
          "look for archived ids", connection -> ids.highestArchived(connection, next));
    } catch (StoreException e) {
      if (!ids.isRefused(e)) {
        throw e;
      }
      warnOnce();
      return 0;
    }
  }

  private void warnOnce() {
    if (!isArchiveHidden) {
      isArchiveHidden = true;
      String table = sql.tables().name("archive");
      log.warn(
          "cannot read {}, so the relay does not notice when ids of archived messages are used again; run as the owner: GRANT SELECT ON {} TO <user of the relay>",
          table,
          table);
    }
  }
}
