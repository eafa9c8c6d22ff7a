package dev.outbox.jdbc.internal.moves;

import dev.outbox.jdbc.internal.message.MessageHead;
import dev.outbox.spi.LaneStore.Cursor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;

/**
 * As many of the first messages of each lane as fit into a number of bytes, and at least one: the
 * lanes take turns, in ascending order.
 *
 * <p>Used by one thread.
 */
public final class ByteBudget {
  /** What one read may take inline, whatever it was asked. */
  private static final long LEAST_INLINE = 1024;

  private final Queue<Line> lines = new ArrayDeque<>();
  private final long inline;
  private long left;
  private boolean empty = true;

  private ByteBudget(long bytes, long inline) {
    this.left = bytes;
    this.inline = inline;
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

  /** The weight up to which a message comes with the first statement. */
  public static long inline(List<Cursor> cursors, long bytes) {
    long most = 0;
    for (Cursor cursor : cursors) {
      most += cursor.limit();
    }
    return Math.max(LEAST_INLINE, bytes / Math.max(1, most));
  }

  /** What is taken of {@code seen}, lane by lane. */
  public static List<List<MessageHead>> of(
      List<MessageHead> seen, List<Cursor> cursors, long bytes) {
    Map<Integer, Line> lanes = new TreeMap<>();
    seen.forEach(each -> lanes.computeIfAbsent(each.lane(), lane -> new Line()).messages.add(each));
    long inline = inline(cursors, bytes);
    ByteBudget byteBudget = new ByteBudget(bytes, inline);
    byteBudget.lines.addAll(lanes.values());
    byteBudget.fill();
    List<List<MessageHead>> taken = new ArrayList<>();
    lanes.values().forEach(line -> taken.add(line.messages.subList(0, line.taken)));
    return taken;
  }

  private void fill() {
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
