package dev.outbox.jdbc;

import static java.util.stream.Collectors.joining;

import dev.outbox.message.MessageId;
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

/**
 * A store on a real server, whose time is the server's own: time passes by moving what the tables
 * say.
 */
final class JdbcEnvironment implements StoreEnvironment {
  private static final List<Times> TIMES =
      List.of(
          new Times("_lane", List.of("lease_until"), List.of("lane")),
          new Times(
              "_parked", List.of("due_at", "first_failed_at"), List.of("lane", "id", "cluster_id")),
          new Times("_delayed", List.of("due_at"), List.of("id")),
          new Times("_dead", List.of("died_at"), List.of("dead_id", "cluster_id")),
          new Times("", List.of("created_at"), List.of("lane", "id")),
          new Times("_relay", List.of("live_until", "started_at"), List.of("relay")),
          new Times("_dedupe", List.of("expires_at"), List.of("topic", "dedupe_key")));

  private static final Times BEATEN =
      new Times("_beat", List.of("beaten_at"), List.of("cluster_id", "beat"));

  private static final Times COMPLETED =
      new Times("_archive", List.of("completed_at"), List.of("completed_at"));

  /** The columns of a table that tell a time, and the key of the table. */
  private record Times(String table, List<String> columns, List<String> key) {
    String plain(String prefix, String shift) {
      return columns.stream()
          .map(column -> "%1$s = %1$s %2$s".formatted(column, shift))
          .collect(joining(", ", "UPDATE " + prefix + table + " SET ", ""));
    }

    /**
     * Of committed rows, one by one in one batch: an update of all would wait for uncommitted ones.
     */
    void ofCommitted(Connection connection, String prefix, String shift) throws SQLException {
      String keys = String.join(", ", key);
      String where = String.join(" = ? AND ", key) + " = ?";
      try (Statement all = connection.createStatement();
          ResultSet row = all.executeQuery("SELECT " + keys + " FROM " + prefix + table);
          PreparedStatement one =
              connection.prepareStatement(plain(prefix, shift) + " WHERE " + where)) {
        while (row.next()) {
          for (int i = 1; i <= key.size(); i++) {
            one.setObject(i, row.getObject(i));
          }
          one.addBatch();
        }
        one.executeBatch();
      }
    }
  }

  private final Sandbox sandbox;
  private final DataSource applications;
  private final DataSource clock;
  private final FaultyDataSource sessions;
  private final String prefix;
  private final StoreSetting setting;
  private final String laneSql;
  private final JdbcStore store;

  JdbcEnvironment(
      Sandbox sandbox,
      DataSource applications,
      DataSource clock,
      FaultyDataSource sessions,
      String prefix,
      StoreSetting setting,
      String laneSql) {
    this.sandbox = sandbox;
    this.applications = applications;
    this.clock = clock;
    this.sessions = sessions;
    this.prefix = prefix;
    this.setting = setting;
    this.laneSql = laneSql;
    this.store = open(sessions);
  }

  /** The same tables, through other connections. */
  JdbcStore open(DataSource dataSource) {
    JdbcStore.Builder builder = JdbcStore.builder(dataSource).tablePrefix(prefix);
    return setting.archives() ? builder.archive().build() : builder.build();
  }

  /** The ids of what is archived, in no order; empty where nothing is. */
  List<MessageId> archived() throws SQLException {
    List<MessageId> archived = new ArrayList<>();
    if (setting.archives()) {
      try (Connection connection = applications.getConnection();
          Statement statement = connection.createStatement();
          ResultSet row =
              statement.executeQuery("SELECT message_id FROM %s_archive".formatted(prefix))) {
        while (row.next()) {
          archived.add(
              row.getObject(1) instanceof byte[] bytes
                  ? MessageId.fromBytes(bytes)
                  : MessageId.parse(row.getString(1)));
        }
      }
    }
    return archived;
  }

  TableCopies copies() {
    return new TableCopies(applications, sandbox.server().database(), prefix, setting.archives());
  }

  boolean archives() {
    return setting.archives();
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
    boolean plain = isH2() || sandbox.server().database() == Database.POSTGRES;
    try (Connection connection = clock.getConnection();
        Statement statement = connection.createStatement()) {
      for (Times times : TIMES) {
        if (plain) {
          statement.executeUpdate(times.plain(prefix, shift));
        } else {
          times.ofCommitted(connection, prefix, shift);
        }
      }
      if (setting.archives()) {
        statement.executeUpdate(COMPLETED.plain(prefix, shift));
      }
      if (setting.clusters().count() > 1) {
        statement.executeUpdate(BEATEN.plain(prefix, shift));
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

  /** H2 has no limit for a session that waits: it lives and dies with the process. */
  @Override
  public boolean endsRestingSessions() {
    return !isH2();
  }

  @Override
  public void kill(Connection connection) throws SQLException {
    cut(connection);
    if (!isH2()) {
      takenBack(connection);
    }
  }

  /** Ends its session, and leaves it to who has borrowed it. */
  void cut(Connection connection) throws SQLException {
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

  // by the pool, which notices here that it is dead
  private static void takenBack(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      return;
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
  public boolean restartIds(long next) throws SQLException {
    boolean standard = isH2() || sandbox.server().database() == Database.POSTGRES;
    String restart =
        standard
            ? "ALTER TABLE %s ALTER COLUMN id RESTART WITH %d"
            : "ALTER TABLE %s AUTO_INCREMENT = %d";
    try (Connection connection = applications.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(restart.formatted(prefix, next));
    }
    return true;
  }

  @Override
  public void raiseIds() {
    Schema.builder(applications).tablePrefix(prefix).build().raiseIds();
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
