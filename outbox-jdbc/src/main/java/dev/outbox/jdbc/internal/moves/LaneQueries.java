package dev.outbox.jdbc.internal.moves;

import dev.outbox.jdbc.internal.message.JsonText;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.shape.KeyQuery;
import dev.outbox.jdbc.shape.LaneQuery;
import dev.outbox.spi.LaneStore.Cursor;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Asks for rows of many lanes, of many keys or of many messages.
 *
 * <p>Safe for use by many threads.
 */
public final class LaneQueries {
  /** A lane that no row is of, for arms without their own lane. */
  static final int NO_LANE = -2;

  /**
   * Few texts, so that few are kept; with more arms parsing costs more than a second round trip.
   */
  private static final int[] ARMS = {0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};

  private static final int MOST_ARMS = ARMS[ARMS.length - 1];
  private static final int MOST_TOGETHER = 500;
  private static final String OF_AN_ARM = ":(lane|after|limit|id|message_id|n|topic|msg_key)\\b";

  private record Arms(String arm, String last, int number) {}

  private final Sql sql;
  private final Map<Arms, String> unions = new ConcurrentHashMap<>();

  public LaneQueries(Sql sql) {
    this.sql = sql;
  }

  /** Rows of the cursors' lanes; {@code also} are the values that are the same for all. */
  public <T> List<T> ofLanes(
      Connection connection,
      LaneQuery query,
      List<Cursor> cursors,
      Map<String, ?> also,
      Sql.Reader<T> mapper) {
    if (query instanceof LaneQuery.Arrays arrays) {
      return sql.query(connection, arrays.sql(), arrays(cursors, also), mapper);
    }
    LaneQuery.UnionAll union = (LaneQuery.UnionAll) query;
    List<Map<String, Object>> entries = cursors.stream().map(LaneQueries::values).toList();
    return ofArms(connection, union.arm(), union.last(), entries, also, mapper);
  }

  /** Rows of what {@code entries} name; {@code also} are the values that are the same for all. */
  public <T> List<T> ofKeys(
      Connection connection,
      KeyQuery query,
      List<Map<String, Object>> entries,
      Map<String, ?> also,
      Sql.Reader<T> mapper) {
    if (query instanceof KeyQuery.UnionAll union) {
      return ofArms(connection, union.arm(), "", entries, also, mapper);
    }
    String text = ((KeyQuery.Together) query).sql();
    List<T> rows = new ArrayList<>();
    for (List<Map<String, Object>> part : parts(entries, MOST_TOGETHER)) {
      Map<String, Object> values = joined(Map.of("keys", JsonText.array(part)), also);
      rows.addAll(sql.query(connection, text, values, mapper));
    }
    return rows;
  }

  private <T> List<T> ofArms(
      Connection connection,
      String arm,
      String last,
      List<Map<String, Object>> entries,
      Map<String, ?> also,
      Sql.Reader<T> mapper) {
    List<T> rows = new ArrayList<>();
    String behind = last;
    for (List<Map<String, Object>> part : parts(entries, MOST_ARMS)) {
      int number = enough(part.size());
      String text = union(new Arms(arm, behind, number));
      rows.addAll(sql.query(connection, text, joined(arms(part, number), also), mapper));
      behind = "";
    }
    if (entries.isEmpty() && !last.isEmpty()) {
      rows.addAll(sql.query(connection, last, also, mapper));
    }
    return rows;
  }

  private static <T> List<List<T>> parts(List<T> all, int most) {
    return IntStream.iterate(0, from -> from < all.size(), from -> from + most)
        .mapToObj(from -> all.subList(from, Math.min(all.size(), from + most)))
        .toList();
  }

  private static int enough(int entries) {
    return IntStream.of(ARMS).filter(arms -> arms >= entries).findFirst().orElseThrow();
  }

  private String union(Arms wanted) {
    return unions.computeIfAbsent(
        wanted,
        arms ->
            sql.render(
                IntStream.range(0, arms.number())
                    .mapToObj(i -> arms.arm().replaceAll(OF_AN_ARM, ":$1" + i))
                    .collect(Collectors.joining("UNION ALL\n"))
                    .concat(arms.last().isEmpty() ? "" : "UNION ALL\n" + arms.last())));
  }

  /** The values of {@code number} arms; those that are left over are of no lane. */
  private static Map<String, Object> arms(List<Map<String, Object>> entries, int number) {
    Map<String, Object> values = new HashMap<>();
    for (int i = 0; i < number; i++) {
      int arm = i;
      entries.get(Math.min(i, entries.size() - 1)).forEach((name, v) -> values.put(name + arm, v));
      if (i >= entries.size()) {
        values.put("lane" + i, NO_LANE);
        values.replace("n" + i, NO_LANE);
        values.computeIfPresent("id" + i, (name, id) -> 0L);
      }
    }
    return values;
  }

  private static Map<String, Object> values(Cursor cursor) {
    return Map.of("lane", cursor.lane().number(), "after", cursor.after(), "limit", cursor.limit());
  }

  private static Map<String, Object> arrays(List<Cursor> cursors, Map<String, ?> also) {
    int[] lanes = new int[cursors.size()];
    long[] afters = new long[lanes.length];
    int[] limits = new int[lanes.length];
    for (int i = 0; i < lanes.length; i++) {
      lanes[i] = cursors.get(i).lane().number();
      afters[i] = cursors.get(i).after();
      limits[i] = cursors.get(i).limit();
    }
    Map<String, Object> values = new HashMap<>(also);
    values.put("lanes", lanes);
    values.put("afters", afters);
    values.put("limits", limits);
    return values;
  }

  private static Map<String, Object> joined(Map<String, Object> some, Map<String, ?> others) {
    Map<String, Object> all = new HashMap<>(some);
    all.putAll(others);
    return all;
  }
}
