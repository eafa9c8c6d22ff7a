package dev.outbox.brokers.consume;

import dev.outbox.message.MessageId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** The effect of a message: a row without a key, so that a second one is seen. */
final class Billing {
  /** The name of the consumer in receipts, and of its group. */
  static final String CONSUMER = "billing";

  static final String TABLE = "CREATE TABLE bill (item text NOT NULL)";

  static final String ASIDE = "CREATE TABLE aside (message_id text NOT NULL, item text NOT NULL)";

  private Billing() {}

  static void bill(Connection connection, String item) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO bill (item) VALUES (?)")) {
      insert.setString(1, item);
      insert.executeUpdate();
    }
  }

  /** A message whose effect may or may not have happened: a person decides. */
  static void putAside(Connection connection, MessageId id, String item) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO aside (message_id, item) VALUES (?, ?)")) {
      insert.setString(1, id.toString());
      insert.setString(2, item);
      insert.executeUpdate();
    }
  }
}
