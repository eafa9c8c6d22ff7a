package dev.outbox.jdbc.internal.moves;

import dev.outbox.jdbc.internal.message.RowId;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.shape.KeyQuery;
import dev.outbox.jdbc.sql.DueStatement;
import dev.outbox.jdbc.sql.LaneStatement;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.StoredEnvelope;
import java.sql.Connection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
  public List<Fate> among(Connection connection, List<Fate> fates, Set<Lane> doubted) {
    if (doubted.isEmpty()) {
      return fates;
    }
    List<StoredEnvelope> asked =
        fates.stream()
            .map(Fate::storedEnvelope)
            .filter(each -> doubted.contains(each.lane()))
            .toList();
    Set<RowId> ready =
        there(connection, sql.statements().keys(LaneStatement.READY_BODIES), asked, false);
    Set<RowId> parked =
        there(connection, sql.statements().keys(DueStatement.DUE_BODIES), asked, true);
    return fates.stream()
        .filter(
            fate -> !doubted.contains(fate.storedEnvelope().lane()) || isIn(fate, ready, parked))
        .toList();
  }

  private static boolean isIn(Fate fate, Set<RowId> ready, Set<RowId> parked) {
    return (fate.storedEnvelope().isParked() ? parked : ready)
        .contains(RowId.of(fate.storedEnvelope()));
  }

  private Set<RowId> there(
      Connection connection, KeyQuery query, List<StoredEnvelope> asked, boolean parked) {
    List<Map<String, Object>> entries =
        asked.stream()
            .filter(each -> each.isParked() == parked)
            .map(each -> RowId.of(each).values(each.envelope().id()))
            .toList();
    return new HashSet<>(
        queries.ofKeys(connection, query, entries, Map.of(), row -> RowId.of(row)));
  }
}
