package dev.outbox.jdbc.internal.lanes;

import dev.outbox.jdbc.internal.message.RowId;
import dev.outbox.jdbc.internal.moves.LaneQueries;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.sql.SettleStatement;
import dev.outbox.spi.lane.HeldKey;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.HoldReason;
import dev.outbox.spi.settle.StoredEnvelope;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which messages held with their topic are behind another of their key: they are written as
 * followers, so that a release finds the first of each key, and those without one, by an index.
 *
 * <p>Used by one thread.
 */
final class FollowerCheck {
  private final Sql sql;
  private final LaneQueries queries;

  FollowerCheck(Sql sql, LaneQueries queries) {
    this.sql = sql;
    this.queries = queries;
  }

  /** The places of those that are behind another, in {@code fates} or in the tables. */
  Set<RowId> behind(Connection connection, List<Fate> fates) {
    Map<HeldKey, Long> firsts = firsts(fates);
    Set<RowId> behind = new HashSet<>();
    List<Map<String, Object>> asked = new ArrayList<>();
    for (Fate fate : fates) {
      StoredEnvelope storedEnvelope = fate.storedEnvelope();
      HeldKey key = storedEnvelope.holdable();
      if (key != null && waitsForItsTopic(fate)) {
        if (storedEnvelope.id() > firsts.getOrDefault(key, storedEnvelope.id())) {
          behind.add(RowId.of(storedEnvelope));
        } else if (!storedEnvelope.isParked()) {
          asked.add(RowId.of(storedEnvelope).values(storedEnvelope.envelope().id()));
        }
      }
    }
    behind.addAll(
        queries.ofKeys(
            connection,
            sql.statements().keys(SettleStatement.BEHIND),
            asked,
            Map.of(),
            row -> RowId.of(row)));
    return behind;
  }

  /** Of each key the first that is parked now. */
  private static Map<HeldKey, Long> firsts(List<Fate> fates) {
    Map<HeldKey, Long> firsts = new HashMap<>();
    for (Fate fate : fates) {
      HeldKey key = fate.storedEnvelope().holdable();
      if (key != null && fate instanceof Fate.Park) {
        firsts.merge(key, fate.storedEnvelope().id(), Math::min);
      }
    }
    return firsts;
  }

  private static boolean waitsForItsTopic(Fate fate) {
    return fate instanceof Fate.Park park
        && park.reason() == HoldReason.TOPIC
        && park.rest() == null;
  }
}
