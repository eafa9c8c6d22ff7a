package dev.outbox.testkit.contract;

import dev.outbox.Outbox;
import dev.outbox.message.Message;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The business rows of an application: a table in the outbox's database, or, where a store knows no
 * SQL, messages that are put off.
 *
 * <p>Used by one thread at a time.
 */
interface Ledger {
  /** How far off the entries of a ledger without SQL are. */
  Duration FAR = Duration.ofDays(20);

  String TOPIC = "ledger";

  /** Writes a row in the caller's transaction. */
  void write(Connection transaction, String entry) throws SQLException;

  /** What is committed, in the order of the texts. */
  List<String> entries() throws Exception;

  /** A ledger of messages in {@code outbox}, read by {@code left} after {@link #FAR}. */
  static Ledger ofMessages(Outbox outbox, Left left) {
    return new Ledger() {
      @Override
      public void write(Connection transaction, String entry) {
        outbox.enqueue(transaction, Message.to(TOPIC).deliverAfter(FAR).text(entry));
      }

      @Override
      public List<String> entries() throws Exception {
        return left.texts(TOPIC).stream().sorted().toList();
      }
    };
  }

  /** A table, empty from now on. */
  static Ledger ofTable(StoreEnvironment environment) throws SQLException {
    try (Connection connection = environment.applications().getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(true);
      create(statement);
    }
    return new Table(environment);
  }

  private static void create(Statement statement) throws SQLException {
    try {
      statement.execute("CREATE TABLE ledger (entry VARCHAR(200) NOT NULL)");
    } catch (SQLException e) {
      // it is there already, or this says what is wrong
      statement.execute("DELETE FROM ledger");
    }
  }

  /** The texts of a topic that are still in the store, however far off. */
  interface Left {
    List<String> texts(String topic) throws Exception;
  }

  /** A ledger in SQL. */
  record Table(StoreEnvironment environment) implements Ledger {
    @Override
    public void write(Connection transaction, String entry) throws SQLException {
      try (PreparedStatement insert =
          transaction.prepareStatement("INSERT INTO ledger (entry) VALUES (?)")) {
        insert.setString(1, entry);
        insert.executeUpdate();
      }
    }

    @Override
    public List<String> entries() throws SQLException {
      try (Connection connection = environment.applications().getConnection();
          Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery("SELECT entry FROM ledger ORDER BY entry")) {
        List<String> entries = new ArrayList<>();
        while (rows.next()) {
          entries.add(rows.getString(1));
        }
        return entries;
      }
    }
  }
}
