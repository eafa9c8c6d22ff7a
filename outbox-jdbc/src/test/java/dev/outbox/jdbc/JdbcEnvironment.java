package dev.outbox.jdbc;

import dev.outbox.message.Lane;
import dev.outbox.store.OutboxStore;
import dev.outbox.testkit.contract.StoreEnvironment;
import dev.outbox.testkit.contract.StoreSetting;
import dev.outbox.testkit.database.Database;
import dev.outbox.testkit.database.Sandbox;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import javax.sql.DataSource;

/**
 * A store on a real server, whose time is the server's own: time passes by moving what the tables
 * say.
 */
final class JdbcEnvironment implements StoreEnvironment {
  private static final List<String> TIMES =
      List.of(
          "UPDATE %s_lane SET lease_until = lease_until %s",
          "UPDATE %s_parked SET due_at = due_at %s",
          "UPDATE %s_parked SET first_failed_at = first_failed_at %s",
          "UPDATE %s_delayed SET due_at = due_at %s",
          "UPDATE %s_dead SET died_at = died_at %s",
          "UPDATE %s_relay SET live_until = live_until %s");

  private final Sandbox sandbox;
  private final DataSource applications;
  private final FaultyDataSource sessions;
  private final String prefix;
  private final StoreSetting setting;
  private final String laneSql;
  private final JdbcStore store;

  JdbcEnvironment(
      Sandbox sandbox,
      DataSource applications,
      FaultyDataSource sessions,
      String prefix,
      StoreSetting setting,
      String laneSql) {
    this.sandbox = sandbox;
    this.applications = applications;
    this.sessions = sessions;
    this.prefix = prefix;
    this.setting = setting;
    this.laneSql = laneSql;
    this.store = open(sessions);
  }

  private JdbcStore open(DataSource dataSource) {
    JdbcStore.Builder builder = JdbcStore.builder(dataSource).tablePrefix(prefix);
    return setting.archives() ? builder.archive().build() : builder.build();
  }

  @Override
  public OutboxStore store() {
    return store;
  }

  @Override
  public DataSource applications() {
    return applications;
  }

  @Override
  public OutboxStore storeIn(ZoneOffset zone) {
    return open(sandbox.dataSourceInZone(zone));
  }

  @Override
  public Connection connectionIn(ZoneOffset zone) throws SQLException {
    return sandbox.openInZone(zone);
  }

  @Override
  public void passTime(Duration step) throws SQLException {
    String operator = step.isNegative() ? "+" : "-";
    Duration left = step.abs();
    String shift =
        " %s INTERVAL '%d' HOUR %s INTERVAL '%d' MINUTE %s INTERVAL '%d' SECOND"
            .formatted(
                operator,
                left.toHours(),
                operator,
                left.toMinutesPart(),
                operator,
                left.toSecondsPart());
    try (Connection connection = applications.getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : TIMES) {
        statement.executeUpdate(sql.formatted(prefix, shift));
      }
      if (setting.archives()) {
        statement.executeUpdate(
            "UPDATE %s_archive SET completed_at = completed_at %s".formatted(prefix, shift));
      }
    }
  }

  @Override
  public AutoCloseable lock(Lane lane) throws SQLException {
    Connection connection = sandbox.open();
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT lane FROM %s_lane WHERE lane = %s FOR UPDATE".formatted(prefix, lane))) {
      if (!row.next()) {
        throw new IllegalArgumentException("there is no lane " + lane);
      }
    }
    return () -> {
      connection.rollback();
      connection.close();
    };
  }

  @Override
  public long deadlocks() {
    return isH2() ? 0 : sandbox.server().deadlocks();
  }

  private boolean isH2() {
    return sandbox.server().database() == Database.H2;
  }

  /** H2 has no limit for a session that rests: it lives and dies with the process. */
  @Override
  public boolean endsRestingSessions() {
    return !isH2();
  }

  @Override
  public void kill(Connection connection) throws SQLException {
    if (!isH2()) {
      connection.abort(Runnable::run);
      return;
    }
    // H2's abort does nothing
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("CALL session_id()");
        Connection admin = sandbox.openAdmin();
        Statement killer = admin.createStatement()) {
      row.next();
      killer.execute("CALL abort_session(" + row.getInt(1) + ")");
    }
  }

  @Override
  public OptionalInt laneInSql(String key, int lanes) throws SQLException {
    try (Connection connection = applications.getConnection();
        PreparedStatement statement = connection.prepareStatement(laneSql)) {
      statement.setString(1, key);
      statement.setInt(2, lanes);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return OptionalInt.of(row.getInt(1));
      }
    }
  }

  @Override
  public Optional<CommitFaults> commitFaults() {
    return Optional.of(sessions);
  }

  /** The sandbox stays for the next case. */
  @Override
  public void close() {
    sessions.heal();
  }
}
