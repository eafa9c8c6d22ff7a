package dev.outbox.jdbc.internal.lanes;

import dev.outbox.jdbc.internal.ids.TakenIds;
import dev.outbox.jdbc.internal.message.RowId;
import dev.outbox.jdbc.internal.moves.KeyHeads;
import dev.outbox.jdbc.internal.moves.LaneQueries;
import dev.outbox.jdbc.internal.moves.MoveRow;
import dev.outbox.jdbc.internal.moves.Moves;
import dev.outbox.jdbc.internal.moves.Moves.BatchMode;
import dev.outbox.jdbc.internal.moves.PresentRows;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.sql.SettleStatement;
import dev.outbox.spi.lane.HeldKey;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.HoldReason;
import dev.outbox.spi.settle.SettleResult;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import java.sql.Connection;
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

/**
 * Writes the ends of claims in one transaction: fences the lanes, then moves what belongs to those
 * that are still owned.
 *
 * <p>Used by one thread.
 */
final class SettleRunner {
  private final Sql sql;
  private final Fences fences;
  private final FollowerCheck followerCheck;
  private final KeyHeads keyHeads;
  private final boolean archive;
  private final TakenIds takenIds;
  private final PresentRows present;

  SettleRunner(Sql sql, LaneQueries queries, boolean archive, Duration lease) {
    this.sql = sql;
    this.fences = new Fences(sql, lease);
    this.followerCheck = new FollowerCheck(sql, queries);
    this.keyHeads = new KeyHeads(sql, queries);
    this.archive = archive;
    this.takenIds = new TakenIds(sql, queries);
    this.present = new PresentRows(sql, queries);
  }

  /** Another message holds the id of one of these in the table that it would move to. */
  static final class TakenId extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TakenId() {
      super("an id is taken", null, false, false);
    }
  }

  /**
   * Writes the ends. Of the {@code doubted} lanes it looks first which messages are still there.
   *
   * @throws TakenId when it met its first taken id, and asks for them from now on; the caller rolls
   *     back and runs it again
   */
  Map<Lane, SettleResult> run(
      Connection connection, List<Settlement> settlements, Set<Lane> doubted, BatchMode batchMode) {
    try {
      return write(connection, settlements, doubted, batchMode);
    } catch (RuntimeException e) {
      throw takenIds.foundBy(e) ? new TakenId() : e;
    }
  }

  private Map<Lane, SettleResult> write(
      Connection connection, List<Settlement> settlements, Set<Lane> doubted, BatchMode batchMode) {
    Moves moves = new Moves(sql, connection, batchMode);
    List<Settlement> ascending =
        settlements.stream()
            .sorted(Comparator.comparing(settlement -> settlement.lease().lane()))
            .toList();
    Map<Lane, SettleResult> settleResults = new TreeMap<>();
    List<Fate> fates = new ArrayList<>();
    boolean[] owned = fences.run(connection, ascending, batchMode);
    for (int i = 0; i < owned.length; i++) {
      if (owned[i]) {
        fates.addAll(ascending.get(i).fates());
      } else {
        settleResults.put(ascending.get(i).lease().lane(), new SettleResult.Fenced());
      }
    }
    List<Fate> there = present.among(connection, fates, doubted);
    Moved moved = move(connection, moves, there);
    if (there.size() < fates.size()) {
      fates.forEach(
          fate -> moved.missing().merge(fate.storedEnvelope().lane().number(), 1, Integer::sum));
      there.forEach(
          fate -> moved.missing().merge(fate.storedEnvelope().lane().number(), -1, Integer::sum));
    }
    Map<Lane, Set<HeldKey>> freed = wakeHeads(connection, fates, moved, batchMode);
    for (Settlement settlement : ascending) {
      Lane lane = settlement.lease().lane();
      settleResults.putIfAbsent(
          lane,
          new SettleResult.Settled(
              freed.getOrDefault(lane, Set.of()),
              moved.missing().getOrDefault(lane.number(), 0),
              moved.taken(lane)));
    }
    return settleResults;
  }

  /** Rows by where they are and where they go. */
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
    void queue(Set<RowId> behind) {
      parkReady.replaceAll(row -> behind.contains(row.rowId()) ? row.following() : row);
      parkAgain.replaceAll(row -> behind.contains(row.rowId()) ? row.following() : row);
    }

    private List<MoveRow> target(Fate fate) {
      boolean parked = fate.storedEnvelope().isParked();
      if (fate instanceof Fate.Park) {
        return parked ? parkAgain : parkReady;
      }
      if (fate instanceof Fate.Bury) {
        return parked ? buryParked : buryReady;
      }
      return parked ? deliverParked : deliverReady;
    }
  }

  /**
   * How many rows of each lane were not there, the other ids under which rows were parked, and
   * which are behind another of their key.
   */
  private record Moved(
      Map<Integer, Integer> missing, Map<RowId, Long> otherIds, Set<RowId> behind) {
    boolean isWhole(Lane lane) {
      return missing.getOrDefault(lane.number(), 0) == 0;
    }

    int taken(Lane lane) {
      return (int)
          otherIds.keySet().stream().filter(rowId -> rowId.lane() == lane.number()).count();
    }

    /** Where a message is parked. */
    RowId place(StoredEnvelope stored) {
      RowId rowId = RowId.of(stored);
      Long other = stored.isParked() ? null : otherIds.get(rowId);
      return other == null ? rowId : new RowId(rowId.lane(), other);
    }
  }

  private Moved move(Connection connection, Moves moves, List<Fate> fates) {
    Sorted rows = Sorted.of(fates);
    if (archive) {
      moves.total(
          sql.statements().byIds(SettleStatement.ARCHIVE_READY),
          archivable(connection, rows.deliverReady()));
      moves.total(
          sql.statements().byIds(SettleStatement.ARCHIVE_PARKED),
          archivable(connection, rows.deliverParked()));
    }
    moves.total(sql.statements().byIds(SettleStatement.BURY_READY), rows.buryReady());
    moves.total(sql.statements().byIds(SettleStatement.BURY_PARKED), rows.buryParked());
    Map<RowId, Long> otherIds = takenIds.otherIds(connection, readyParks(fates));
    rows.parkReady().replaceAll(row -> row.parkedAs(otherIds.getOrDefault(row.rowId(), row.id())));
    Set<RowId> behind = followerCheck.behind(connection, fates);
    rows.queue(behind);
    moves.total(sql.statements().byIds(SettleStatement.PARK_READY), rows.parkReady());
    Map<Integer, Integer> missing = new HashMap<>();
    List<MoveRow> gone = joined(rows.deliverReady(), rows.parkReady(), rows.buryReady());
    List<MoveRow> left = joined(rows.deliverParked(), rows.buryParked());
    count(missing, gone, moves.run(sql.statements().byIds(SettleStatement.DELETE_READY), gone));
    count(missing, left, moves.run(sql.statements().byIds(SettleStatement.DELETE_PARKED), left));
    count(
        missing,
        rows.parkAgain(),
        moves.run(sql.statements().byIds(SettleStatement.RESCHEDULE), rows.parkAgain()));
    return new Moved(missing, otherIds, behind);
  }

  private static List<StoredEnvelope> readyParks(List<Fate> fates) {
    return fates.stream()
        .filter(fate -> fate instanceof Fate.Park && !fate.storedEnvelope().isParked())
        .map(Fate::storedEnvelope)
        .toList();
  }

  private List<MoveRow> archivable(Connection connection, List<MoveRow> rows) {
    Set<RowId> noPlace = takenIds.inArchive(connection, places(rows));
    return rows.stream().filter(row -> !noPlace.contains(row.rowId())).toList();
  }

  private static List<RowId> places(List<MoveRow> rows) {
    return rows.stream().map(MoveRow::rowId).toList();
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
   * lost their last, or got none because their message was not parked.
   */
  private Map<Lane, Set<HeldKey>> wakeHeads(
      Connection connection, List<Fate> fates, Moved moved, BatchMode batchMode) {
    Set<HeldKey> left = new HashSet<>();
    Set<HeldKey> touched = new HashSet<>();
    Set<RowId> waiting = new HashSet<>();
    for (Fate fate : fates) {
      HeldKey key = fate.storedEnvelope().holdable();
      if (key == null) {
        continue;
      }
      boolean ofItsTopic = waitsForItsTopic(fate);
      boolean mayBeUnparked = mayBeUnparked(fate, moved);
      if (leaves(fate) || (mayBeUnparked && !ofItsTopic)) {
        left.add(key);
      }
      if (leaves(fate) || mayBeUnparked || follows(fate)) {
        touched.add(key);
      }
      if (ofItsTopic && !moved.behind().contains(RowId.of(fate.storedEnvelope()))) {
        waiting.add(moved.place(fate.storedEnvelope()));
      }
    }
    left.retainAll(keyHeads.wake(connection, touched, waiting, batchMode));
    return left.stream().collect(Collectors.groupingBy(HeldKey::lane, Collectors.toSet()));
  }

  private static boolean leaves(Fate fate) {
    return fate.storedEnvelope().isParked() && !(fate instanceof Fate.Park);
  }

  private static boolean mayBeUnparked(Fate fate, Moved moved) {
    return fate instanceof Fate.Park && !moved.isWhole(fate.storedEnvelope().lane());
  }

  private static boolean waitsForItsTopic(Fate fate) {
    return fate instanceof Fate.Park park && park.reason() == HoldReason.TOPIC;
  }

  private static boolean follows(Fate fate) {
    return fate instanceof Fate.Park park && park.reason() == HoldReason.FOLLOWER;
  }
}
