package dev.outbox.jdbc;

import dev.outbox.servers.Database;
import dev.outbox.tck.InboxContract;
import dev.outbox.tck.InboxEnvironment;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

final class H2InboxTest extends InboxContract {
  private static JdbcInboxes inboxes;

  @BeforeAll
  static void start() {
    inboxes = JdbcInboxes.on(Database.H2);
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
