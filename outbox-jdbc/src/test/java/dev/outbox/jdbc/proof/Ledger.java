package dev.outbox.jdbc.proof;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * The business table of the proofs: a row for each message, written in the transaction of its
 * enqueue. So the database itself says what was committed, also when a commit's answer was lost.
 *
 * <p>Safe for use by many threads.
 */
public record Ledger(DataSource dataSource) {

  public void create() throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE proof_ledger (message_id VARCHAR(36) PRIMARY KEY,"
              + " msg_key VARCHAR(40) NOT NULL, seq BIGINT NOT NULL)");
    }
  }

  public void write(Connection transaction, List<Passage> messages) throws SQLException {
    String rows = "(?, ?, ?), ".repeat(messages.size());
    try (PreparedStatement insert =
        transaction.prepareStatement(
            "INSERT INTO proof_ledger (message_id, msg_key, seq) VALUES "
                + rows.substring(0, rows.length() - 2))) {
      int place = 1;
      for (Passage message : messages) {
        insert.setString(place++, message.id());
        insert.setString(place++, message.key());
        insert.setLong(place++, message.sequence());
      }
      insert.executeUpdate();
    }
  }

  /** All that was committed. */
  public List<Passage> committed() throws SQLException {
    List<Passage> committed = new ArrayList<>();
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT message_id, msg_key, seq FROM proof_ledger")) {
      while (rows.next()) {
        committed.add(
            new Passage(rows.getString(1), Passage.TOPIC, rows.getString(2), rows.getLong(3)));
      }
    }
    return committed;
  }
}
