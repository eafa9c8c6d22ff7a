package dev.outbox.jdbc.failover;

import dev.outbox.message.MessageId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/** What is in the outbox tables. Safe for use by many threads. */
record Contents(DataSource dataSource) {

  long number(String query) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
  }

  long ready() throws SQLException {
    return number("SELECT COUNT(*) FROM outbox");
  }

  /** The messages of a table, each with a value of its row. */
  Map<MessageId, Optional<String>> messages(String table, String column) throws SQLException {
    return messages("SELECT message_id, %s FROM %s".formatted(column, table));
  }

  /** Ready messages and their keys. */
  Map<MessageId, Optional<String>> readyKeys() throws SQLException {
    return messages("outbox", "msg_key");
  }

  /** Parked messages of a key of which none is ever due, and their keys. */
  Map<MessageId, Optional<String>> neverDue() throws SQLException {
    return messages(
        """
        SELECT p.message_id, p.msg_key
        FROM outbox_parked p
        WHERE NOT EXISTS (
          SELECT 1
          FROM outbox_parked e
          WHERE e.msg_key = p.msg_key
            AND e.due_at IS NOT NULL)
          AND p.due_at IS NULL
        """);
  }

  private Map<MessageId, Optional<String>> messages(String query) throws SQLException {
    Map<MessageId, Optional<String>> messages = new HashMap<>();
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        messages.put(messageId(rows.getObject(1)), Optional.ofNullable(rows.getString(2)));
      }
    }
    return messages;
  }

  private static MessageId messageId(Object id) {
    return id instanceof byte[] bytes ? MessageId.fromBytes(bytes) : MessageId.parse(id.toString());
  }
}
