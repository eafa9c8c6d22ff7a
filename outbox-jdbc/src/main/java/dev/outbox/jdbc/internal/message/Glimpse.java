package dev.outbox.jdbc.internal.message;

import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.store.Parking;
import dev.outbox.store.Stored;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.StatementContext;
import org.jspecify.annotations.Nullable;

/**
 * A message as the first statement of a read tells it: with the bytes of its payload and of all its
 * body, and without the body where that was too heavy.
 *
 * <p>Immutable.
 */
public record Glimpse(MessageRow message, @Nullable Parking parking, long bytes, long weight) {
  /** Reads those that are ready. */
  public static RowMapper<Glimpse> ready(Sql sql) {
    return new Ready(sql);
  }

  /** The statement tells the weight of those only that come without their body. */
  private record Ready(Sql sql) implements RowMapper<Glimpse> {
    @Override
    public Glimpse map(ResultSet row, StatementContext context) throws SQLException {
      return specialize(row, context).map(row, context);
    }

    @Override
    public RowMapper<Glimpse> specialize(ResultSet rows, StatementContext context)
        throws SQLException {
      MessageColumns columns = MessageColumns.toPublish(rows, sql);
      int weight = rows.findColumn("weight");
      int bytes = rows.findColumn("bytes");
      return (row, any) -> of(columns.read(row), row.getLong(weight), row, bytes);
    }

    private static Glimpse of(MessageRow message, long weight, ResultSet row, int bytes)
        throws SQLException {
      if (weight > 0) {
        return new Glimpse(message, null, row.getLong(bytes), weight);
      }
      long light = message.bytes().length;
      String headers = message.headers();
      long also = headers == null ? 0 : Utf8.length(headers);
      return new Glimpse(message, null, light, light + also);
    }
  }

  public static Glimpse parked(ResultSet row, Sql sql) throws SQLException {
    Duration failing = Duration.of(Math.max(0, row.getLong("failing")), ChronoUnit.MICROS);
    Parking parking = new Parking(row.getInt("attempts"), failing, text(row.getString("history")));
    return new Glimpse(
        MessageColumns.all(row, sql).read(row),
        parking,
        row.getLong("bytes"),
        row.getLong("weight"));
  }

  private static String text(@Nullable String history) {
    return Objects.requireNonNullElse(history, "");
  }

  public int lane() {
    return message.lane();
  }

  /** What it takes of a bound in bytes: its payload, and what is beside it where that is much. */
  public long cost(long inline) {
    return weight - bytes > inline ? weight : bytes;
  }

  public Glimpse with(Body body) {
    Parking whole =
        parking == null
            ? null
            : new Parking(parking.attempts(), parking.failing(), text(body.history()));
    return new Glimpse(message.with(body), whole, bytes, weight);
  }

  public Stored stored() {
    return message.stored(parking);
  }
}
