package dev.outbox.jdbc.internal.lanes;

import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.sql.SettleStatement;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.Lease;
import java.sql.Connection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Whether lanes still belong to their leases, until the end of the transaction.
 *
 * <p>Used by one thread.
 */
final class LaneOwnership {
  private final Sql sql;

  LaneOwnership(Sql sql) {
    this.sql = sql;
  }

  /** Locks those of the {@code wanted} lanes that are still owned, in ascending order. */
  Set<Integer> hold(Connection connection, List<Lease> leases, Set<Integer> wanted) {
    Set<Integer> owned = new HashSet<>();
    leases.stream()
        .filter(lease -> wanted.contains(lease.lane().number()))
        .sorted(Comparator.comparing(Lease::lane))
        .forEach(lease -> owned.addAll(hold(connection, lease)));
    return owned;
  }

  private List<Integer> hold(Connection connection, Lease lease) {
    Lane lane = lease.lane();
    Map<String, Object> values =
        Map.of("lane", lane.number(), "owner", lease.owner(), "epoch", lease.epoch());
    return sql.query(connection, SettleStatement.HOLD_LANE, values, row -> row.getInt("lane"));
  }
}
