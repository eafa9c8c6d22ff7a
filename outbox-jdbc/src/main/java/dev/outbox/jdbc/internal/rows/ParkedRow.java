package dev.outbox.jdbc.internal.rows;

import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.internal.message.MessageColumns;
import dev.outbox.jdbc.internal.message.MessageRow;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.spi.settle.RetryState;
import dev.outbox.spi.settle.StoredEnvelope;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A row of the parked table.
 *
 * <p>Immutable.
 */
record ParkedRow(
    MessageRow message,
    int attempts,
    @Nullable Instant firstFailedAt,
    @Nullable Instant dueAt,
    String reason,
    @Nullable String error,
    @Nullable String history,
    long failing) {

  static ParkedRow read(ResultSet row, Sql sql) throws SQLException {
    Dialect dialect = sql.dialect();
    return new ParkedRow(
        MessageColumns.all(row, sql).read(row),
        row.getInt("attempts"),
        dialect.instant(row, row.findColumn("first_failed_at")),
        dialect.instant(row, row.findColumn("due_at")),
        row.getString("reason"),
        row.getString("last_error"),
        row.getString("history"),
        Math.max(0, row.getLong("failing")));
  }

  StoredEnvelope storedEnvelope() {
    return message.stored(
        new RetryState(
            attempts, Duration.of(failing, ChronoUnit.MICROS), history == null ? "" : history));
  }

  Map<String, @Nullable Object> values() {
    Map<String, @Nullable Object> values = message.values();
    values.put("reason", reason);
    values.put("attempts", attempts);
    values.put("first_failed_at", firstFailedAt);
    values.put("due", dueAt);
    values.put("rest", null);
    values.put("error", error);
    values.put("history", history);
    return values;
  }
}
