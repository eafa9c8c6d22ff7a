package dev.outbox.jdbc.internal;

import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.store.Parking;
import dev.outbox.store.Stored;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message as the first statement of a read tells it: with its weight in bytes, and without its
 * body where that was too heavy.
 *
 * <p>Immutable.
 */
record Glimpse(MessageRow message, @Nullable Parking parking, long weight) {
  static Glimpse ready(ResultSet row, Dialect dialect) throws SQLException {
    return new Glimpse(MessageRow.read(row, dialect), null, row.getLong("weight"));
  }

  static Glimpse parked(ResultSet row, Dialect dialect) throws SQLException {
    Duration failing = Duration.of(Math.max(0, row.getLong("failing")), ChronoUnit.MICROS);
    Parking parking = new Parking(row.getInt("attempts"), failing, text(row.getString("history")));
    return new Glimpse(MessageRow.read(row, dialect), parking, row.getLong("weight"));
  }

  private static String text(@Nullable String history) {
    return Objects.requireNonNullElse(history, "");
  }

  int lane() {
    return message.lane();
  }

  Glimpse with(Body body) {
    Parking whole =
        parking == null
            ? null
            : new Parking(parking.attempts(), parking.failing(), text(body.history()));
    return new Glimpse(message.with(body), whole, weight);
  }

  Stored stored() {
    return message.stored(parking);
  }
}
