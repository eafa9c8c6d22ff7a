package dev.outbox.jdbc.internal;

import dev.outbox.jdbc.internal.LaneQueries.KeyAfter;
import dev.outbox.message.Lane;
import dev.outbox.store.HeldKey;
import dev.outbox.store.LaneStore.Cursor;
import dev.outbox.store.Stored;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;

/**
 * Reads parked messages that are due: heads, then what follows them in their keys.
 *
 * <p>Used by one thread.
 */
final class DueReader {
  private final Sql sql;
  private final LaneQueries queries;

  DueReader(Sql sql, LaneQueries queries) {
    this.sql = sql;
    this.queries = queries;
  }

  List<Stored> read(Handle handle, List<Lane> lanes, int perLane) {
    RowMapper<Stored> mapper = (row, context) -> ParkedRow.read(row, sql.dialect()).stored();
    List<Cursor> cursors =
        lanes.stream().sorted().map(lane -> new Cursor(lane, 0, perLane)).toList();
    List<Stored> heads =
        queries.ofLanes(handle, sql.dialect().dueHeads(), cursors, mapper).stream()
            .sorted(Comparator.comparing(Stored::lane).thenComparingLong(Stored::id))
            .toList();
    List<KeyAfter> keys = keysWithRoom(heads, perLane);
    Map<HeldKey, List<Stored>> followers = new HashMap<>();
    for (Stored follower :
        queries.ofKeys(handle, sql.dialect().followers(), keys, perLane, mapper)) {
      followers
          .computeIfAbsent(Objects.requireNonNull(follower.holdable()), key -> new ArrayList<>())
          .add(follower);
    }
    return together(heads, followers, perLane);
  }

  private static List<KeyAfter> keysWithRoom(List<Stored> heads, int perLane) {
    Map<Lane, Integer> taken = new HashMap<>();
    heads.forEach(head -> taken.merge(head.lane(), 1, Integer::sum));
    List<KeyAfter> keys = new ArrayList<>();
    for (Stored head : heads) {
      HeldKey key = head.holdable();
      if (key != null && taken.getOrDefault(head.lane(), 0) < perLane) {
        keys.add(new KeyAfter(key, head.id()));
      }
    }
    return keys;
  }

  private static List<Stored> together(
      List<Stored> heads, Map<HeldKey, List<Stored>> followers, int perLane) {
    Map<Lane, Integer> room = new HashMap<>();
    heads.forEach(head -> room.merge(head.lane(), perLane - 1, (left, full) -> left - 1));
    List<Stored> due = new ArrayList<>();
    for (Stored head : heads) {
      due.add(head);
      HeldKey key = head.holdable();
      List<Stored> behind = key == null ? List.of() : followers.getOrDefault(key, List.of());
      int left = Math.min(room.getOrDefault(head.lane(), 0), behind.size());
      due.addAll(behind.subList(0, left));
      room.merge(head.lane(), left, (before, used) -> before - used);
    }
    return due;
  }
}
