package dev.outbox.jdbc.internal;

import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.internal.Moves.Tempo;
import dev.outbox.message.Lane;
import dev.outbox.store.Fate;
import dev.outbox.store.HeldKey;
import dev.outbox.store.HoldReason;
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
  private final Fences fences;
  private final TopicQueues topicQueues;
  private final Heads heads;
  private final boolean archive;

  SettleRunner(Sql sql, LaneQueries queries, boolean archive, Duration lease) {
    this.sql = sql;
    this.fences = new Fences(sql, lease);
    this.topicQueues = new TopicQueues(sql, queries);
    this.heads = new Heads(sql, queries);
    this.archive = archive;
  }

  Map<Lane, Outcome> run(Handle handle, List<Settlement> settlements, Tempo tempo) {
    Moves moves = new Moves(sql, handle, tempo);
    List<Settlement> ascending =
        settlements.stream()
            .sorted(Comparator.comparing(settlement -> settlement.lease().lane()))
            .toList();
    Map<Lane, Outcome> outcomes = new TreeMap<>();
    List<Fate> fates = new ArrayList<>();
    boolean[] owned = fences.run(handle, ascending, tempo);
    for (int i = 0; i < owned.length; i++) {
      if (owned[i]) {
        fates.addAll(ascending.get(i).fates());
      } else {
        outcomes.put(ascending.get(i).lease().lane(), new Outcome.Fenced());
      }
    }
    Map<Integer, Integer> missing = move(handle, moves, fates);
    Map<Lane, Set<HeldKey>> freed = wakeHeads(handle, fates, tempo);
    for (Settlement settlement : ascending) {
      Lane lane = settlement.lease().lane();
      outcomes.putIfAbsent(
          lane,
          new Outcome.Settled(
              freed.getOrDefault(lane, Set.of()), missing.getOrDefault(lane.number(), 0)));
    }
    return outcomes;
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

    /** Those behind another of their key wait for it, not for their topic. */
    void queue(Set<Place> behind) {
      parkReady.replaceAll(row -> behind.contains(row.place()) ? row.following() : row);
      parkAgain.replaceAll(row -> behind.contains(row.place()) ? row.following() : row);
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

  private Map<Integer, Integer> move(Handle handle, Moves moves, List<Fate> fates) {
    Dialect dialect = sql.dialect();
    Sorted rows = Sorted.of(fates);
    if (archive) {
      moves.total(dialect.archiveReady(), rows.deliverReady());
      moves.total(dialect.archiveParked(), rows.deliverParked());
    }
    moves.total(dialect.buryReady(), rows.buryReady());
    moves.total(dialect.buryParked(), rows.buryParked());
    rows.queue(topicQueues.behind(handle, fates));
    moves.total(dialect.parkReady(), rows.parkReady());
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
    rows.sort(MoveRow.IN_ORDER);
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
  private Map<Lane, Set<HeldKey>> wakeHeads(Handle handle, List<Fate> fates, Tempo tempo) {
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
    left.retainAll(heads.wake(handle, touched, tempo));
    return left.stream().collect(Collectors.groupingBy(HeldKey::lane, Collectors.toSet()));
  }

  private static boolean leaves(Fate fate) {
    return fate.stored().isParked() && !(fate instanceof Fate.Park);
  }

  private static boolean follows(Fate fate) {
    return fate instanceof Fate.Park park && park.reason() == HoldReason.FOLLOWER;
  }
}
