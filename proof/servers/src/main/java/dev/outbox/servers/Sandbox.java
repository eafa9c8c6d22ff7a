package dev.outbox.servers;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * An empty database (for Oracle: user) of its own for one test class, dropped when closed.
 * Thread-safe.
 */
public final class Sandbox implements AutoCloseable {
  private static final int KILL_ROUNDS = 200;
  private final DatabaseServer server;
  private final ServerProduct serverProduct;
  private final String name;
  private final ServerProduct.Login login;
  private final Queue<AutoCloseable> pools = new ConcurrentLinkedQueue<>();
  private @Nullable DataSource pool;

  private Sandbox(DatabaseServer server, ServerProduct serverProduct, String name) {
    this.server = server;
    this.serverProduct = serverProduct;
    this.name = name;
    this.login = server.login(name);
  }

  static Sandbox create(DatabaseServer server, ServerProduct serverProduct, String name) {
    try (Connection admin = server.admin(name)) {
      PlainSql.run(
          admin, serverProduct.create(name, admin.getMetaData().getDatabaseMajorVersion()));
      return new Sandbox(server, serverProduct, name);
    } catch (SQLException e) {
      throw new ServerUnavailableException(
          server.user() + " cannot create a sandbox on " + server.source() + ": " + e, e);
    }
  }

  public DatabaseServer server() {
    return server;
  }

  public String name() {
    return name;
  }

  public String url() {
    return login.url();
  }

  public String user() {
    return login.user();
  }

  public String password() {
    return login.password();
  }

  /** A data source that opens a new connection every time. */
  public DataSource dataSource() {
    return new PlainDataSource(login, List.of());
  }

  /** A data source whose sessions are in this time zone, whatever zone the JVM is in. */
  public DataSource dataSourceInZone(ZoneOffset zone) {
    return new PlainDataSource(login, List.of(serverProduct.setZone(zone)));
  }

  /** A HikariCP pool of at most this many connections, closed with the sandbox. */
  public DataSource pool(int size) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url());
    config.setUsername(user());
    config.setPassword(password());
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(0);
    config.setPoolName(name + "-" + size);
    if (server.database() == Database.POSTGRES) {
      // the doctor warns of a login without an end
      config.addDataSourceProperty("loginTimeout", "30");
    }
    HikariDataSource pool = new HikariDataSource(config);
    pools.add(pool);
    return pool;
  }

  /** A small pool, the same at each call, closed with the sandbox. */
  public synchronized DataSource pool() {
    if (pool == null) {
      pool = pool(10);
    }
    return pool;
  }

  public Connection open() throws SQLException {
    return dataSource().getConnection();
  }

  /** A connection whose session is in this time zone, whatever zone the JVM is in. */
  public Connection openInZone(ZoneOffset zone) throws SQLException {
    return dataSourceInZone(zone).getConnection();
  }

  /** A connection of the administrator; for H2 to this sandbox, else to the server. */
  public Connection openAdmin() throws SQLException {
    return server.admin(name);
  }

  /** How many sessions the server counts in this sandbox, but for the one that asks. */
  public int sessions() {
    try (Connection admin = openAdmin()) {
      return PlainSql.column(admin, serverProduct.sessions(name)).size();
    } catch (SQLException e) {
      throw new IllegalStateException("cannot count the sessions of " + name, e);
    }
  }

  /** Kills all other sessions of this sandbox, waits until they are gone and returns how many. */
  public int terminateSessions() {
    try (Connection admin = openAdmin()) {
      return terminateSessions(admin);
    } catch (SQLException e) {
      throw new IllegalStateException("cannot end the sessions of " + name, e);
    }
  }

  /** Kills what still uses the sandbox, closes its pools and drops it. */
  @Override
  public void close() {
    pools.forEach(Sandbox::closeQuietly);
    try (Connection admin = openAdmin()) {
      terminateSessions(admin);
      PlainSql.run(admin, serverProduct.drop(name));
    } catch (SQLException e) {
      throw new IllegalStateException("cannot drop " + name + " on " + server.source(), e);
    }
  }

  @Override
  public String toString() {
    return name + " on " + server.source();
  }

  // Killing is asynchronous: a session stays listed until it notices.
  private int terminateSessions(Connection admin) throws SQLException {
    List<String> sessions = PlainSql.column(admin, serverProduct.sessions(name));
    for (String session : sessions) {
      killIfThere(admin, session);
    }
    for (int round = 0; round < KILL_ROUNDS; round++) {
      List<String> left = PlainSql.column(admin, serverProduct.sessions(name));
      if (left.stream().noneMatch(sessions::contains)) {
        return sessions.size();
      }
      Answer.pause();
    }
    throw new IllegalStateException("sessions of " + name + " outlive their kill: " + sessions);
  }

  private void killIfThere(Connection admin, String session) throws SQLException {
    try {
      PlainSql.run(admin, List.of(serverProduct.kill(session)));
    } catch (SQLException e) {
      if (PlainSql.column(admin, serverProduct.sessions(name)).contains(session)) {
        throw e;
      }
    }
  }

  private static void closeQuietly(AutoCloseable pool) {
    try {
      pool.close();
    } catch (Exception e) {
      throw new IllegalStateException("cannot close " + pool, e);
    }
  }
}
