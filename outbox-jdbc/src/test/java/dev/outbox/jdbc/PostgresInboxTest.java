package dev.outbox.jdbc;

import dev.outbox.testkit.contract.InboxContract;
import dev.outbox.testkit.contract.InboxEnvironment;
import dev.outbox.testkit.database.Database;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock(value = "the deadlock count of a server", mode = ResourceAccessMode.READ)
final class PostgresInboxTest extends InboxContract {
  private static JdbcInboxes inboxes;

  @BeforeAll
  static void start() {
    inboxes = JdbcInboxes.on(Database.POSTGRES);
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
