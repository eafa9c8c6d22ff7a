package dev.outbox.examples.pages;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.jdbc.TableResolver;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Resolver;
import dev.outbox.spi.OutboxStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The code of docs/by-reference.md. */
public final class ByReference {
  private ByReference() {}

  /** A mail of a customer. */
  public record Mail(String id, String customer, String body) {}

  /** Writes a mail, and a message of it that has no payload of its own. */
  public static void request(Outbox outbox, Connection connection, Mail mail) throws SQLException {
    insert(connection, mail); // your row
    outbox.enqueue(
        connection,
        Message.to("mails.requested").key(mail.customer()).reference("mail_deliveries", mail.id()));
  }

  /** A relay that loads payloads from two tables. */
  public static Relay start(DataSource dataSource, OutboxStore store, Publisher publisher) {
    Resolver resolver =
        TableResolver.builder(dataSource)
            .column("mail_deliveries", "id", "body") // bytes or text, as they are
            .object("orders", "id", "customer", "total", "placed_at") // a JSON object of these
            .build();
    Relay relay = Relay.builder(store, publisher.resolving(resolver)).start();
    return relay;
  }

  private static void insert(Connection connection, Mail mail) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO mail_deliveries (id, body) VALUES (?, ?)")) {
      insert.setString(1, mail.id());
      insert.setString(2, mail.body());
      insert.executeUpdate();
    }
  }
}
