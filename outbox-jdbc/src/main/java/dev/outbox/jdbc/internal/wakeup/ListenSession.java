package dev.outbox.jdbc.internal.wakeup;

import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * A session that listens. The only class that needs PostgreSQL's driver; others load without it.
 *
 * <p>Used by one thread; {@link #close} may be called from any.
 */
final class ListenSession implements AutoCloseable {
  private static final int VALID_SECONDS = 5;

  private final WakeupConnection wakeupConnection;
  private final PGConnection driver;

  /** What was heard on a channel. */
  record Heard(String channel, Notice notice) {}

  private ListenSession(WakeupConnection wakeupConnection, PGConnection driver) {
    this.wakeupConnection = wakeupConnection;
    this.driver = driver;
  }

  static ListenSession open(DataSource dataSource) throws SQLException {
    WakeupConnection wakeupConnection = WakeupConnection.open(dataSource);
    try {
      return new ListenSession(
          wakeupConnection, wakeupConnection.connection().unwrap(PGConnection.class));
    } catch (SQLException | RuntimeException e) {
      wakeupConnection.cut();
      throw e;
    }
  }

  void listen(String channel) throws SQLException {
    execute("LISTEN \"" + channel.replace("\"", "\"\"") + "\"");
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = wakeupConnection.connection().createStatement()) {
      statement.execute(sql);
    }
  }

  /** Waits at most {@code patience} for a notification. */
  List<Heard> await(Duration patience) throws SQLException {
    PGNotification[] notifications = driver.getNotifications(Math.toIntExact(patience.toMillis()));
    return notifications == null
        ? List.of()
        : Arrays.stream(notifications).map(ListenSession::heard).toList();
  }

  private static Heard heard(PGNotification notification) {
    return new Heard(notification.getName(), Notice.of(notification.getParameter()));
  }

  /** Asks the server, which a dead network would never say by itself. */
  void requireAlive() throws SQLException {
    if (!wakeupConnection.connection().isValid(VALID_SECONDS)) {
      throw new SQLException("the listening session is gone", "08006");
    }
  }

  /** Listens no more and returns its connection. */
  void giveBack() throws SQLException {
    execute("UNLISTEN *");
    wakeupConnection.giveBack();
  }

  /** Breaks the session if it was not returned: a pool must not lend one that listens. */
  @Override
  public void close() {
    wakeupConnection.cut();
  }
}
