package dev.outbox.jdbc.internal.operate;

import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.Limits;
import dev.outbox.jdbc.internal.session.Faults;
import dev.outbox.jdbc.internal.session.Session;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.sql.RegistryStatement;
import dev.outbox.spi.RelayRegistry;
import dev.outbox.spi.lane.LiveRelay;
import java.sql.Connection;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * The live relays, over connections borrowed call by call.
 *
 * <p>Safe for use by many threads when it borrows.
 */
public final class RelayTable implements RelayRegistry {
  private final Sql sql;
  private final Supplier<Session> sessions;
  private final boolean keepsSession;

  private RelayTable(Sql sql, Supplier<Session> sessions, boolean keepsSession) {
    this.sql = sql;
    this.sessions = sessions;
    this.keepsSession = keepsSession;
  }

  /** On a connection borrowed for each call. */
  public static RelayTable borrowing(DataSource dataSource, Sql sql, Limits limits) {
    return new RelayTable(sql, () -> new Session(dataSource, sql, limits), false);
  }

  /** On the connection of {@code session}, by its thread. */
  public static RelayTable over(Session session, Sql sql) {
    return new RelayTable(sql, () -> session, true);
  }

  private <T> T call(String what, Session.Work<T> work) {
    Session session = sessions.get();
    if (keepsSession) {
      return session.transaction(what, work);
    }
    try (session) {
      return session.transaction(what, work);
    }
  }

  @Override
  public List<LiveRelay> beat(String relay, Duration lifetime, boolean sharing) {
    Map<String, Object> values =
        Map.of("relay", relay, "lifetime", lifetime, "sharing", sharing ? 1 : 0);
    return call(
        "beat relay " + relay,
        connection -> {
          beat(connection, values);
          return live(sql, connection);
        });
  }

  /** On H2 and Oracle two workers of one relay may insert its row at the same time. */
  private void beat(Connection connection, Map<String, Object> values) {
    try {
      sql.update(connection, RegistryStatement.BEAT, values);
    } catch (RuntimeException e) {
      throw Faults.raced("another worker of the relay beats for the first time", e, sql.dialect());
    }
  }

  @Override
  public List<LiveRelay> live() {
    return call("list live relays", connection -> live(sql, connection));
  }

  /** As {@link #live()}, over a connection that is there. */
  static List<LiveRelay> live(Sql sql, Connection connection) {
    Dialect dialect = sql.dialect();
    return sql
        .query(
            connection,
            RegistryStatement.LIVE_RELAYS,
            Map.of(),
            row ->
                new LiveRelay(
                    row.getString("relay"),
                    row.getInt("sharing") == 1,
                    Objects.requireNonNull(dialect.instant(row, row.findColumn("started_at")))))
        .stream()
        .sorted(Comparator.comparing(LiveRelay::name))
        .toList();
  }

  @Override
  public void leave(String relay) {
    call(
        "leave relay " + relay,
        connection -> {
          sql.update(connection, RegistryStatement.FORGET_RELAYS, Map.of());
          return sql.update(connection, RegistryStatement.LEAVE, Map.of("relay", relay));
        });
  }
}
