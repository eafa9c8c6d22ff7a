package dev.outbox.jdbc.internal;

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
record Place(int lane, long id) {
  static Place of(Stored stored) {
    return new Place(stored.lane().number(), stored.id());
  }

  static Place of(Glimpse message) {
    return new Place(message.lane(), message.message().id());
  }

  static Place of(ResultSet row) throws SQLException {
    return new Place(row.getInt("lane"), row.getLong("id"));
  }

  Map<String, Object> values() {
    return Map.of("lane", lane, "id", id);
  }

  /** As {@link #values}, of a row that may have become another message's since it was read. */
  Map<String, Object> values(MessageId message) {
    return Map.of("lane", lane, "id", id, "message_id", message);
  }
}
