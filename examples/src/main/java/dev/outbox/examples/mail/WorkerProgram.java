package dev.outbox.examples.mail;

import dev.outbox.Inbox;
import dev.outbox.Inbox.Answer;
import dev.outbox.StoreException;
import dev.outbox.jdbc.JdbcInbox;
import dev.outbox.message.MessageId;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * A worker as its own process: takes mails from the queue, sends them and says so in the database.
 * The receipt, the status and nothing else commit together, so the status changes once.
 *
 * <p>The mail server takes part in no transaction. A worker that is killed between the server's
 * "250 OK" and the commit leaves no receipt, and the mail is sent again: here, and nowhere else, a
 * customer may get a mail twice. Committing before sending would lose the mail in the same place.
 */
public final class WorkerProgram {
  private static final long PAUSE_NANOS = 50_000_000;

  private final DataSource dataSource;
  private final Inbox inbox;
  private final int queuePort;
  private final int mailPort;
  private final String name;

  private WorkerProgram(String[] args) {
    this.dataSource = Books.at(args[0]);
    this.inbox = Inbox.create(JdbcInbox.create(dataSource));
    this.queuePort = Integer.parseInt(args[1]);
    this.mailPort = Integer.parseInt(args[2]);
    this.name = args[3];
  }

  /**
   * Works over the database at {@code args[0]}, the queue at port {@code args[1]} and the mail
   * server at port {@code args[2]}, under the name {@code args[3]}.
   */
  public static void main(String[] args) {
    WorkerProgram worker = new WorkerProgram(args);
    while (true) {
      worker.work();
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** Works until something fails. What it has not acknowledged comes back from the queue. */
  private void work() {
    try (Line queue = Line.to(queuePort)) {
      while (true) {
        String[] message = queue.ask("GET").split(" ", -1);
        receive(MessageId.parse(message[0]), Integer.parseInt(message[1]));
        queue.ask("ACK " + name);
      }
    } catch (IOException | SQLException | StoreException e) {
      System.err.printf("%s goes on after: %s%n", name, e.getMessage());
    }
  }

  private void receive(MessageId id, int number) throws SQLException, IOException {
    try (Connection connection = dataSource.getConnection()) {
      Answer answer =
          inbox.once(
              connection,
              "mailer",
              id,
              transaction -> {
                Books.markSent(transaction, number);
                send(id, number);
              });
      if (answer == Answer.TOO_OLD) {
        Books.putAside(connection, number);
      }
      connection.commit();
    }
  }

  /** The id goes along as the mail's Message-ID, so that a mail server may drop repeats. */
  private void send(MessageId id, int number) throws IOException {
    try (Line mailServer = Line.to(mailPort)) {
      mailServer.ask("MAIL %s %s %d".formatted(name, id, number));
    }
  }
}
