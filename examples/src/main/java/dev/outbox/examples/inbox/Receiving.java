package dev.outbox.examples.inbox;

import dev.outbox.Inbox;
import dev.outbox.Inbox.Delivery;
import dev.outbox.Inbox.Sorted;
import dev.outbox.Outbox;
import dev.outbox.jdbc.JdbcInbox;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;

/** The code of docs/consume-once.md. */
public final class Receiving {
  private final DataSource dataSource;
  private final Inbox inbox;

  /** Over the consumer's own database. */
  public Receiving(DataSource dataSource) {
    this.dataSource = dataSource;
    this.inbox = open(dataSource);
  }

  private static Inbox open(DataSource dataSource) {
    Schema.builder(dataSource)
        .only(Schema.Part.RECEIPT)
        .create(); // once; or receipt.sql of the jar
    Inbox inbox =
        Inbox.builder(JdbcInbox.create(dataSource)).retention(Duration.ofDays(30)).build();
    return inbox;
  }

  /** One message. */
  public Inbox.Answer receive(MessageId id, String payload) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      Inbox.Answer answer =
          inbox.once(connection, "mailer", id, transaction -> handle(transaction, payload));
      connection.commit();
      return answer; // DONE or REPEATED: acknowledge it to the broker; TOO_OLD: put it aside first
    }
  }

  /** Several messages. */
  public Sorted receive(List<MessageId> ids) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      Sorted sorted = inbox.receive(connection, "mailer", ids);
      for (MessageId id : sorted.fresh()) {
        handle(connection, id.toString());
      }
      connection.commit();
      return sorted;
    }
  }

  /** A message that was delayed until {@code due}. */
  public Inbox.Answer receiveDelayed(MessageId id, Instant due) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      Delivery delivery = new Delivery("mailer", id, due);
      Inbox.Answer answer =
          inbox.once(connection, delivery, transaction -> handle(transaction, "remind"));
      connection.commit();
      return answer;
    }
  }

  /** Once a day. */
  public long purge() {
    return inbox.purge(); // how many; a StoreException when the database is down: then tomorrow
  }

  /** A request that may come twice. */
  public static MessageId place(Outbox outbox, Connection connection, String requestId) {
    MessageId id =
        outbox.enqueue(connection, Message.to("orders.placed").dedupeKey(requestId).text("placed"));
    return id;
  }

  private static void handle(Connection transaction, String payload) throws SQLException {
    try (var insert = transaction.prepareStatement("INSERT INTO mails (text) VALUES (?)")) {
      insert.setString(1, payload);
      insert.executeUpdate();
    }
  }
}
