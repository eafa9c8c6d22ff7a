package dev.outbox.jdbc;

import dev.outbox.tck.InboxContract;
import dev.outbox.tck.InboxEnvironment;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Oracle's statements, word for word, on H2: not a proof that Oracle accepts them. */
final class OracleOnH2InboxTest extends InboxContract {
  private static JdbcInboxes inboxes;

  @BeforeAll
  static void start() throws SQLException {
    inboxes = JdbcInboxes.onOracleText();
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
