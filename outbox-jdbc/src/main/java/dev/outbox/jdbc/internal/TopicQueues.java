package dev.outbox.jdbc.internal;

import dev.outbox.store.Fate;
import dev.outbox.store.HeldKey;
import dev.outbox.store.HoldReason;
import dev.outbox.store.Stored;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/**
 * Which messages held with their topic stand behind another of their key: they are written as
 * followers, so that a release finds the first of each key, and those without one, by an index.
 *
 * <p>Used by one thread.
 */
final class TopicQueues {
  private final Sql sql;
  private final LaneQueries queries;

  TopicQueues(Sql sql, LaneQueries queries) {
    this.sql = sql;
    this.queries = queries;
  }

  /** The places of those that stand behind another, in {@code fates} or in the tables. */
  Set<Place> behind(Handle handle, List<Fate> fates) {
    Map<HeldKey, Stored> firsts = new HashMap<>();
    Set<Place> behind = new HashSet<>();
    for (Fate fate : fates) {
      HeldKey key = fate.stored().holdable();
      if (key != null && waitsForItsTopic(fate)) {
        behind.add(Place.of(fate.stored()));
        firsts.merge(key, fate.stored(), (one, other) -> one.id() < other.id() ? one : other);
      }
    }
    List<Map<String, Object>> asked = new ArrayList<>();
    for (Stored first : firsts.values()) {
      behind.remove(Place.of(first));
      if (!first.isParked()) {
        asked.add(Place.of(first).values());
      }
    }
    behind.addAll(
        queries.ofKeys(
            handle, sql.dialect().behind(), asked, Map.of(), (row, context) -> Place.of(row)));
    return behind;
  }

  private static boolean waitsForItsTopic(Fate fate) {
    return fate instanceof Fate.Park park
        && park.reason() == HoldReason.TOPIC
        && park.rest() == null;
  }
}
