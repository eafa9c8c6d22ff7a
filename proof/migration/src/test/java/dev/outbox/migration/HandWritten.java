package dev.outbox.migration;

import com.example.OrderPlaced;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.UUID;

/** A table as many applications have written it. Stateless. */
final class HandWritten implements Origin {
  @Override
  public void fill(Sandbox sandbox) throws Exception {
    boolean isPostgres = sandbox.server().database() == Database.POSTGRES;
    String tables = "handwritten-tables-" + (isPostgres ? "postgresql" : "mysql") + ".sql";
    try (Connection connection = sandbox.open();
        Statement statement = connection.createStatement()) {
      statement.execute(Files.readString(Path.of("src", "test", "resources", tables)));
      for (OrderPlaced order : Origin.orders()) {
        insert(connection, order, isPostgres);
      }
      statement.execute(
          "UPDATE outbox_events SET sent_at = CURRENT_TIMESTAMP WHERE id <= " + DELIVERED);
    }
  }

  static void insert(Connection connection, OrderPlaced order, boolean isPostgres)
      throws Exception {
    String values = isPostgres ? "(?::uuid, ?, ?, ?::jsonb)" : "(?, ?, ?, ?)";
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO outbox_events (event_id, event_type, aggregate_id, payload) VALUES "
                + values)) {
      insert.setString(1, UUID.randomUUID().toString());
      insert.setString(2, "orders.placed");
      insert.setString(3, order.customer());
      insert.setString(4, Origin.json(order));
      insert.executeUpdate();
    }
  }

  @Override
  public String ids() {
    return "SELECT event_id FROM outbox_events";
  }

  @Override
  public boolean keepsOrder(boolean isPostgres) {
    return true;
  }
}
