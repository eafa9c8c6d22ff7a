package dev.outbox.jdbc.internal.ids;

import dev.outbox.StoreException;
import dev.outbox.jdbc.internal.session.Session;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.spi.lane.GivenIds;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks which ids were given, in the ready table and in an archive if the relay may read it.
 *
 * <p>Used by one thread.
 */
public final class GivenIdsQuery {
  private static final Logger log = LoggerFactory.getLogger(GivenIdsQuery.class);

  private final Session session;
  private final Sql sql;
  private final IdCounters ids;
  private final boolean archive;
  private boolean isArchiveHidden;

  public GivenIdsQuery(Session session, Sql sql, IdCounters ids, boolean archive) {
    this.session = session;
    this.sql = sql;
    this.ids = ids;
    this.archive = archive;
  }

  /** What the tables show of ids at or above {@code next}. */
  public GivenIds from(long next) {
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
