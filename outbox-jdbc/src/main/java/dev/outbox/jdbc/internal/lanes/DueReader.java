package dev.outbox.jdbc.internal.lanes;

import static java.util.Objects.requireNonNull;

import dev.outbox.jdbc.internal.message.Body;
import dev.outbox.jdbc.internal.message.Glimpse;
import dev.outbox.jdbc.internal.moves.Bodies;
import dev.outbox.jdbc.internal.moves.Held;
import dev.outbox.jdbc.internal.moves.LaneQueries;
import dev.outbox.jdbc.internal.moves.Portion;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.sql.DueStatement;
import dev.outbox.store.LaneStore.Cursor;
import dev.outbox.store.Stored;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jspecify.annotations.Nullable;

/**
 * Reads parked messages that are due: heads, then what follows them in their keys; bounded as
 * {@link ReadyReader}.
 *
 * <p>Used by one thread.
 */
final class DueReader {
  private final Sql sql;
  private final LaneQueries queries;
  private final Bodies bodies;

  DueReader(Sql sql, LaneQueries queries) {
    this.sql = sql;
    this.queries = queries;
    this.bodies = new Bodies(queries, sql.statements().keys(DueStatement.DUE_BODIES), Body::parked);
  }

  /** A key within its lane, in exactly these characters. */
  private record Line(int lane, String topic, String key) {
    static @Nullable Line of(Glimpse message) {
      String key = message.message().key();
      return key == null ? null : new Line(message.lane(), message.message().topic(), key);
    }
  }

  List<Stored> read(Handle handle, List<Cursor> cursors, long bytes, Set<String> heldTopics) {
    long inline = Portion.inline(cursors, bytes);
    RowMapper<Glimpse> mapper = (row, context) -> Glimpse.parked(row, sql);
    List<Cursor> ascending = cursors.stream().sorted(Comparator.comparing(Cursor::lane)).toList();
    Map<String, Object> also = Map.of("inline", inline, "held", Held.text(heldTopics));
    List<Glimpse> heads =
        queries
            .ofLanes(
                handle, sql.statements().lanes(DueStatement.DUE_HEADS), ascending, also, mapper)
            .stream()
            .sorted(
                Comparator.comparingInt(Glimpse::lane)
                    .thenComparingLong(head -> head.message().id()))
            .toList();
    Map<Integer, Integer> room = room(cursors, heads);
    Map<Line, List<Glimpse>> followers =
        queries
            .ofKeys(
                handle,
                sql.statements().keys(DueStatement.FOLLOWERS),
                followed(heads, room),
                also,
                mapper)
            .stream()
            .collect(Collectors.groupingBy(follower -> requireNonNull(Line.of(follower))));
    List<Glimpse> due = together(heads, followers, room);
    return bodies.complete(handle, Portion.of(due, cursors, bytes), inline);
  }

  /** How many messages of each lane may follow its heads. */
  private static Map<Integer, Integer> room(List<Cursor> cursors, List<Glimpse> heads) {
    Map<Integer, Integer> room = new HashMap<>();
    cursors.forEach(cursor -> room.put(cursor.lane().number(), cursor.limit()));
    heads.forEach(head -> room.merge(head.lane(), -1, Integer::sum));
    return room;
  }

  /** The keys with heads; they share the room of their lane. */
  private static List<Map<String, Object>> followed(
      List<Glimpse> heads, Map<Integer, Integer> room) {
    Map<Integer, Long> keys =
        heads.stream()
            .filter(head -> Line.of(head) != null)
            .collect(Collectors.groupingBy(Glimpse::lane, Collectors.counting()));
    List<Map<String, Object>> followed = new ArrayList<>();
    for (Glimpse head : heads) {
      Line line = Line.of(head);
      int left = room.getOrDefault(head.lane(), 0);
      if (line != null && left > 0) {
        long sharing = keys.getOrDefault(head.lane(), 1L);
        followed.add(
            Map.of(
                "lane", line.lane(),
                "topic", line.topic(),
                "msg_key", line.key(),
                "id", head.message().id(),
                "limit", (left + sharing - 1) / sharing));
      }
    }
    return followed;
  }

  private static List<Glimpse> together(
      List<Glimpse> heads, Map<Line, List<Glimpse>> followers, Map<Integer, Integer> room) {
    List<Glimpse> due = new ArrayList<>();
    for (Glimpse head : heads) {
      due.add(head);
      Line line = Line.of(head);
      List<Glimpse> behind = line == null ? List.of() : followers.getOrDefault(line, List.of());
      int left = Math.min(room.getOrDefault(head.lane(), 0), behind.size());
      due.addAll(behind.subList(0, left));
      room.merge(head.lane(), -left, Integer::sum);
    }
    return due;
  }
}
