package dev.outbox.jdbc.internal.message;

import dev.outbox.message.MessageId;
import dev.outbox.store.Stored;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;

/**
 * Where a message stands.
 *
 * <p>Immutable.
 */
public record Place(int lane, long id) {
  public static Place of(Stored stored) {
    return new Place(stored.lane().number(), stored.id());
  }

  public static Place of(Glimpse message) {
    return new Place(message.lane(), message.message().id());
  }

  public static Place of(ResultSet row) throws SQLException {
    return new Place(row.getInt("lane"), row.getLong("id"));
  }

  public Map<String, Object> values() {
    return Map.of("lane", lane, "id", id);
  }

  /** As {@link #values}, of a row that may have become another message's since it was read. */
  public Map<String, Object> values(MessageId message) {
    return Map.of("lane", lane, "id", id, "message_id", message);
  }
}
