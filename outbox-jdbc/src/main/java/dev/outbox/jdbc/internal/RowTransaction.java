package dev.outbox.jdbc.internal;

import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.store.Fate;
import dev.outbox.store.RowClaim;
import dev.outbox.store.Stored;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The open transaction of a claim by rows. All is written on the connection of the claim, never on
 * one that took its place: a dead one has put the rows back.
 *
 * <p>Used by one thread.
 */
final class RowTransaction implements RowClaim {
  private final Session session;
  private final Connection connection;
  private final Sql sql;
  private final Dialect dialect;
  private final boolean archive;
  private final List<ClaimedRow> claimed;
  private final List<Stored> messages;
  private boolean ended;

  RowTransaction(
      Session session, Connection connection, Sql sql, List<ClaimedRow> claimed, boolean archive) {
    this.session = session;
    this.connection = connection;
    this.sql = sql;
    this.dialect = sql.dialect();
    this.archive = archive;
    this.claimed = claimed;
    this.messages = claimed.stream().map(ClaimedRow::stored).toList();
    this.ended = claimed.isEmpty();
  }

  /** Values to write, by where they go. */
  private record Writes(
      List<Map<String, @Nullable Object>> ready,
      List<Map<String, @Nullable Object>> parked,
      List<Map<String, @Nullable Object>> dead,
      List<Map<String, @Nullable Object>> archive) {}

  @Override
  public List<Stored> messages() {
    return messages;
  }

  @Override
  public Connection transaction() {
    return connection;
  }

  @Override
  public void settle(List<Fate> fates) {
    if (ended) {
      return;
    }
    ended = true;
    try {
      Handle handle = sql.handle(connection);
      write(handle, writes(fates));
      connection.commit();
    } catch (SQLException | RuntimeException e) {
      throw session.failure("settle claimed rows", e);
    }
  }

  private Writes writes(List<Fate> fates) {
    Writes writes =
        new Writes(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    Map<Long, ClaimedRow> rest = new HashMap<>(2 * claimed.size());
    claimed.forEach(row -> rest.put(row.message().id(), row));
    for (Fate fate : fates) {
      ClaimedRow row = rest.remove(fate.stored().id());
      if (row != null && (archive || !(fate instanceof Fate.Deliver))) {
        add(writes, fate, row);
      }
    }
    rest.values().forEach(row -> putBack(writes, row));
    return writes;
  }

  private static void add(Writes writes, Fate fate, ClaimedRow row) {
    Map<String, @Nullable Object> values =
        row instanceof ClaimedRow.Parked parked ? parked.row().values() : row.message().values();
    if (fate instanceof Fate.Deliver) {
      writes.archive().add(values);
      return;
    }
    Object error = values.get("error");
    values.putAll(MoveRow.of(fate).values());
    values.put("due", null);
    values.putIfAbsent("first_failed_at", null);
    if (values.get("error") == null) {
      values.put("error", error);
    }
    (fate instanceof Fate.Park ? writes.parked() : writes.dead()).add(values);
  }

  private static void putBack(Writes writes, ClaimedRow row) {
    if (row instanceof ClaimedRow.Parked parked) {
      writes.parked().add(parked.row().values());
    } else {
      writes.ready().add(row.message().values());
    }
  }

  private void write(Handle handle, Writes writes) {
    put(handle, dialect.putReady(), writes.ready());
    put(handle, dialect.putParked(), writes.parked());
    put(handle, dialect.putDead(), writes.dead());
    put(handle, dialect.putArchive(), writes.archive());
  }

  private void put(Handle handle, String text, List<Map<String, @Nullable Object>> entries) {
    if (!entries.isEmpty()) {
      sql.batch(handle, text, entries);
    }
  }

  @Override
  public void close() {
    if (!ended) {
      ended = true;
      session.rollback();
    }
  }
}
