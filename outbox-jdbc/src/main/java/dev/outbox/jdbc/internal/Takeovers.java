package dev.outbox.jdbc.internal;

import dev.outbox.jdbc.dialect.ClusterSql;
import dev.outbox.message.Lane;
import dev.outbox.store.ClusterStore.Orphan;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * Moves messages from lanes of other clusters to this one's, within a transaction, and clears up
 * behind such moves.
 *
 * <p>Safe for use by many threads; handles are not.
 */
/*
 * Parked messages come first, because they stand before the ready ones of their key. They become ready: their attempts were
 * another cluster's, with another broker perhaps. Every row is deleted where it stood and written to a lane that only this
 * cluster writes to, so replication meets no two rows of one key.
 *
 * Replication has an order for each pair of clusters, not for three: what B took from A can reach C before what A wrote. Then
 * the delete finds nothing at C, and A's row comes afterwards and stays. The note, which nobody deletes so soon, tells it.
 */
final class Takeovers {
  private static final int READY = 0;
  private static final int DELAYED = 1;
  static final int MOST = 2_000;
  private static final int ROUNDS = 20;

  private final Sql sql;

  Takeovers(Sql sql) {
    this.sql = sql;
  }

  /** What there is to take: parked ones, then ready ones, then those that are due. */
  List<Orphan> look(Handle handle, Lane from, int atMost) {
    List<Orphan> orphans = new ArrayList<>();
    for (String text : List.of(ClusterSql.parkedToTake(), ClusterSql.readyToTake())) {
      look(handle, text, false, from, atMost, orphans);
    }
    look(handle, ClusterSql.delayedToTake(), true, from, atMost, orphans);
    return orphans;
  }

  private void look(
      Handle handle, String text, boolean delayed, Lane from, int atMost, List<Orphan> orphans) {
    int left = atMost - orphans.size();
    if (left > 0) {
      orphans.addAll(
          sql.first(
              handle,
              text,
              Map.of("lane", from.number()),
              left,
              (row, context) -> new Orphan(row.getLong("id"), delayed)));
    }
  }

  /**
   * Moves them in their order; each stands in one of two tables. One that is gone meanwhile,
   * because replication has brought what its own cluster did to it, is not taken and leaves no
   * note: a note is the end of its message wherever it stands.
   */
  int run(Handle handle, List<Orphan> orphans, Lane from, Lane to, Moves.Tempo tempo) {
    int shift = to.number() - from.number();
    List<Map<String, Object>> rows =
        orphans.stream()
            .<Map<String, Object>>map(
                orphan ->
                    Map.of(
                        "lane",
                        from.number(),
                        "id",
                        orphan.id(),
                        "shift",
                        shift,
                        "later",
                        orphan.delayed() ? DELAYED : READY))
            .toList();
    List<Map<String, Object>> taken = new ArrayList<>();
    taken.addAll(move(handle, "parked", of(rows, READY), tempo));
    taken.addAll(move(handle, "outbox", of(rows, READY), tempo));
    taken.addAll(move(handle, "delayed", of(rows, DELAYED), tempo));
    batch(handle, ClusterSql.note(), taken);
    return taken.size();
  }

  private static List<Map<String, Object>> of(List<Map<String, Object>> rows, int delayed) {
    return rows.stream().filter(row -> Objects.equals(row.get("later"), delayed)).toList();
  }

  /** Moves those that are there, and returns them. */
  private List<Map<String, Object>> move(
      Handle handle, String table, List<Map<String, Object>> rows, Moves.Tempo tempo) {
    List<Map<String, Object>> taken = new ArrayList<>();
    if (rows.isEmpty()) {
      return taken;
    }
    int[] counts = counts(handle, ClusterSql.take(table), rows, tempo);
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] == Statement.SUCCESS_NO_INFO) {
        throw new Moves.Uneven();
      }
      if (counts[i] > 0) {
        taken.add(rows.get(i));
      }
    }
    batch(handle, ClusterSql.drop(table), taken);
    return taken;
  }

  private int[] counts(
      Handle handle, String text, List<Map<String, Object>> rows, Moves.Tempo tempo) {
    return tempo == Moves.Tempo.TOGETHER
        ? sql.batch(handle, text, rows)
        : rows.stream().mapToInt(row -> sql.update(handle, text, row)).toArray();
  }

  private void batch(Handle handle, String text, List<Map<String, Object>> rows) {
    if (!rows.isEmpty()) {
      sql.batch(handle, text, rows);
    }
  }

  /** A message that this cluster parked while another took it over is the other's. */
  void dropOwn(Handle handle) {
    String own = " AND " + sql.tables().home().ownLanes("o.lane");
    for (int dropped = MOST; dropped == MOST; ) {
      dropped = drop(handle, "parked", READY, own);
    }
    wakeLost(handle);
  }

  /**
   * Clears up behind takeovers. Whatever another cluster took from under this one's hands, those
   * that waited for it are woken.
   */
  int sweep(Handle handle, Instant before) {
    String foreign = " AND NOT (" + sql.tables().home().ownLanes("o.lane") + ")";
    int dropped =
        drop(handle, "outbox", READY, foreign)
            + drop(handle, "parked", READY, foreign)
            + drop(handle, "delayed", DELAYED, foreign);
    wakeLost(handle);
    int forgotten = MOST;
    for (int round = 0; round < ROUNDS && forgotten == MOST; round++) {
      forgotten = forget(handle, before);
    }
    return dropped;
  }

  private void wakeLost(Handle handle) {
    batch(
        handle,
        ClusterSql.wake(),
        sql.first(handle, ClusterSql.lostFollowers(), Map.of(), MOST, Takeovers::place));
  }

  private int forget(Handle handle, Instant before) {
    List<Map<String, Object>> old =
        sql.first(
            handle,
            ClusterSql.oldNotes(),
            Map.of("before", before),
            MOST,
            (row, context) ->
                Map.of(
                    "lane", row.getInt("lane"),
                    "id", row.getLong("id"),
                    "later", row.getInt("later")));
    batch(handle, ClusterSql.dropNote(), old);
    return old.size();
  }

  private static Map<String, Object> place(ResultSet row, StatementContext context)
      throws SQLException {
    return Place.of(row).values();
  }

  private int drop(Handle handle, String table, int delayed, String where) {
    List<Map<String, Object>> ghosts =
        sql.first(
            handle, ClusterSql.ghosts(table, delayed) + where, Map.of(), MOST, Takeovers::place);
    batch(handle, ClusterSql.drop(table), ghosts);
    return ghosts.size();
  }
}
