package dev.outbox.jdbc.internal.message;

import dev.outbox.message.MessageId;
import dev.outbox.spi.settle.StoredEnvelope;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;

/**
 * Where a message stands.
 *
 * <p>Immutable.
 */
public record RowId(int lane, long id) {
  public static RowId of(StoredEnvelope storedEnvelope) {
    return new RowId(storedEnvelope.lane().number(), storedEnvelope.id());
  }

  public static RowId of(MessageHead message) {
    return new RowId(message.lane(), message.message().id());
  }

  public static RowId of(ResultSet row) throws SQLException {
    return new RowId(row.getInt("lane"), row.getLong("id"));
  }

  public Map<String, Object> values() {
    return Map.of("lane", lane, "id", id);
  }

  /** As {@link #values}, of a row that may have become another message's since it was read. */
  public Map<String, Object> values(MessageId message) {
    return Map.of("lane", lane, "id", id, "message_id", message);
  }
}
