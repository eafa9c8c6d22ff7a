package dev.outbox.jdbc.internal.moves;

import dev.outbox.jdbc.internal.message.MessageHead;
import dev.outbox.jdbc.internal.message.RowId;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.shape.KeyQuery;
import dev.outbox.spi.LaneStore.Cursor;
import dev.outbox.spi.settle.StoredEnvelope;
import java.sql.Connection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a read of lanes takes of the messages that its first statement has seen: as many of the
 * first of each lane as fit into a number of bytes, and at least one. Light ones came whole; the
 * bodies of the others are fetched, by their message ids too: a row may be another message by now.
 *
 * <p>Used by one thread.
 */
public final class BoundedRead {
  /** What one read may take inline, whatever it was asked. */
  private static final long LEAST_INLINE = 1024;

  /** How much is fetched at a time. */
  private static final long MOST_BYTES = 4L << 20;

  private final LaneQueries queries;
  private final KeyQuery query;
  private final Sql.Reader<MessageHead.Body> columns;

  /** Fetches bodies by {@code query}, whose {@code columns} are read so. */
  public BoundedRead(LaneQueries queries, KeyQuery query, Sql.Reader<MessageHead.Body> columns) {
    this.queries = queries;
    this.query = query;
    this.columns = columns;
  }

  /** The weight up to which a message comes with the first statement. */
  public static long inline(List<Cursor> cursors, long bytes) {
    long most = 0;
    for (Cursor cursor : cursors) {
      most += cursor.limit();
    }
    return Math.max(LEAST_INLINE, bytes / Math.max(1, most));
  }

  /** What fits of {@code seen}, whole; a lane ends before a message that has gone meanwhile. */
  public List<StoredEnvelope> whole(
      Connection connection, List<MessageHead> seen, List<Cursor> cursors, long bytes) {
    long inline = inline(cursors, bytes);
    List<List<MessageHead>> lanes = new Budget(bytes, inline).fitting(seen);
    Map<RowId, MessageHead.Body> bodies = fetched(connection, lanes, inline);
    List<StoredEnvelope> whole = new ArrayList<>();
    for (List<MessageHead> lane : lanes) {
      for (MessageHead message : lane) {
        MessageHead complete = complete(message, bodies, inline);
        if (complete == null) {
          break;
        }
        whole.add(complete.storedEnvelope());
      }
    }
    return whole;
  }

  private static @Nullable MessageHead complete(
      MessageHead message, Map<RowId, MessageHead.Body> bodies, long inline) {
    if (message.weight() <= inline) {
      return message;
    }
    MessageHead.Body body = bodies.remove(RowId.of(message));
    return body == null ? null : message.with(body);
  }

  private Map<RowId, MessageHead.Body> fetched(
      Connection connection, List<List<MessageHead>> lanes, long inline) {
    Map<RowId, MessageHead.Body> bodies = new HashMap<>();
    List<Map<String, Object>> part = new ArrayList<>();
    long bytes = 0;
    for (List<MessageHead> lane : lanes) {
      for (MessageHead message : lane) {
        if (message.weight() > inline) {
          if (bytes > 0 && bytes + message.weight() > MOST_BYTES) {
            fetch(connection, part, bodies);
            part.clear();
            bytes = 0;
          }
          part.add(RowId.of(message).values(message.message().messageId()));
          bytes += message.weight();
        }
      }
    }
    if (!part.isEmpty()) {
      fetch(connection, part, bodies);
    }
    return bodies;
  }

  private void fetch(
      Connection connection, List<Map<String, Object>> part, Map<RowId, MessageHead.Body> bodies) {
    queries
        .ofKeys(
            connection, query, part, Map.of(), row -> Map.entry(RowId.of(row), columns.read(row)))
        .forEach(body -> bodies.put(body.getKey(), body.getValue()));
  }

  /** The bytes that are left: the lanes take turns, in ascending order. */
  private static final class Budget {
    private final long inline;
    private long left;
    private boolean empty = true;

    Budget(long bytes, long inline) {
      this.left = bytes;
      this.inline = inline;
    }

    /** What is taken of {@code seen}, lane by lane. */
    List<List<MessageHead>> fitting(List<MessageHead> seen) {
      Map<Integer, Line> lanes = new TreeMap<>();
      seen.forEach(
          each -> lanes.computeIfAbsent(each.lane(), lane -> new Line()).messages.add(each));
      take(new ArrayDeque<>(lanes.values()));
      List<List<MessageHead>> taken = new ArrayList<>();
      lanes.values().forEach(line -> taken.add(line.messages.subList(0, line.taken)));
      return taken;
    }

    private void take(Queue<Line> lines) {
      while (!lines.isEmpty()) {
        Line line = lines.remove();
        if (line.hasNext() && fits(line.next())) {
          left -= line.next().cost(inline);
          line.taken++;
          empty = false;
          lines.add(line);
        }
      }
    }

    private boolean fits(MessageHead message) {
      return empty || message.cost(inline) <= left;
    }
  }

  /** The messages of a lane; those before {@code taken} are in. */
  private static final class Line {
    private final List<MessageHead> messages = new ArrayList<>();
    private int taken;

    boolean hasNext() {
      return taken < messages.size();
    }

    MessageHead next() {
      return messages.get(taken);
    }
  }
}
