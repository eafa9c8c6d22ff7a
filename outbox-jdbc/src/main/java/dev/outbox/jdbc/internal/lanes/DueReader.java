package dev.outbox.jdbc.internal.lanes;

import static java.util.Objects.requireNonNull;

import dev.outbox.jdbc.internal.message.MessageHead;
import dev.outbox.jdbc.internal.moves.BoundedRead;
import dev.outbox.jdbc.internal.moves.LaneQueries;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.sql.DueStatement;
import dev.outbox.spi.LaneStore.Cursor;
import dev.outbox.spi.settle.StoredEnvelope;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
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
  private final BoundedRead bounded;

  DueReader(Sql sql, LaneQueries queries) {
    this.sql = sql;
    this.queries = queries;
    this.bounded =
        new BoundedRead(
            queries, sql.statements().keys(DueStatement.DUE_BODIES), MessageHead.Body::parked);
  }

  /** A key within its lane, in exactly these characters. */
  private record Line(int lane, String topic, String key) {
    static @Nullable Line of(MessageHead message) {
      String key = message.message().key();
      return key == null ? null : new Line(message.lane(), message.message().topic(), key);
    }
  }

  List<StoredEnvelope> read(
      Connection connection, List<Cursor> cursors, long bytes, Set<String> heldTopics) {
    Sql.Reader<MessageHead> mapper = row -> MessageHead.parked(row, sql);
    List<Cursor> ascending = cursors.stream().sorted(Comparator.comparing(Cursor::lane)).toList();
    Map<String, Object> also =
        Map.of("inline", BoundedRead.inline(cursors, bytes), "held", heldTopics);
    List<MessageHead> heads =
        queries
            .ofLanes(
                connection, sql.statements().lanes(DueStatement.DUE_HEADS), ascending, also, mapper)
            .stream()
            .sorted(
                Comparator.comparingInt(MessageHead::lane)
                    .thenComparingLong(head -> head.message().id()))
            .toList();
    Map<Integer, Integer> room = room(cursors, heads);
    Map<Line, List<MessageHead>> followers =
        queries
            .ofKeys(
                connection,
                sql.statements().keys(DueStatement.FOLLOWERS),
                followed(heads, room),
                also,
                mapper)
            .stream()
            .collect(Collectors.groupingBy(follower -> requireNonNull(Line.of(follower))));
    List<MessageHead> due = together(heads, followers, room);
    return bounded.whole(connection, due, cursors, bytes);
  }

  /** How many messages of each lane may follow its heads. */
  private static Map<Integer, Integer> room(List<Cursor> cursors, List<MessageHead> heads) {
    Map<Integer, Integer> room = new HashMap<>();
    cursors.forEach(cursor -> room.put(cursor.lane().number(), cursor.limit()));
    heads.forEach(head -> room.merge(head.lane(), -1, Integer::sum));
    return room;
  }

  /** The keys with heads; they share the room of their lane. */
  private static List<Map<String, Object>> followed(
      List<MessageHead> heads, Map<Integer, Integer> room) {
    Map<Integer, Long> keys =
        heads.stream()
            .filter(head -> Line.of(head) != null)
            .collect(Collectors.groupingBy(MessageHead::lane, Collectors.counting()));
    List<Map<String, Object>> followed = new ArrayList<>();
    for (MessageHead head : heads) {
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

  private static List<MessageHead> together(
      List<MessageHead> heads, Map<Line, List<MessageHead>> followers, Map<Integer, Integer> room) {
    List<MessageHead> due = new ArrayList<>();
    for (MessageHead head : heads) {
      due.add(head);
      Line line = Line.of(head);
      List<MessageHead> behind = line == null ? List.of() : followers.getOrDefault(line, List.of());
      int left = Math.min(room.getOrDefault(head.lane(), 0), behind.size());
      due.addAll(behind.subList(0, left));
      room.merge(head.lane(), -left, Integer::sum);
    }
    return due;
  }
}
