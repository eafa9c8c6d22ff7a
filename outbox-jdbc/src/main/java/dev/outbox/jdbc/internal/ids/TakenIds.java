package dev.outbox.jdbc.internal.ids;

import dev.outbox.jdbc.dialect.Fault;
import dev.outbox.jdbc.internal.message.RowId;
import dev.outbox.jdbc.internal.moves.LaneQueries;
import dev.outbox.jdbc.internal.session.Faults;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.shape.KeyQuery;
import dev.outbox.jdbc.sql.SettleStatement;
import dev.outbox.spi.lane.HeldKey;
import dev.outbox.spi.settle.StoredEnvelope;
import java.sql.Connection;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds messages whose id is taken: another message holds it in the table that they would move to.
 * That happens when the database gives ids again, as after TRUNCATE or a dump. It asks only after a
 * statement of its session has failed for such an id. What has to be parked gets another id, with
 * all that follows it in its key; what would be archived is not.
 *
 * <p>Used by one thread.
 */
public final class TakenIds {
  private static final Logger log = LoggerFactory.getLogger(TakenIds.class);

  private final Sql sql;
  private final LaneQueries queries;
  private boolean found;
  private boolean logged;

  public TakenIds(Sql sql, LaneQueries queries) {
    this.sql = sql;
    this.queries = queries;
  }

  /**
   * True when {@code failure} is the first that came from a taken id: the work can be done again.
   */
  public boolean foundBy(RuntimeException failure) {
    Faults faults = Faults.behind(failure, sql.dialect());
    boolean first = !found && faults != null && faults.fault() == Fault.DUPLICATE;
    found |= first;
    return first;
  }

  /** The other ids of those among the ready {@code parks} that cannot keep their own. */
  public Map<RowId, Long> otherIds(Connection connection, List<StoredEnvelope> parks) {
    List<RowId> rowIds = parks.stream().map(RowId::of).toList();
    Set<RowId> taken =
        taken(connection, sql.statements().keys(SettleStatement.TAKEN_PARKED), rowIds);
    Map<Integer, Long> last = new HashMap<>();
    Set<HeldKey> moved = new HashSet<>();
    Map<RowId, Long> others = new HashMap<>();
    for (StoredEnvelope storedEnvelope :
        taken.isEmpty() ? List.<StoredEnvelope>of() : ascending(parks)) {
      RowId rowId = RowId.of(storedEnvelope);
      HeldKey key = storedEnvelope.holdable();
      if (taken.contains(rowId) || moved.contains(key)) {
        last.computeIfAbsent(rowId.lane(), lane -> last(connection, lane, rowIds));
        others.put(rowId, last.merge(rowId.lane(), 1L, Long::sum));
        if (key != null) {
          moved.add(key);
        }
      }
    }
    return others;
  }

  private static List<StoredEnvelope> ascending(List<StoredEnvelope> parks) {
    return parks.stream()
        .sorted(Comparator.comparing(StoredEnvelope::lane).thenComparing(StoredEnvelope::id))
        .toList();
  }

  /** The highest id that is parked in the lane, or about to be. */
  private long last(Connection connection, int lane, List<RowId> rowIds) {
    long parked =
        sql.query(
                connection,
                "SELECT MAX(id) AS id FROM {parked} WHERE lane = :lane",
                Map.of("lane", lane),
                row -> row.getLong("id"))
            .get(0);
    long parking =
        rowIds.stream().filter(rowId -> rowId.lane() == lane).mapToLong(RowId::id).max().orElse(0);
    return Math.max(parked, parking);
  }

  /** Those that the archive has no place for. */
  public Set<RowId> inArchive(Connection connection, Collection<RowId> rowIds) {
    Set<RowId> taken =
        taken(connection, sql.statements().keys(SettleStatement.TAKEN_ARCHIVE), rowIds);
    if (!taken.isEmpty() && !logged) {
      logged = true;
      log.warn(
          "{} delivered messages were not archived, because the archive has other messages with their ids;"
              + " more of them are not logged. The doctor's finding ids-behind names the remedy",
          taken.size());
    }
    return taken;
  }

  private Set<RowId> taken(Connection connection, KeyQuery query, Collection<RowId> rowIds) {
    if (!found || rowIds.isEmpty()) {
      return Set.of();
    }
    List<Map<String, Object>> asked = rowIds.stream().map(RowId::values).toList();
    return queries.ofKeys(connection, query, asked, Map.of(), row -> RowId.of(row)).stream()
        .collect(Collectors.toSet());
  }
}
