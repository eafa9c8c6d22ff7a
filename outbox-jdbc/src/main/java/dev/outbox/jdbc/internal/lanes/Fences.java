package dev.outbox.jdbc.internal.lanes;

import dev.outbox.jdbc.internal.message.JsonText;
import dev.outbox.jdbc.internal.moves.Moves;
import dev.outbox.jdbc.internal.moves.Moves.BatchMode;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.shape.FenceSql;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.Settlement;
import java.sql.Connection;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Fences the lanes of settlements, in ascending order: all in one statement, or one by one where it
 * has to be told which of them are owned.
 *
 * <p>Used by one thread.
 */
final class Fences {
  private final Sql sql;
  private final Duration lease;

  Fences(Sql sql, Duration lease) {
    this.sql = sql;
    this.lease = lease;
  }

  /** Which settlements' lanes are owned. */
  boolean[] run(Connection connection, List<Settlement> ascending, BatchMode batchMode) {
    boolean[] owned = new boolean[ascending.size()];
    if (sql.statements().fence() instanceof FenceSql.EachLane each) {
      int[] counts = new Moves(sql, connection, batchMode).counts(each.sql(), entries(ascending));
      IntStream.range(0, owned.length).forEach(i -> owned[i] = counts[i] == 1);
    } else if (sql.statements().fence() instanceof FenceSql.Query query) {
      Set<Integer> lanes = owned(connection, query, ascending);
      IntStream.range(0, owned.length)
          .forEach(i -> owned[i] = lanes.contains(number(ascending.get(i))));
    } else if (batchMode == BatchMode.TOGETHER || ascending.size() == 1) {
      int count = together(connection, ascending);
      if (count != ascending.size() && ascending.size() > 1) {
        throw new Moves.Uneven();
      }
      Arrays.fill(owned, count > 0);
    } else {
      IntStream.range(0, owned.length)
          .forEach(i -> owned[i] = together(connection, ascending.subList(i, i + 1)) == 1);
    }
    return owned;
  }

  private Set<Integer> owned(
      Connection connection, FenceSql.Query query, List<Settlement> ascending) {
    return Set.copyOf(sql.query(connection, query.sql(), arrays(ascending), row -> row.getInt(1)));
  }

  private int together(Connection connection, List<Settlement> ascending) {
    if (sql.statements().fence() instanceof FenceSql.JsonLanes json) {
      Map<String, Object> values = common(ascending);
      values.put("lanes", JsonText.array(ascending.stream().map(Fences::lane).toList()));
      return sql.update(connection, json.sql(), values);
    }
    FenceSql.Arrays fence = (FenceSql.Arrays) sql.statements().fence();
    return sql.update(connection, fence.sql(), arrays(ascending));
  }

  /** Every settlement of one session has one owner. */
  private Map<String, Object> common(List<Settlement> ascending) {
    Map<String, Object> values = new HashMap<>();
    values.put("owner", ascending.get(0).lease().owner());
    values.put("lease", lease);
    return values;
  }

  private Map<String, Object> arrays(List<Settlement> ascending) {
    Map<String, Object> values = common(ascending);
    values.put("lanes", numbers(ascending, Fences::number));
    values.put("epochs", longs(ascending, settled -> settled.lease().epoch()));
    values.put("floors", longs(ascending, Settlement::floor));
    values.put("keeps", numbers(ascending, Fences::keep));
    values.put("frees", numbers(ascending, Fences::free));
    values.put("dues", numbers(ascending, Fences::due));
    return values;
  }

  private static Integer[] numbers(
      List<Settlement> settlements, Function<Settlement, Integer> number) {
    return settlements.stream().map(number).toArray(Integer[]::new);
  }

  private static Long[] longs(List<Settlement> settlements, Function<Settlement, Long> number) {
    return settlements.stream().map(number).toArray(Long[]::new);
  }

  private List<Map<String, Object>> entries(List<Settlement> settlements) {
    return settlements.stream()
        .<Map<String, Object>>map(
            settlement -> {
              Map<String, Object> values = new HashMap<>(lane(settlement));
              values.put("owner", settlement.lease().owner());
              values.put("lease", lease);
              return values;
            })
        .toList();
  }

  private static Map<String, Object> lane(Settlement settlement) {
    Lease held = settlement.lease();
    return Map.of(
        "lane", number(settlement),
        "epoch", held.epoch(),
        "floor", settlement.floor(),
        "keep", keep(settlement),
        "free", free(settlement));
  }

  /** A renewal says nothing of what was in flight when owners died. */
  private static int keep(Settlement settlement) {
    return settlement.fates().isEmpty() ? 1 : 0;
  }

  private static int number(Settlement settlement) {
    return settlement.lease().lane().number();
  }

  static int due(Settlement settlement) {
    return settlement.after() == Settlement.After.RUN_ON ? 0 : 1;
  }

  private static int free(Settlement settlement) {
    return settlement.after() == Settlement.After.RELEASE ? 1 : 0;
  }
}
