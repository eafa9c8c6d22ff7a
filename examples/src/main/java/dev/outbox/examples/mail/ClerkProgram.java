package dev.outbox.examples.mail;

import dev.outbox.Outbox;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.message.Message;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * The shop as its own process: an order, its mail to be, and the message that asks for it are one
 * transaction. After a kill the next clerk goes on behind the last order that was committed.
 */
public final class ClerkProgram {
  private static final int EVERY_NINTH = 9;
  private static final int NEVER_COMMITTED = 1_000_000;
  private static final long PACE_NANOS = 5_000_000;

  private ClerkProgram() {}

  /** Places orders in the database at {@code args[0]} until there are {@code args[1]}. */
  public static void main(String[] args) throws SQLException {
    DataSource dataSource = Books.at(args[0]);
    Outbox outbox = Outbox.create(JdbcStore.create(dataSource));
    int wanted = Integer.parseInt(args[1]);
    int last = Books.count(dataSource, "COALESCE(MAX(number), 0) FROM orders");
    for (int number = last + 1; number <= wanted; number++) {
      place(dataSource, outbox, number, true);
      if (number % EVERY_NINTH == 0) {
        place(dataSource, outbox, NEVER_COMMITTED + number, false);
      }
      LockSupport.parkNanos(PACE_NANOS);
    }
    System.exit(0);
  }

  private static void place(DataSource dataSource, Outbox outbox, int number, boolean commits)
      throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      Books.place(connection, number);
      outbox.enqueue(connection, Message.to("mails").text(String.valueOf(number)));
      if (commits) {
        connection.commit();
      } else {
        connection.rollback();
      }
    }
  }
}
