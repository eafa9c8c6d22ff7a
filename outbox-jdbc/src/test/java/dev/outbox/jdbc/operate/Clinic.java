package dev.outbox.jdbc.operate;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Claiming;
import dev.outbox.OutboxException.Finding;
import dev.outbox.cluster.Clusters;
import dev.outbox.jdbc.Schema;
import dev.outbox.jdbc.internal.doctor.Examination;
import dev.outbox.jdbc.internal.session.Tables;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.spi.Layout;
import dev.outbox.spi.Usage;
import dev.outbox.spi.Usage.Role;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Its own outbox for one case, what makes it ill, and the doctor who looks at it. */
final class Clinic implements AutoCloseable {
  static final Layout LANES = new Layout(3, 32, Claiming.LANES);

  private final Sandbox sandbox;
  private final Layout layout;
  private final Deque<String> cures = new ArrayDeque<>();
  private final Map<String, HikariDataSource> pools = new HashMap<>();
  private @Nullable Connection owner;

  Clinic(Database database) {
    this(database, Clusters.ONE);
  }

  Clinic(Database database, Clusters clusters) {
    this(database.sandbox(), clusters);
  }

  Clinic(Sandbox sandbox, Clusters clusters) {
    this.sandbox = sandbox;
    this.layout = new Layout(3, 32, Claiming.LANES, clusters.count(), clusters.id());
    flushCommits();
    Schema.builder(pool()).clusters(clusters).create();
  }

  /** As healthy servers do; those of tests begin without, to be quick. */
  private void flushCommits() {
    if (Set.of(Database.MYSQL, Database.MARIADB).contains(sandbox.server().database())) {
      try {
        runAsAdmin("SET GLOBAL innodb_flush_log_at_trx_commit = 1");
      } catch (SQLException e) {
        throw new IllegalStateException("the administrator cannot change a setting", e);
      }
    }
  }

  Sandbox sandbox() {
    return sandbox;
  }

  /** With the time-outs that the doctor wants. */
  DataSource dataSource() {
    return dataSource(url(), sandbox);
  }

  String url() {
    return switch (sandbox.server().database()) {
      case POSTGRES -> sandbox.url() + "?socketTimeout=60";
      case MYSQL -> sandbox.url() + "&socketTimeout=60000";
      default -> sandbox.url();
    };
  }

  /** The data source of another user. */
  DataSource dataSource(String user) {
    String url = urlOfUsers();
    return source(() -> DriverManager.getConnection(url, user, user));
  }

  /** H2 takes the options of a URL from an administrator only. */
  private String urlOfUsers() {
    return sandbox.url().startsWith("jdbc:h2:") ? bare(sandbox.url()) : url();
  }

  private static String bare(String url) {
    return url.substring(0, url.indexOf(';'));
  }

  /** Another database of the sandbox's server. */
  static DataSource dataSource(String url, Sandbox sandbox) {
    return source(() -> DriverManager.getConnection(url, sandbox.user(), sandbox.password()));
  }

  private static DataSource source(Opening opening) {
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> opening.open());
  }

  @FunctionalInterface
  private interface Opening {
    Connection open() throws SQLException;
  }

  /** The data source of another user, which keeps its connections until the case is over. */
  DataSource pool(String user) {
    return pools.computeIfAbsent(user, name -> keeping(urlOfUsers(), name, name));
  }

  /** As the owner of the tables, over connections that are kept until the case is over. */
  DataSource pool() {
    return pools.computeIfAbsent(sandbox.user(), name -> keeping(url(), name, sandbox.password()));
  }

  private static HikariDataSource keeping(String url, String user, String password) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setUsername(user);
    config.setPassword(password);
    config.setMinimumIdle(0);
    config.setInitializationFailTimeout(-1);
    return new HikariDataSource(config);
  }

  void run(String... statements) throws SQLException {
    if (owner == null) {
      owner = sandbox.open();
    }
    try (Statement statement = owner.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** As the administrator of the server. */
  void runAsAdmin(String... statements) throws SQLException {
    try (Connection connection = sandbox.openAdmin();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** The name of the sandbox's user of a role, which the pages call {@code app_} and the role. */
  String user(String role) {
    return sandbox.name() + "_" + role;
  }

  /** Makes a user without any right; it is gone when the case is over. */
  void createUser(String role) throws SQLException {
    String user = user(role);
    switch (sandbox.server().database()) {
      case POSTGRES -> {
        run("CREATE ROLE " + user + " LOGIN PASSWORD '" + user + "'");
        afterwards("DROP ROLE " + user);
      }
      case MYSQL, MARIADB -> {
        runAsAdmin("CREATE USER '" + user + "'@'%' IDENTIFIED BY '" + user + "'");
        afterwards("DROP USER '" + user + "'@'%'");
      }
      default -> run("CREATE USER " + user + " PASSWORD '" + user + "'");
    }
  }

  /** Runs a page's grants for the users of this sandbox; returns them as they were run. */
  List<String> grant(List<String> grants) throws SQLException {
    List<String> own = grants.stream().map(each -> each.replace("app_", user(""))).toList();
    run(own.toArray(String[]::new));
    return own;
  }

  /** A statement that the administrator runs when the case is over. */
  void afterwards(String cure) {
    cures.push(cure);
  }

  static Usage need(Role role) {
    return need(role, Claiming.LANES);
  }

  static Usage need(Role role, Claiming claiming) {
    return new Usage(role, claiming, role == Role.RELAY ? 2 : 1, Duration.ofSeconds(15));
  }

  List<Finding> examine() {
    return examine(pool(), need(Role.RELAY));
  }

  List<Finding> examine(DataSource dataSource) {
    return examine(dataSource, need(Role.RELAY));
  }

  List<Finding> examine(DataSource dataSource, Usage usage) {
    return examine(dataSource, usage, layout, InstantSource.system());
  }

  static List<Finding> examine(
      DataSource dataSource, Usage usage, Layout layout, InstantSource clock) {
    return new Examination(dataSource, Tables.of(null, "outbox", 63), layout, clock)
        .findings(usage);
  }

  /** As where it is declared that all writers and relays use one node of a cluster. */
  List<Finding> examineOnOneNode(DataSource dataSource) {
    return new Examination(
            dataSource, Tables.of(null, "outbox", 63), layout, InstantSource.system())
        .onOneNode()
        .findings(need(Role.RELAY));
  }

  @Override
  public void close() throws SQLException {
    pools.values().forEach(HikariDataSource::close);
    if (owner != null) {
      owner.close();
    }
    sandbox.close();
    runCures();
  }

  private void runCures() throws SQLException {
    if (cures.isEmpty()) {
      return;
    }
    runAsAdmin(cures.toArray(String[]::new));
  }
}
