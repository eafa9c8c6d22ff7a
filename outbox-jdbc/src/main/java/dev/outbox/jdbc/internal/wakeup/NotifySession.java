package dev.outbox.jdbc.internal.wakeup;

import dev.outbox.spi.lane.Lane;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A session that tells, begun when there is something to say.
 *
 * <p>Used by one thread; {@link #cut} may be called from any.
 */
final class NotifySession {
  // the commit is not flushed: there is nothing in it to keep
  private static final String NOTIFY =
      """
      SELECT set_config('synchronous_commit', 'off', true), pg_notify(channel, said)
      FROM unnest(?::text[], ?::text[]) AS news(channel, said)
      """;

  private final DataSource dataSource;
  private final String self;
  private volatile @Nullable WakeupConnection wakeupConnection;

  /** Speaks as {@code self}. */
  NotifySession(DataSource dataSource, String self) {
    this.dataSource = dataSource;
    this.self = self;
  }

  /** Says where there is news, by channel; no lanes are anywhere. */
  void say(Map<String, Set<Lane>> news) throws SQLException {
    WakeupConnection open = wakeupConnection;
    if (open == null) {
      open = WakeupConnection.open(dataSource);
      wakeupConnection = open;
    }
    say(open.connection(), news);
  }

  private void say(Connection connection, Map<String, Set<Lane>> news) throws SQLException {
    List<String> texts =
        news.values().stream().map(lanes -> new Notice(lanes, self).text()).toList();
    try (PreparedStatement statement = connection.prepareStatement(NOTIFY)) {
      statement.setArray(1, connection.createArrayOf("text", news.keySet().toArray()));
      statement.setArray(2, connection.createArrayOf("text", texts.toArray()));
      statement.execute();
    }
  }

  void giveBack() throws SQLException {
    WakeupConnection open = wakeupConnection;
    if (open != null) {
      open.giveBack();
      wakeupConnection = null;
    }
  }

  /** Breaks the session; the next word begins another. */
  void cut() {
    WakeupConnection open = wakeupConnection;
    wakeupConnection = null;
    if (open != null) {
      open.cut();
    }
  }
}
