package dev.outbox.jdbc.internal.lanes;

import dev.outbox.StoreException;
import dev.outbox.jdbc.internal.lanes.LaneSession.LaneTerms;
import dev.outbox.jdbc.internal.moves.LaneQueries;
import dev.outbox.jdbc.internal.moves.Moves;
import dev.outbox.jdbc.internal.session.Session;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.SettleResult;
import dev.outbox.spi.settle.Settlement;
import java.sql.Connection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes the ends of claims, deliveries alone in the shortest way, and remembers over which
 * connection each lane was read: over another one its rows may be gone.
 *
 * <p>Used by one thread.
 */
final class LaneSettling {
  private final Session session;
  private final Deliveries deliveries;
  private final SettleRunner settles;

  /** The connection over which each lane was read last. */
  private final Map<Lane, Connection> readOver = new HashMap<>();

  LaneSettling(Session session, Sql sql, LaneQueries queries, LaneTerms terms) {
    this.session = session;
    this.deliveries = new Deliveries(sql, terms.lease(), terms.archive());
    this.settles = new SettleRunner(sql, queries, terms.archive(), terms.lease());
  }

  /** The lane is read over this connection. */
  void read(Lane lane, Connection connection) {
    readOver.put(lane, connection);
  }

  /** Writes them, of which there is one at least. */
  Map<Lane, SettleResult> write(List<Settlement> settlements) {
    try {
      return deliveries.areAll(settlements) ? deliver(settlements) : together(settlements);
    } catch (StoreException e) {
      if (e.isOfItsRows()) {
        settlements.forEach(settlement -> readOver.remove(settlement.lease().lane()));
      }
      throw e;
    }
  }

  /** Of lanes of which nothing was deleted, the usual way tells whether they are fenced. */
  private Map<Lane, SettleResult> deliver(List<Settlement> settlements) {
    Map<Lane, SettleResult> delivered =
        session.alone(
            "settle",
            connection ->
                doubted(connection, settlements).isEmpty()
                    ? deliveries.write(connection, settlements)
                    : Map.of());
    if (delivered.size() == settlements.size()) {
      return delivered;
    }
    Map<Lane, SettleResult> results = new HashMap<>(delivered);
    results.putAll(
        together(
            settlements.stream()
                .filter(settlement -> !delivered.containsKey(settlement.lease().lane()))
                .toList()));
    return results;
  }

  private Map<Lane, SettleResult> together(List<Settlement> settlements) {
    Moves.Work<Map<Lane, SettleResult>> work =
        (connection, batchMode) ->
            settles.run(connection, settlements, doubted(connection, settlements), batchMode);
    try {
      return Moves.transaction(session, "settle", work);
    } catch (SettleRunner.TakenId first) {
      return Moves.transaction(session, "settle", work);
    }
  }

  /** The lanes that were read over another connection, or whose rows a settle has waited for. */
  private Set<Lane> doubted(Connection connection, List<Settlement> settlements) {
    Set<Lane> doubted = new HashSet<>();
    for (Settlement settlement : settlements) {
      Lane lane = settlement.lease().lane();
      if (!settlement.fates().isEmpty() && readOver.get(lane) != connection) {
        doubted.add(lane);
      }
    }
    return doubted;
  }
}
