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
 * A message as the first statement of a read tells it: with the bytes of its payload and of all its
 * body, and without the body where that was too heavy.
 *
 * <p>Immutable.
 */
record Glimpse(MessageRow message, @Nullable Parking parking, long bytes, long weight) {
  /** The statement tells the weight of those only that come without their body. */
  static Glimpse ready(ResultSet row, Dialect dialect) throws SQLException {
    MessageRow message = MessageRow.readToPublish(row, dialect);
    long weight = row.getLong("weight");
    if (weight > 0) {
      return new Glimpse(message, null, row.getLong("bytes"), weight);
    }
    long bytes = message.bytes().length;
    String headers = message.headers();
    return new Glimpse(message, null, bytes, bytes + (headers == null ? 0 : Utf8.length(headers)));
  }

  static Glimpse parked(ResultSet row, Dialect dialect) throws SQLException {
    Duration failing = Duration.of(Math.max(0, row.getLong("failing")), ChronoUnit.MICROS);
    Parking parking = new Parking(row.getInt("attempts"), failing, text(row.getString("history")));
    return new Glimpse(
        MessageRow.read(row, dialect), parking, row.getLong("bytes"), row.getLong("weight"));
  }

  private static String text(@Nullable String history) {
    return Objects.requireNonNullElse(history, "");
  }

  int lane() {
    return message.lane();
  }

  /** What it takes of a bound in bytes: its payload, and what is beside it where that is much. */
  long cost(long inline) {
    return weight - bytes > inline ? weight : bytes;
  }

  Glimpse with(Body body) {
    Parking whole =
        parking == null
            ? null
            : new Parking(parking.attempts(), parking.failing(), text(body.history()));
    return new Glimpse(message.with(body), whole, bytes, weight);
  }

  Stored stored() {
    return message.stored(parking);
  }
}
