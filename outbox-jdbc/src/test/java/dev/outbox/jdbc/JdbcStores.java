package dev.outbox.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Claiming;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.tck.StoreEnvironment;
import dev.outbox.tck.StoreSetting;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The stores of one contract class: its own sandbox, with one set of tables for each setting,
 * emptied between cases.
 */
final class JdbcStores implements AutoCloseable {
  private static final List<String> EMPTY =
      List.of(
          "DELETE FROM %s",
          "DELETE FROM %s_parked",
          "DELETE FROM %s_delayed",
          "DELETE FROM %s_dead",
          "DELETE FROM %s_relay",
          "DELETE FROM %s_topic",
          "DELETE FROM %s_dedupe",
          "UPDATE %s_lane SET owner = NULL, lease_until = NULL, epoch = 0, floor = 0, settles = 0,"
              + " takeovers = 0, suspect_id = NULL, suspect_count = 0");

  private static final int MOST_CONNECTIONS = 20;

  private final Sandbox sandbox;
  private final List<HikariDataSource> pools = new ArrayList<>();
  private final @Nullable String plainUser;
  private final DataSource applications;
  private final DataSource clock;
  private final FaultyDataSource sessions;
  private final String laneSql;
  private final Map<StoreSetting, String> prefixes = new HashMap<>();

  /**
   * {@code laneSql} computes the lane of a key, bound first, among a number of lanes, bound second.
   */
  JdbcStores(Database database, String laneSql) {
    this(database.sandbox(), null, laneSql);
  }

  JdbcStores(Sandbox sandbox, @Nullable String plainUser, String laneSql) {
    this.sandbox = sandbox;
    this.plainUser = plainUser;
    this.applications = pool();
    this.clock = clock();
    this.sessions = new FaultyDataSource(sessions());
    this.laneSql = laneSql;
  }

  /**
   * The same for a user of whom MySQL and MariaDB hide who writes: the copy of their list is made
   * again only when nobody on the server has read it for a while, which other tests wait for.
   */
  static JdbcStores seeingNoWriters(Database database) throws SQLException {
    Sandbox sandbox = database.sandbox();
    if (database != Database.MYSQL && database != Database.MARIADB) {
      return new JdbcStores(sandbox, null, "");
    }
    String user = sandbox.name() + "_plain";
    try (Connection admin = sandbox.openAdmin();
        Statement statement = admin.createStatement()) {
      statement.execute("CREATE USER '%s'@'%%' IDENTIFIED BY '%s'".formatted(user, user));
      statement.execute("GRANT ALL ON `%s`.* TO '%s'@'%%'".formatted(sandbox.name(), user));
    }
    return new JdbcStores(sandbox, user, "");
  }

  /**
   * No pool for H2: its driver cannot break a connection, so that a pool would lend a dead one
   * again.
   */
  private DataSource sessions() {
    return sandbox.server().database() == Database.H2 ? sandbox.dataSource() : pool();
  }

  /** Where time passes: MySQL's driver sends a batch row by row unless it is told otherwise. */
  private DataSource clock() {
    return sandbox.server().database() == Database.MYSQL
        ? pool("rewriteBatchedStatements")
        : applications;
  }

  /** MySQL's driver remembers what it parsed, or it would take half of the tests' time for that. */
  private DataSource pool(String... on) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(sandbox.url());
    config.setUsername(plainUser == null ? sandbox.user() : plainUser);
    config.setPassword(plainUser == null ? sandbox.password() : plainUser);
    config.setMaximumPoolSize(MOST_CONNECTIONS);
    config.setMinimumIdle(0);
    if (sandbox.server().database() == Database.MYSQL) {
      config.addDataSourceProperty("cachePrepStmts", "true");
      config.addDataSourceProperty("prepStmtCacheSize", "500");
      config.addDataSourceProperty("prepStmtCacheSqlLimit", "65536");
    }
    for (String each : on) {
      config.addDataSourceProperty(each, "true");
    }
    HikariDataSource pool = new HikariDataSource(config);
    pools.add(pool);
    return pool;
  }

  /** Connections of applications. */
  DataSource applications() {
    return applications;
  }

  /** The store for one case, empty. */
  StoreEnvironment open(StoreSetting setting) throws SQLException {
    return environment(setting);
  }

  /** The same as a world of which {@code grain} are the steps. */
  JdbcWorld world(StoreSetting setting, JdbcWorld.Grain grain) throws SQLException {
    return world(setting, grain, real -> real);
  }

  /** The same, over connections that do some things otherwise. */
  JdbcWorld world(StoreSetting setting, JdbcWorld.Grain grain, UnaryOperator<DataSource> otherwise)
      throws SQLException {
    return new JdbcWorld(environment(setting), otherwise.apply(applications), grain);
  }

  /** The same over connections that can be cut, so that its store can go back. */
  JdbcWorld worldWithPast(StoreSetting setting, JdbcWorld.Grain grain) throws SQLException {
    return new JdbcWorld(environment(setting), sessions, grain);
  }

  private JdbcEnvironment environment(StoreSetting setting) throws SQLException {
    String prefix = prefixes.get(setting);
    if (prefix == null) {
      prefix = create(setting, "outbox" + prefixes.size());
      prefixes.put(setting, prefix);
    } else {
      empty(setting, prefix);
    }
    return new JdbcEnvironment(sandbox, applications, clock, sessions, prefix, setting, laneSql);
  }

  private String create(StoreSetting setting, String prefix) {
    Schema.Builder schema =
        Schema.builder(applications)
            .tablePrefix(prefix)
            .claiming(setting.claiming())
            .lanes(setting.claiming() == Claiming.ROWS ? 1 : setting.lanes())
            .clusters(setting.clusters())
            .with(Schema.Part.DEDUPE);
    if (setting.archives()) {
      schema.with(Schema.Part.ARCHIVE);
    }
    schema.create();
    return prefix;
  }

  private void empty(StoreSetting setting, String prefix) throws SQLException {
    try (Connection connection = applications.getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : EMPTY) {
        statement.executeUpdate(sql.formatted(prefix));
      }
      if (setting.archives()) {
        statement.executeUpdate("DELETE FROM " + prefix + "_archive");
      }
      if (setting.clusters().count() > 1) {
        statement.executeUpdate("DELETE FROM " + prefix + "_beat");
        statement.executeUpdate("DELETE FROM " + prefix + "_takeover");
      }
    }
  }

  @Override
  public void close() {
    pools.forEach(HikariDataSource::close);
    if (plainUser != null) {
      drop(plainUser);
    }
    sandbox.close();
  }

  private void drop(String user) {
    try (Connection admin = sandbox.openAdmin();
        Statement statement = admin.createStatement()) {
      statement.execute("DROP USER '%s'@'%%'".formatted(user));
    } catch (SQLException e) {
      throw new IllegalStateException("cannot drop " + user, e);
    }
  }
}
