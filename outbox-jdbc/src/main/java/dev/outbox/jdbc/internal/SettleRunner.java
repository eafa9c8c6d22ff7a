package dev.outbox.jdbc.internal;

import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.internal.Moves.Tempo;
import dev.outbox.message.Key;
import dev.outbox.message.Lane;
import dev.outbox.store.Fate;
import dev.outbox.store.HeldKey;
import dev.outbox.store.Lease;
import dev.outbox.store.Outcome;
import dev.outbox.store.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/**
 * Writes the ends of claims in one transaction: fences the lanes, then moves what belongs to those
 * that are still owned.
 *
 * <p>Used by one thread.
 */
final class SettleRunner {
  private final Sql sql;
  private final LaneQueries queries;
  private final boolean archive;
  private final Duration lease;

  SettleRunner(Sql sql, LaneQueries queries, boolean archive, Duration lease) {
    this.sql = sql;
    this.queries = queries;
    this.archive = archive;
    this.lease = lease;
  }

  Map<Lane, Outcome> run(Handle handle, List<Settlement> settlements, Tempo tempo) {
    Moves moves = new Moves(sql, handle, tempo);
    List<Settlement> ascending =
        settlements.stream()
            .sorted(Comparator.comparing(settlement -> settlement.lease().lane()))
            .toList();
    Map<Lane, Outcome> outcomes = new TreeMap<>();
    List<Fate> fates = new ArrayList<>();
    int[] owned = moves.counts(sql.dialect().fence(), ascending.stream().map(this::fence).toList());
    for (int i = 0; i < owned.length; i++) {
      if (owned[i] == 0) {
        outcomes.put(ascending.get(i).lease().lane(), new Outcome.Fenced());
      } else {
        fates.addAll(ascending.get(i).fates());
      }
    }
    Map<Integer, Integer> missing = move(moves, Sorted.of(fates));
    Map<Lane, Set<HeldKey>> freed = wakeHeads(handle, moves, fates);
    for (Settlement settlement : ascending) {
      Lane lane = settlement.lease().lane();
      outcomes.putIfAbsent(
          lane,
          new Outcome.Settled(
              freed.getOrDefault(lane, Set.of()), missing.getOrDefault(lane.number(), 0)));
    }
    return outcomes;
  }

  private Map<String, Object> fence(Settlement settlement) {
    Lease held = settlement.lease();
    return Map.of(
        "lane", held.lane().number(),
        "owner", held.owner(),
        "epoch", held.epoch(),
        "floor", settlement.floor(),
        "lease", lease,
        "keep", settlement.fates().isEmpty() ? 1 : 0,
        "release", settlement.after() == Settlement.After.RELEASE ? 1 : 0);
  }

  /** Rows by where they stand and where they go. */
  private record Sorted(
      List<MoveRow> deliverReady,
      List<MoveRow> deliverParked,
      List<MoveRow> parkReady,
      List<MoveRow> parkAgain,
      List<MoveRow> buryReady,
      List<MoveRow> buryParked) {

    static Sorted of(List<Fate> fates) {
      Sorted sorted =
          new Sorted(
              new ArrayList<>(),
              new ArrayList<>(),
              new ArrayList<>(),
              new ArrayList<>(),
              new ArrayList<>(),
              new ArrayList<>());
      fates.forEach(fate -> sorted.target(fate).add(MoveRow.of(fate)));
      return sorted;
    }

    private List<MoveRow> target(Fate fate) {
      boolean parked = fate.stored().isParked();
      if (fate instanceof Fate.Park) {
        return parked ? parkAgain : parkReady;
      }
      if (fate instanceof Fate.Bury) {
        return parked ? buryParked : buryReady;
      }
      return parked ? deliverParked : deliverReady;
    }
  }

  private Map<Integer, Integer> move(Moves moves, Sorted rows) {
    Dialect dialect = sql.dialect();
    if (archive) {
      moves.total(dialect.archiveReady(), rows.deliverReady());
      moves.total(dialect.archiveParked(), rows.deliverParked());
    }
    moves.total(dialect.parkReady(), rows.parkReady());
    moves.total(dialect.buryReady(), rows.buryReady());
    moves.total(dialect.buryParked(), rows.buryParked());
    Map<Integer, Integer> missing = new HashMap<>();
    List<MoveRow> gone = joined(rows.deliverReady(), rows.parkReady(), rows.buryReady());
    List<MoveRow> left = joined(rows.deliverParked(), rows.buryParked());
    count(missing, gone, moves.run(dialect.deleteReady(), gone));
    count(missing, left, moves.run(dialect.deleteParked(), left));
    count(missing, rows.parkAgain(), moves.run(dialect.reschedule(), rows.parkAgain()));
    return missing;
  }

  @SafeVarargs
  private static List<MoveRow> joined(List<MoveRow>... parts) {
    List<MoveRow> rows = new ArrayList<>();
    for (List<MoveRow> part : parts) {
      rows.addAll(part);
    }
    rows.sort(Comparator.comparingInt(MoveRow::lane).thenComparingLong(MoveRow::id));
    return rows;
  }

  private static void count(
      Map<Integer, Integer> missing, List<MoveRow> rows, Map<Integer, Integer> affected) {
    rows.forEach(row -> missing.merge(row.lane(), 1, Integer::sum));
    affected.forEach((lane, number) -> missing.merge(lane, -number, Integer::sum));
  }

  /**
   * Makes the new head of every key that lost or gained parked messages due. Returns the keys that
   * lost their last.
   */
  private Map<Lane, Set<HeldKey>> wakeHeads(Handle handle, Moves moves, List<Fate> fates) {
    Set<HeldKey> left = new HashSet<>();
    Set<HeldKey> touched = new HashSet<>();
    for (Fate fate : fates) {
      HeldKey key = fate.stored().holdable();
      if (key != null && leaves(fate)) {
        left.add(key);
        touched.add(key);
      } else if (key != null && follows(fate)) {
        touched.add(key);
      }
    }
    Map<HeldKey, Long> heads = heads(handle, touched);
    moves.total(
        sql.dialect().wakeHeads(),
        heads.entrySet().stream()
            .map(head -> MoveRow.at(head.getKey().lane().number(), head.getValue()))
            .toList());
    left.removeAll(heads.keySet());
    return left.stream().collect(Collectors.groupingBy(HeldKey::lane, Collectors.toSet()));
  }

  private static boolean leaves(Fate fate) {
    return fate.stored().isParked() && !(fate instanceof Fate.Park);
  }

  private static boolean follows(Fate fate) {
    return fate instanceof Fate.Park park && park.rest() == null;
  }

  private Map<HeldKey, Long> heads(Handle handle, Set<HeldKey> keys) {
    Map<HeldKey, Long> heads = new HashMap<>();
    List<LaneQueries.KeyAfter> asked =
        keys.stream().map(key -> new LaneQueries.KeyAfter(key, 0)).toList();
    queries
        .ofKeys(
            handle,
            sql.dialect().heads(),
            asked,
            1,
            (row, context) ->
                Map.entry(
                    new HeldKey(
                        new Lane(row.getInt("lane")),
                        row.getString("topic"),
                        new Key(row.getString("msg_key"))),
                    row.getLong("id")))
        .forEach(head -> heads.put(head.getKey(), head.getValue()));
    return heads;
  }
}
