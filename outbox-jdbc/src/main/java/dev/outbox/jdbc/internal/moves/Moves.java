package dev.outbox.jdbc.internal.moves;

import dev.outbox.jdbc.internal.message.Utf8;
import dev.outbox.jdbc.internal.session.Session;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.shape.ByIds;
import dev.outbox.message.MessageId;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Runs statements that move rows by their ids, and counts lane by lane.
 *
 * <p>Together: as few round trips as the shape allows; where a count cannot be distinguished by
 * lane it throws {@link Uneven}, and the caller rolls back and runs singly. Used by one thread,
 * within one transaction.
 */
public final class Moves {
  /** UTF-8 bytes of JSON in one statement; a server refuses packets beyond its limit. */
  private static final int MOST_BYTES = 1 << 20;

  private final Sql sql;
  private final Connection connection;
  private final BatchMode batchMode;

  public Moves(Sql sql, Connection connection, BatchMode batchMode) {
    this.sql = sql;
    this.connection = connection;
    this.batchMode = batchMode;
  }

  /** Few round trips, or exact counts. */
  public enum BatchMode {
    TOGETHER,
    SINGLY
  }

  /** Counts that cannot be attributed to lanes, or that the driver does not show. */
  public static final class Uneven extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Uneven() {
      super("rows were missing", null, false, false);
    }
  }

  /** Work that is done in few round trips, if it can be told then what it did. */
  @FunctionalInterface
  public interface Work<T> {
    T run(Connection connection, BatchMode batchMode) throws SQLException;
  }

  /** Runs {@code work} in a transaction: together, and singly where that was uneven. */
  public static <T> T transaction(Session session, String what, Work<T> work) {
    try {
      return session.transaction(what, connection -> work.run(connection, BatchMode.TOGETHER));
    } catch (Uneven uneven) {
      return session.transaction(what, connection -> work.run(connection, BatchMode.SINGLY));
    }
  }

  /** Moves the rows. Returns how many of each lane were there. */
  public Map<Integer, Integer> run(ByIds move, List<MoveRow> rows) {
    if (rows.isEmpty()) {
      return Map.of();
    }
    if (move instanceof ByIds.LaneArray lanes) {
      return laneArray(lanes, byLane(rows));
    }
    if (move instanceof ByIds.EachRow each) {
      return eachRow(each, rows);
    }
    return batchMode == BatchMode.TOGETHER ? allAtOnce(move, rows) : laneByLane(move, byLane(rows));
  }

  /** As {@link #run}, with one count for all lanes. */
  public int total(ByIds move, List<MoveRow> rows) {
    if (rows.isEmpty()) {
      return 0;
    }
    return move instanceof ByIds.LaneArray || move instanceof ByIds.EachRow
        ? run(move, rows).values().stream().mapToInt(Integer::intValue).sum()
        : json(move, rows);
  }

  private static SortedMap<Integer, List<MoveRow>> byLane(List<MoveRow> rows) {
    return rows.stream()
        .collect(Collectors.groupingBy(MoveRow::lane, TreeMap::new, Collectors.toList()));
  }

  private Map<Integer, Integer> laneArray(
      ByIds.LaneArray move, SortedMap<Integer, List<MoveRow>> lanes) {
    List<Map<String, Object>> entries = new ArrayList<>();
    lanes.forEach((lane, rows) -> entries.add(values(lane, rows)));
    int[] counts = counts(move.sql(), entries);
    Map<Integer, Integer> affected = new HashMap<>();
    int entry = 0;
    for (Integer lane : lanes.keySet()) {
      affected.put(lane, counts[entry++]);
    }
    return affected;
  }

  private static Map<String, Object> values(int lane, List<MoveRow> rows) {
    List<MoveRow> ascending = new ArrayList<>(rows);
    ascending.sort(MoveRow.IN_ORDER);
    long[] ids = ascending.stream().mapToLong(MoveRow::id).toArray();
    return Map.of("lane", lane, "ids", ids, "messages", messages(ascending));
  }

  /** None for rows that were read in the same transaction, which their statement does not ask. */
  private static byte[] messages(List<MoveRow> rows) {
    ByteBuffer messages = ByteBuffer.allocate(MessageId.BYTES * rows.size());
    for (MoveRow row : rows) {
      if (row.message() != null) {
        UUID id = row.message().value();
        messages.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
      }
    }
    return messages.array();
  }

  private Map<Integer, Integer> eachRow(ByIds.EachRow move, List<MoveRow> rows) {
    int[] counts = counts(move.sql(), rows.stream().map(MoveRow::values).toList());
    Map<Integer, Integer> affected = new HashMap<>();
    for (int i = 0; i < counts.length; i++) {
      affected.merge(rows.get(i).lane(), counts[i], Integer::sum);
    }
    return affected;
  }

  private Map<Integer, Integer> allAtOnce(ByIds move, List<MoveRow> rows) {
    SortedMap<Integer, List<MoveRow>> lanes = byLane(rows);
    int affected = json(move, rows);
    if (lanes.size() == 1) {
      return Map.of(lanes.firstKey(), affected);
    }
    if (affected != rows.size()) {
      throw new Uneven();
    }
    return lanes.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, lane -> lane.getValue().size()));
  }

  private Map<Integer, Integer> laneByLane(ByIds move, SortedMap<Integer, List<MoveRow>> lanes) {
    return lanes.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, lane -> json(move, lane.getValue())));
  }

  private int json(ByIds move, List<MoveRow> rows) {
    if (move instanceof ByIds.JsonIds ids) {
      return arrays(ids.sql(), "ids", rows.stream().map(row -> Long.toString(row.id())).toList());
    }
    if (move instanceof ByIds.JsonPlaces places) {
      return arrays(places.sql(), "rows", rows.stream().map(MoveRow::jsonPlace).toList());
    }
    String text = ((ByIds.JsonRows) move).sql();
    return arrays(text, "rows", rows.stream().map(MoveRow::json).toList());
  }

  /** Binds the elements as JSON arrays that a server takes; runs once for each. */
  private int arrays(String text, String name, List<String> elements) {
    int affected = 0;
    StringBuilder array = new StringBuilder("[");
    long bytes = 0;
    for (String element : elements) {
      int size = Utf8.length(element);
      if (bytes > 0 && bytes + size > MOST_BYTES) {
        affected += sql.update(connection, text, Map.of(name, array.append(']').toString()));
        array = new StringBuilder("[");
        bytes = 0;
      }
      array.append(bytes == 0 ? "" : ",").append(element);
      bytes += size + 1L;
    }
    return affected + sql.update(connection, text, Map.of(name, array.append(']').toString()));
  }

  /** Runs the entries as a batch, or one by one where the counts of a batch were not reported. */
  public int[] counts(String text, List<? extends Map<String, ?>> entries) {
    if (batchMode == BatchMode.SINGLY || entries.size() == 1) {
      return entries.stream().mapToInt(entry -> sql.update(connection, text, entry)).toArray();
    }
    int[] counts = sql.batch(connection, text, entries);
    if (Arrays.stream(counts).anyMatch(count -> count < 0)) {
      throw new Uneven();
    }
    return counts;
  }
}
