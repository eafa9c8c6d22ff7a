package dev.outbox.jdbc.internal.message;

import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.spi.settle.RetryState;
import dev.outbox.spi.settle.StoredEnvelope;
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
public record MessageHead(
    MessageRow message, @Nullable RetryState retryState, long bytes, long weight) {
  /** What may be large in a row; a ready one has no history. Never compared. */
  @SuppressWarnings("ArrayRecordComponent")
  public record Body(
      byte @Nullable [] payload, @Nullable String headers, @Nullable String history) {
    public static Body ready(ResultSet row) throws SQLException {
      return new Body(row.getBytes("payload"), row.getString("headers"), null);
    }

    public static Body parked(ResultSet row) throws SQLException {
      return new Body(row.getBytes("payload"), row.getString("headers"), row.getString("history"));
    }
  }

  /** Reads those that are ready. */
  public static Sql.Reader<MessageHead> ready(Sql sql) {
    return new Ready(sql);
  }

  /** The statement tells the weight of those only that come without their body. */
  private record Ready(Sql sql) implements Sql.Reader<MessageHead> {
    @Override
    public MessageHead read(ResultSet row) throws SQLException {
      return of(row).read(row);
    }

    @Override
    public Sql.Reader<MessageHead> of(ResultSet rows) throws SQLException {
      MessageColumns columns = MessageColumns.toPublish(rows, sql);
      int weight = rows.findColumn("weight");
      int bytes = rows.findColumn("bytes");
      return row -> of(columns.read(row), row.getLong(weight), row, bytes);
    }

    private static MessageHead of(MessageRow message, long weight, ResultSet row, int bytes)
        throws SQLException {
      if (weight > 0) {
        return new MessageHead(message, null, row.getLong(bytes), weight);
      }
      long light = message.bytes().length;
      String headers = message.headers();
      long also = headers == null ? 0 : Utf8.length(headers);
      return new MessageHead(message, null, light, light + also);
    }
  }

  public static MessageHead parked(ResultSet row, Sql sql) throws SQLException {
    Duration failing = Duration.of(Math.max(0, row.getLong("failing")), ChronoUnit.MICROS);
    RetryState retryState =
        new RetryState(row.getInt("attempts"), failing, text(row.getString("history")));
    return new MessageHead(
        MessageColumns.all(row, sql).read(row),
        retryState,
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

  public MessageHead with(Body body) {
    RetryState whole =
        retryState == null
            ? null
            : new RetryState(retryState.attempts(), retryState.failing(), text(body.history()));
    return new MessageHead(message.with(body), whole, bytes, weight);
  }

  public StoredEnvelope storedEnvelope() {
    return message.stored(retryState);
  }
}
