package dev.outbox.jdbc.internal.moves;

import dev.outbox.jdbc.internal.message.Place;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.shape.KeyQuery;
import dev.outbox.jdbc.sql.DueStatement;
import dev.outbox.jdbc.sql.LaneStatement;
import dev.outbox.message.Lane;
import dev.outbox.store.Fate;
import dev.outbox.store.Stored;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/**
 * Finds the messages that are still where they were read, by reads that wait for no lock.
 *
 * <p>Used by one thread.
 */
/*
 * InnoDB locks a row before it looks at its message id. Where the id was given again to a writer that has not committed, a
 * settle would wait for that writer, and all lanes of the relay with it. So what may be gone is looked for before it is
 * settled: what was read over another connection, and what a settle has waited for in vain.
 */
public final class PresentRows {
  private final Sql sql;
  private final LaneQueries queries;

  public PresentRows(Sql sql, LaneQueries queries) {
    this.sql = sql;
    this.queries = queries;
  }

  /** Without those messages of the {@code doubted} lanes that are gone. */
  public List<Fate> among(Handle handle, List<Fate> fates, Set<Lane> doubted) {
    if (doubted.isEmpty()) {
      return fates;
    }
    List<Stored> asked =
        fates.stream().map(Fate::stored).filter(each -> doubted.contains(each.lane())).toList();
    Set<Place> ready =
        there(handle, sql.statements().keys(LaneStatement.READY_BODIES), asked, false);
    Set<Place> parked = there(handle, sql.statements().keys(DueStatement.DUE_BODIES), asked, true);
    return fates.stream()
        .filter(fate -> !doubted.contains(fate.stored().lane()) || isIn(fate, ready, parked))
        .toList();
  }

  private static boolean isIn(Fate fate, Set<Place> ready, Set<Place> parked) {
    return (fate.stored().isParked() ? parked : ready).contains(Place.of(fate.stored()));
  }

  private Set<Place> there(Handle handle, KeyQuery query, List<Stored> asked, boolean parked) {
    List<Map<String, Object>> entries =
        asked.stream()
            .filter(each -> each.isParked() == parked)
            .map(each -> Place.of(each).values(each.envelope().id()))
            .toList();
    return new HashSet<>(
        queries.ofKeys(handle, query, entries, Map.of(), (row, context) -> Place.of(row)));
  }
}
