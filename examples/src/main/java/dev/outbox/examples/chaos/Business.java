package dev.outbox.examples.chaos;

import dev.outbox.message.MessageId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * The application's own tables: accounts, whose rows serialise the writers of a key, and their
 * changes, each with the ids of the messages of its transaction. So the database itself says what
 * was committed, also when the writer died before it heard of its commit.
 *
 * <p>Safe for use by many threads.
 */
record Business(DataSource dataSource) {
  static final int ACCOUNTS = 200;

  static String account(int number) {
    return "account-" + number;
  }

  void create() throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE chaos_account (name VARCHAR(40) PRIMARY KEY, changes INTEGER NOT NULL)");
      statement.execute(
          "CREATE TABLE chaos_change (ids VARCHAR(200) PRIMARY KEY, writer VARCHAR(40) NOT NULL,"
              + " account VARCHAR(40) NOT NULL, messages INTEGER NOT NULL)");
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO chaos_account VALUES (?, 0)")) {
        for (int number = 0; number < ACCOUNTS; number++) {
          insert.setString(1, account(number));
          insert.addBatch();
        }
        insert.executeBatch();
      }
    }
  }

  /** Changes the account; no other transaction does until this one has ended. */
  void change(Connection transaction, String account) throws SQLException {
    try (PreparedStatement update =
        transaction.prepareStatement(
            "UPDATE chaos_account SET changes = changes + 1 WHERE name = ?")) {
      update.setString(1, account);
      update.executeUpdate();
    }
  }

  /** Writes the change down. */
  void record(Connection transaction, String writer, String account, List<MessageId> ids)
      throws SQLException {
    try (PreparedStatement insert =
        transaction.prepareStatement("INSERT INTO chaos_change VALUES (?, ?, ?, ?)")) {
      insert.setString(1, words(ids));
      insert.setString(2, writer);
      insert.setString(3, account);
      insert.setInt(4, ids.size());
      insert.executeUpdate();
    }
  }

  /** Whether the transaction that wrote these messages was committed. */
  boolean isCommitted(List<MessageId> ids) throws SQLException {
    return count("SELECT COUNT(*) FROM chaos_change WHERE ids = ?", words(ids)) > 0;
  }

  /** How many messages this writer has committed. */
  int written(String writer) throws SQLException {
    return count("SELECT COALESCE(SUM(messages), 0) FROM chaos_change WHERE writer = ?", writer);
  }

  /** How many messages are committed. */
  int written() throws SQLException {
    return count("SELECT COALESCE(SUM(messages), 0) FROM chaos_change WHERE writer <> ?", "");
  }

  /** The ids of all messages that were committed. */
  Set<MessageId> committed() throws SQLException {
    Set<MessageId> committed = new HashSet<>();
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT ids FROM chaos_change")) {
      while (rows.next()) {
        Arrays.stream(rows.getString(1).split(" ", -1))
            .map(MessageId::parse)
            .forEach(committed::add);
      }
    }
    return committed;
  }

  private int count(String query, String parameter) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement select = connection.prepareStatement(query)) {
      select.setString(1, parameter);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return row.getInt(1);
      }
    }
  }

  private static String words(List<MessageId> ids) {
    return ids.stream().map(MessageId::toString).collect(Collectors.joining(" "));
  }
}
