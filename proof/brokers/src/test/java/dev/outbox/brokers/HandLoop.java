package dev.outbox.brokers;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An outbox as one writes it by hand: a table, and a loop that reads 500 rows, sends them, waits
 * once, deletes them and commits. Of one key it sends the next when the one before is acknowledged.
 */
record HandLoop(Connection connection, HandSender sender) {
  private static final int READ = 500;

  static void createTable(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          """
          CREATE TABLE hand (id bigserial PRIMARY KEY, message_id uuid NOT NULL, topic text NOT NULL,
            key text, content_type text NOT NULL, payload bytea NOT NULL)\
          """);
    }
  }

  /** {@code keys} of 0 is without keys. */
  static void fill(Connection connection, int messages, int keys, int bytes) throws SQLException {
    String key = keys == 0 ? "NULL" : "'k' || (n % " + keys + ")";
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          """
          INSERT INTO hand (message_id, topic, key, content_type, payload)
          SELECT gen_random_uuid(), '%s', %s, 'application/octet-stream', decode(repeat('00', %d), 'hex')
          FROM generate_series(1, %d) n\
          """
              .formatted(TestBroker.TOPIC, key, bytes, messages));
      statement.execute("VACUUM ANALYZE hand");
    }
  }

  /** Until the table is empty. */
  void run(boolean oneByOne) throws Exception {
    connection.setAutoCommit(false);
    while (step(oneByOne)) {
      connection.commit();
    }
    connection.commit();
  }

  private boolean step(boolean oneByOne) throws Exception {
    List<Long> ids = new ArrayList<>();
    try (PreparedStatement select =
            connection.prepareStatement(
                "SELECT id, message_id, topic, key, content_type, payload FROM hand ORDER BY id"
                    + " LIMIT "
                    + READ
                    + " FOR UPDATE");
        ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        ids.add(rows.getLong(1));
        sender.send(row(rows));
        if (oneByOne) {
          sender.await();
        }
      }
    }
    sender.await();
    try (PreparedStatement delete =
        connection.prepareStatement("DELETE FROM hand WHERE id = ANY (?)")) {
      delete.setArray(1, connection.createArrayOf("bigint", ids.toArray()));
      delete.executeUpdate();
    }
    return !ids.isEmpty();
  }

  private static HandSender.Row row(ResultSet rows) throws SQLException {
    @Nullable String key = rows.getString(4);
    return new HandSender.Row(
        rows.getObject(2, UUID.class), rows.getString(3), key, rows.getString(5), rows.getBytes(6));
  }
}
