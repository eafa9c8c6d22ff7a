package dev.outbox.jdbc;

import dev.outbox.servers.Database;
import dev.outbox.tck.InboxContract;
import dev.outbox.tck.InboxEnvironment;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock(value = "the deadlock count of a server", mode = ResourceAccessMode.READ)
final class MariaDbInboxTest extends InboxContract {
  private static JdbcInboxes inboxes;

  @BeforeAll
  static void start() {
    inboxes = JdbcInboxes.on(Database.MARIADB);
  }

  @AfterAll
  static void stop() {
    inboxes.close();
  }

  @Override
  protected InboxEnvironment open() throws SQLException {
    return inboxes.open();
  }
}
