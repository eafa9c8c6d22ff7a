package dev.outbox.jdbc;

import dev.outbox.jdbc.internal.Tables;
import dev.outbox.store.Claiming;
import dev.outbox.store.Finding;
import dev.outbox.store.Layout;
import dev.outbox.store.Need;
import dev.outbox.store.Need.Role;
import dev.outbox.testkit.database.Database;
import dev.outbox.testkit.database.Sandbox;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import javax.sql.DataSource;

/** An outbox of its own for one case, what makes it ill, and the doctor who looks at it. */
final class Clinic implements AutoCloseable {
  static final Layout LANES = new Layout(2, 32, Claiming.LANES);

  private final Sandbox sandbox;
  private final Deque<String> cures = new ArrayDeque<>();

  Clinic(Database database) {
    this.sandbox = database.sandbox();
    Schema.of(sandbox.dataSource()).create();
  }

  Sandbox sandbox() {
    return sandbox;
  }

  DataSource dataSource() {
    return sandbox.dataSource();
  }

  /** The data source of another user. */
  DataSource dataSource(String user) {
    // H2 takes the options of a URL from an administrator only
    String url = sandbox.url().startsWith("jdbc:h2:") ? bare(sandbox.url()) : sandbox.url();
    return source(() -> DriverManager.getConnection(url, user, user));
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

  void run(String... statements) throws SQLException {
    try (Connection connection = sandbox.open();
        Statement statement = connection.createStatement()) {
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

  /** A statement that the administrator runs when the case is over. */
  void afterwards(String cure) {
    cures.push(cure);
  }

  static Need need(Role role) {
    return need(role, Claiming.LANES);
  }

  static Need need(Role role, Claiming claiming) {
    return new Need(role, claiming, role == Role.RELAY ? 2 : 1, Duration.ofSeconds(15));
  }

  List<Finding> examine() {
    return examine(dataSource(), need(Role.RELAY));
  }

  List<Finding> examine(DataSource dataSource) {
    return examine(dataSource, need(Role.RELAY));
  }

  List<Finding> examine(DataSource dataSource, Need need) {
    return examine(dataSource, need, LANES, InstantSource.system());
  }

  static List<Finding> examine(
      DataSource dataSource, Need need, Layout layout, InstantSource clock) {
    return new Doctor(dataSource, Tables.of(null, "outbox", 63), layout, clock).examine(need);
  }

  @Override
  public void close() throws SQLException {
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
