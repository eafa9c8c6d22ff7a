package dev.outbox.jdbc.internal;

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
}
