package dev.outbox.jdbc.internal;

import dev.outbox.jdbc.dialect.KeyQuery;
import dev.outbox.jdbc.dialect.LaneQuery;
import dev.outbox.store.HeldKey;
import dev.outbox.store.LaneStore.Cursor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;

/**
 * Asks for rows of many lanes or of many keys.
 *
 * <p>Safe for use by many threads.
 */
final class LaneQueries {
  /** With more, parsing the statement costs more than a second round trip. */
  private static final int MOST_ARMS = 64;

  private record Arms(String arm, int number) {}

  /** A key with the id to look behind. */
  record KeyAfter(HeldKey key, long id) {
    Map<String, Object> values(int limit) {
      return Map.of(
          "lane", key.lane().number(),
          "topic", key.topic(),
          "msg_key", key.key().value(),
          "id", id,
          "limit", limit);
    }

    void json(StringBuilder json) {
      json.append("{\"lane\":").append(key.lane().number());
      json.append(",\"id\":").append(id);
      json.append(",\"topic\":");
      JsonText.string(json, key.topic());
      json.append(",\"msg_key\":");
      JsonText.string(json, key.key().value());
      json.append('}');
    }
  }

  private final Sql sql;
  private final Map<Arms, String> unions = new ConcurrentHashMap<>();

  LaneQueries(Sql sql) {
    this.sql = sql;
  }

  <T> List<T> ofLanes(Handle handle, LaneQuery query, List<Cursor> cursors, RowMapper<T> mapper) {
    if (cursors.isEmpty()) {
      return List.of();
    }
    if (query instanceof LaneQuery.Arrays arrays) {
      return sql.query(handle, arrays.sql(), arrays(cursors), mapper);
    }
    String arm = ((LaneQuery.UnionAll) query).arm();
    List<T> rows = new ArrayList<>();
    for (int from = 0; from < cursors.size(); from += MOST_ARMS) {
      List<Cursor> part = cursors.subList(from, Math.min(cursors.size(), from + MOST_ARMS));
      rows.addAll(sql.query(handle, union(arm, part.size()), arms(part), mapper));
    }
    return rows;
  }

  <T> List<T> ofKeys(
      Handle handle, KeyQuery query, List<KeyAfter> keys, int limit, RowMapper<T> mapper) {
    if (keys.isEmpty()) {
      return List.of();
    }
    if (query instanceof KeyQuery.Together together) {
      Map<String, Object> values = Map.of("keys", json(keys), "limit", limit);
      return sql.query(handle, together.sql(), values, mapper);
    }
    String text = ((KeyQuery.Each) query).sql();
    List<T> rows = new ArrayList<>();
    for (KeyAfter key : keys) {
      rows.addAll(sql.query(handle, text, key.values(limit), mapper));
    }
    return rows;
  }

  private static Map<String, Object> arrays(List<Cursor> cursors) {
    return Map.of(
        "lanes", cursors.stream().mapToInt(cursor -> cursor.lane().number()).toArray(),
        "afters", cursors.stream().mapToLong(Cursor::after).toArray(),
        "limits", cursors.stream().mapToInt(Cursor::limit).toArray());
  }

  private String union(String arm, int number) {
    return unions.computeIfAbsent(
        new Arms(arm, number),
        arms ->
            IntStream.range(0, arms.number())
                .mapToObj(i -> arms.arm().replaceAll(":(lane|after|limit)\\b", ":$1" + i))
                .collect(Collectors.joining("UNION ALL\n")));
  }

  private static Map<String, Object> arms(List<Cursor> cursors) {
    Map<String, Object> values = new HashMap<>();
    for (int i = 0; i < cursors.size(); i++) {
      values.put("lane" + i, cursors.get(i).lane().number());
      values.put("after" + i, cursors.get(i).after());
      values.put("limit" + i, cursors.get(i).limit());
    }
    return values;
  }

  private static String json(List<KeyAfter> keys) {
    StringBuilder json = new StringBuilder("[");
    for (KeyAfter key : keys) {
      json.append(json.length() == 1 ? "" : ",");
      key.json(json);
    }
    return json.append(']').toString();
  }
}
