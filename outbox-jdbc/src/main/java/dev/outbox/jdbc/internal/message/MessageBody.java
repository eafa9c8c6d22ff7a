package dev.outbox.jdbc.internal.message;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * What may be large in a row; a ready one has no history.
 *
 * <p>Immutable.
 */
@SuppressWarnings("ArrayRecordComponent")
public // never compared
record MessageBody(byte @Nullable [] payload, @Nullable String headers, @Nullable String history) {
  public static MessageBody ready(ResultSet row) throws SQLException {
    return new MessageBody(row.getBytes("payload"), row.getString("headers"), null);
  }

  public static MessageBody parked(ResultSet row) throws SQLException {
    return new MessageBody(
        row.getBytes("payload"), row.getString("headers"), row.getString("history"));
  }
}
