package dev.outbox.jdbc.internal.rows;

import dev.outbox.StoreException;
import dev.outbox.jdbc.dialect.Fault;
import dev.outbox.jdbc.internal.ids.TakenIds;
import dev.outbox.jdbc.internal.message.RowId;
import dev.outbox.jdbc.internal.moves.MoveRow;
import dev.outbox.jdbc.internal.session.Session;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.sql.RowStatement;
import dev.outbox.spi.RowClaim;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.StoredEnvelope;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The open transaction of a claim by rows. All is written on the connection of the claim, never on
 * one that took its place: a dead one has put the rows back.
 *
 * <p>Used by one thread.
 */
final class RowTransaction implements RowClaim {
  private static final String REFUSED =
      "the database refused the commit of a claim, as for a deferred constraint on what the publisher wrote. The database says: %s";

  private final Session session;
  private final Connection connection;
  private final Sql sql;
  private final boolean archive;
  private final TakenIds takenIds;
  private final List<ClaimedRow> claimed;
  private final List<StoredEnvelope> messages;
  private final String name;
  private boolean ended;

  RowTransaction(
      Session session, Connection connection, Sql sql, List<ClaimedRow> claimed, Keeping keeping) {
    this.session = session;
    this.connection = connection;
    this.sql = sql;
    this.archive = keeping.archive();
    this.takenIds = keeping.takenIds();
    this.claimed = claimed;
    this.messages = claimed.stream().map(ClaimedRow::storedEnvelope).toList();
    this.ended = claimed.isEmpty();
    this.name = ended ? "" : name();
  }

  /** Whether delivered messages are kept, and what is known of ids that are taken. */
  record Keeping(boolean archive, TakenIds takenIds) {}

  /** Values to write, by where they go. */
  private record Writes(
      List<Map<String, @Nullable Object>> ready,
      List<Map<String, @Nullable Object>> parked,
      List<Map<String, @Nullable Object>> dead,
      List<Map<String, @Nullable Object>> archive) {}

  @Override
  public List<StoredEnvelope> messages() {
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
      write(connection, withoutTaken(connection, writes(fates), fates));
    } catch (RuntimeException e) {
      throw failure(e);
    }
    commit();
  }

  /** What is refused only now is what the publisher wrote: nothing of ours is checked that late. */
  private void commit() {
    try {
      session.commit(connection);
    } catch (SQLException | RuntimeException e) {
      RuntimeException told = session.failure("commit claimed rows", e);
      throw told instanceof StoreException refusal
              && refusal.isOfItsRows()
              && !refusal.isTransient()
          ? StoreException.contended(REFUSED.formatted(e.getMessage()), e)
          : told;
    }
  }

  @Override
  public boolean hasEnded() {
    try {
      return !name().equals(name);
    } catch (RuntimeException e) {
      ended = true;
      throw session.failure("look whether a claim's transaction goes on", e);
    }
  }

  @Override
  public boolean isLost(SQLException refusal) {
    return sql.dialect().faults().of(refusal) == Fault.CONNECTION;
  }

  private String name() {
    String query = sql.dialect().transactionName();
    return query == null
        ? ""
        : sql.query(
                connection,
                query,
                Map.of(),
                row -> Objects.requireNonNullElse(row.getString(1), ""))
            .get(0);
  }

  private RuntimeException failure(RuntimeException e) {
    boolean isFirst = takenIds.foundBy(e);
    RuntimeException told = session.failure("settle claimed rows", e);
    return isFirst
        ? StoreException.passing(
            "settle claimed rows: an id is already in use; the claim was rolled back and will be repeated",
            told)
        : told;
  }

  /** What cannot keep its id is parked under another, and what cannot be archived is not. */
  private Writes withoutTaken(Connection connection, Writes writes, List<Fate> fates) {
    Map<RowId, Long> others =
        takenIds.otherIds(
            connection,
            fates.stream()
                .filter(fate -> fate instanceof Fate.Park)
                .map(Fate::storedEnvelope)
                .filter(storedEnvelope -> !storedEnvelope.isParked())
                .toList());
    for (Map<String, @Nullable Object> row : writes.parked()) {
      Long other = others.get(place(row));
      if (other != null) {
        row.put("id", other);
      }
    }
    Set<RowId> notArchived = takenIds.inArchive(connection, places(writes.archive()));
    for (int i = writes.archive().size() - 1; i >= 0 && !notArchived.isEmpty(); i--) {
      if (notArchived.contains(place(writes.archive().get(i)))) {
        writes.archive().remove(i);
      }
    }
    return writes;
  }

  private static List<RowId> places(List<Map<String, @Nullable Object>> rows) {
    List<RowId> rowIds = new ArrayList<>(rows.size());
    for (Map<String, @Nullable Object> row : rows) {
      rowIds.add(place(row));
    }
    return rowIds;
  }

  private static RowId place(Map<String, @Nullable Object> row) {
    return new RowId(
        (Integer) Objects.requireNonNull(row.get("lane")),
        (Long) Objects.requireNonNull(row.get("id")));
  }

  private Writes writes(List<Fate> fates) {
    Writes writes =
        new Writes(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    Map<Long, ClaimedRow> rest = new HashMap<>(2 * claimed.size());
    claimed.forEach(row -> rest.put(row.message().id(), row));
    for (Fate fate : fates) {
      ClaimedRow row = rest.remove(fate.storedEnvelope().id());
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

  private void write(Connection connection, Writes writes) {
    put(connection, sql.statements().text(RowStatement.PUT_READY), writes.ready());
    put(connection, sql.statements().text(RowStatement.PUT_PARKED), writes.parked());
    put(connection, sql.statements().text(RowStatement.PUT_DEAD), writes.dead());
    put(connection, sql.statements().text(RowStatement.PUT_ARCHIVE), writes.archive());
  }

  private void put(
      Connection connection, String text, List<Map<String, @Nullable Object>> entries) {
    if (!entries.isEmpty()) {
      sql.batch(connection, text, entries);
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
