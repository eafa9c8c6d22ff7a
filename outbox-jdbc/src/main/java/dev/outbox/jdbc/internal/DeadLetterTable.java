package dev.outbox.jdbc.internal;

import dev.outbox.jdbc.dialect.ByIds;
import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.Limits;
import dev.outbox.jdbc.internal.Moves.Tempo;
import dev.outbox.message.Envelope;
import dev.outbox.store.DeadLetter;
import dev.outbox.store.DeadStore;
import dev.outbox.store.DeathReason;
import dev.outbox.store.StoreException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;

/**
 * The dead letters, over connections borrowed call by call.
 *
 * <p>Safe for use by many threads.
 */
public final class DeadLetterTable implements DeadStore {
  private static final int ATTEMPTS = 20;

  private final DataSource dataSource;
  private final Sql sql;
  private final Dialect dialect;
  private final Limits limits;

  public DeadLetterTable(DataSource dataSource, Sql sql, Limits limits) {
    this.dataSource = dataSource;
    this.sql = sql;
    this.dialect = sql.dialect();
    this.limits = limits;
  }

  @Override
  public List<DeadLetter> page(long after, int limit) {
    Map<String, Object> values = Map.of("after", after, "limit", limit);
    return call(
        "page dead letters",
        handle -> sql.query(handle, dialect.deadPage(), values, (row, context) -> letter(row)));
  }

  private DeadLetter letter(ResultSet row) throws SQLException {
    return new DeadLetter(
        row.getLong("dead_id"),
        envelope(MessageRow.read(row, dialect)),
        DeathReason.valueOf(row.getString("reason")),
        Objects.requireNonNullElse(row.getString("last_error"), ""),
        row.getInt("attempts"),
        Objects.requireNonNullElse(row.getString("history"), ""),
        Objects.requireNonNull(dialect.instant(row, "died_at")));
  }

  // an unreadable row is a dead letter too, and must not hide the others
  private static Envelope envelope(MessageRow row) {
    try {
      return row.envelope();
    } catch (IllegalArgumentException e) {
      return row.bareEnvelope();
    }
  }

  @Override
  public long count(long bound) {
    return call(
        "count dead letters",
        handle ->
            sql.query(
                    handle,
                    dialect.deadCount(),
                    Map.of("bound", bound),
                    (row, context) -> row.getLong(1))
                .get(0));
  }

  @Override
  public int replay(List<Long> numbers) {
    List<MoveRow> rows = rows(numbers);
    for (int attempt = 1; ; attempt++) {
      try {
        return call("replay dead letters", handle -> replayed(handle, rows));
      } catch (Moves.Uneven otherOperator) {
        // it has replayed or discarded some of them meanwhile: look again
        if (attempt == ATTEMPTS) {
          throw StoreException.passing(
              "replay dead letters: others replay the same", otherOperator);
        }
      }
    }
  }

  private int replayed(Handle handle, List<MoveRow> rows) {
    int copied = moved(handle, dialect.replay(), rows);
    int deleted = moved(handle, dialect.deleteDead(), rows);
    if (copied != deleted) {
      throw new Moves.Uneven();
    }
    return deleted;
  }

  @Override
  public int discard(List<Long> numbers) {
    List<MoveRow> rows = rows(numbers);
    return call("discard dead letters", handle -> moved(handle, dialect.deleteDead(), rows));
  }

  @Override
  public int purge(Duration retention, int atMost) {
    Map<String, Object> values = Map.of("retention", retention, "limit", atMost);
    return call("purge dead letters", handle -> sql.update(handle, dialect.purgeDead(), values));
  }

  private int moved(Handle handle, ByIds move, List<MoveRow> rows) {
    return new Moves(sql, handle, Tempo.SINGLY).total(move, rows);
  }

  private static List<MoveRow> rows(List<Long> numbers) {
    return numbers.stream().distinct().sorted().map(number -> MoveRow.at(0, number)).toList();
  }

  private <T> T call(String what, Session.Work<T> work) {
    return Session.once(dataSource, sql, limits, what, work);
  }
}
