package dev.outbox.jdbc;

import dev.outbox.jdbc.dialect.OracleDialect;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.spi.OutboxStore;
import dev.outbox.spi.lane.Lane;
import dev.outbox.tck.StoreEnvironment;
import dev.outbox.tck.StoreSetting;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import javax.sql.DataSource;

/** A store on Oracle's text; time passes by moving what the tables say. */
final class OracleEnvironment implements StoreEnvironment {
  /** The lane of a key, bound first, among a number of lanes, bound second. */
  static final String LANE =
      """
      SELECT MOD(TO_NUMBER(SUBSTR(RAWTOHEX(STANDARD_HASH(?, 'SHA256')), 1, 8), 'XXXXXXXX'), ?)
      FROM DUAL
      """;

  private static final List<String> TIMES =
      List.of(
          "_lane SET lease_until = lease_until",
          "_parked SET due_at = due_at",
          "_parked SET first_failed_at = first_failed_at",
          "_delayed SET due_at = due_at",
          "_dead SET died_at = died_at",
          " SET created_at = created_at",
          "_relay SET live_until = live_until",
          "_relay SET started_at = started_at",
          "_dedupe SET expires_at = expires_at");

  private final Sandbox sandbox;
  private final DataSource applications;
  private final FaultyDataSource sessions;
  private final String prefix;
  private final StoreSetting setting;
  private final OutboxStore store;

  OracleEnvironment(
      Sandbox sandbox,
      DataSource applications,
      FaultyDataSource sessions,
      String prefix,
      StoreSetting setting) {
    this.sandbox = sandbox;
    this.applications = applications;
    this.sessions = sessions;
    this.prefix = prefix;
    this.setting = setting;
    this.store = open(sessions);
  }

  private JdbcStore open(DataSource dataSource) {
    JdbcStore.Builder builder =
        JdbcStore.builder(dataSource).dialect(new OracleDialect()).tablePrefix(prefix);
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
    List<String> times = new ArrayList<>(TIMES);
    if (setting.archives()) {
      times.add("_archive SET completed_at = completed_at");
    }
    if (setting.clusters().count() > 1) {
      times.add("_beat SET beaten_at = beaten_at");
    }
    try (Connection connection = applications.getConnection();
        Statement statement = connection.createStatement()) {
      for (String time : times) {
        statement.executeUpdate(
            "UPDATE %s%s - NUMTODSINTERVAL(%d, 'SECOND')"
                .formatted(prefix, time, step.toSeconds()));
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
    return onServer() ? sandbox.server().deadlocks() : 0;
  }

  @Override
  public void kill(Connection connection) throws SQLException {
    if (onServer()) {
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

  /** H2 has neither STANDARD_HASH nor a format for TO_NUMBER. */
  @Override
  public OptionalInt laneInSql(String key, int lanes) throws SQLException {
    if (!onServer()) {
      return OptionalInt.empty();
    }
    try (Connection connection = applications.getConnection();
        PreparedStatement statement = connection.prepareStatement(LANE)) {
      statement.setString(1, key);
      statement.setInt(2, lanes);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return OptionalInt.of(row.getInt(1));
      }
    }
  }

  @Override
  public void remove(long id) throws SQLException {
    try (Connection connection = applications.getConnection();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate("DELETE FROM %s WHERE id = %d".formatted(prefix, id));
    }
  }

  @Override
  public void setBack(Lane lane, long epoch) throws SQLException {
    try (Connection connection = applications.getConnection();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(
          "UPDATE %s_lane SET epoch = %d, owner = NULL, lease_until = NULL WHERE lane = %s"
              .formatted(prefix, epoch, lane));
    }
  }

  private boolean onServer() {
    return sandbox.server().database() == Database.ORACLE;
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
