package dev.outbox.examples.pages;

import dev.outbox.Claiming;
import dev.outbox.Relay;
import dev.outbox.Topics;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Publisher;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;

/** The code of docs/work-queue.md. */
public final class WorkQueue {
  private WorkQueue() {}

  /** Work of two kinds, done in the database that is its queue. */
  public static Relay start(DataSource dataSource) {
    Schema.builder(dataSource).claiming(Claiming.ROWS).create();
    JdbcStore store = JdbcStore.create(dataSource);

    Publisher invoices = Publisher.transactional((envelope, tx) -> write(tx, envelope));
    Publisher reports = Publisher.transactional((envelope, tx) -> render(tx, envelope));

    Relay relay =
        Relay.builder(store, Publisher.route(Map.of("invoices", invoices, "reports", reports)))
            .workers(8) // eight messages at a time, eight connections
            .batch(1) // long work: one message for each claim
            .publishDeadline(Duration.ofMinutes(5)) // longer than the longest work
            .closeDeadline(Duration.ofMinutes(5)) // close() waits for work that runs
            .start();
    Topics.create(store).cap("reports", 2); // of these, two at a time for each relay
    return relay;
  }

  private static void write(Connection tx, Envelope envelope) throws SQLException {
    insert(tx, "INSERT INTO invoices (text) VALUES (?)", envelope);
  }

  private static void render(Connection tx, Envelope envelope) throws SQLException {
    insert(tx, "INSERT INTO reports (text) VALUES (?)", envelope);
  }

  private static void insert(Connection tx, String sql, Envelope envelope) throws SQLException {
    try (PreparedStatement insert = tx.prepareStatement(sql)) {
      insert.setString(1, envelope.payload().text());
      insert.executeUpdate();
    }
  }
}
