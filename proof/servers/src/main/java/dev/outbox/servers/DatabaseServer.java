package dev.outbox.servers;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A running database server, one per database and JVM, shared by all its tests. Thread-safe. */
public final class DatabaseServer {
  private final Database database;
  private final ServerProduct serverProduct;
  private final ServerOrigin serverOrigin;
  private int deadlocksTold;
  private final String version;

  DatabaseServer(Database database, ServerProduct serverProduct, ServerOrigin serverOrigin) {
    this.database = database;
    this.serverProduct = serverProduct;
    this.serverOrigin = serverOrigin;
    this.version = askVersion();
  }

  public Database database() {
    return database;
  }

  /** The administrator's JDBC URL; for H2 the beginning of every sandbox's URL. */
  public String url() {
    return serverOrigin.url();
  }

  /** The administrator, who may create and drop databases and kill sessions. */
  public String user() {
    return serverOrigin.user();
  }

  public String password() {
    return serverOrigin.password();
  }

  /** Product and version as the server reports them, such as {@code PostgreSQL 18.0}. */
  public String version() {
    return version;
  }

  /** Where it came from, such as {@code embedded PostgreSQL 18.0} or {@code environment}. */
  public String source() {
    return serverOrigin.process().isPresent()
        ? serverOrigin.source() + " " + version
        : serverOrigin.source();
  }

  /**
   * A new empty database (for Oracle: user) with its own name.
   *
   * @throws ServerUnavailableException if the administrator may not create it
   */
  public Sandbox sandbox() {
    String name = "outbox_" + UUID.randomUUID().toString().replace("-", "").substring(0, 12);
    return Sandbox.create(this, serverProduct, name);
  }

  /** The text of the server's log so far; empty unless this JVM started the server. */
  public Optional<String> log() {
    return serverOrigin.process().map(EmbeddedServer::log);
  }

  /**
   * Deadlocks that the whole server has resolved so far, from any cause: compare before and after.
   * Those that were not reported before are printed, so that a test that fails shows its cause.
   *
   * @throws UnsupportedOperationException if the database does not count them (H2)
   */
  public long deadlocks() {
    Optional<List<String>> reports =
        serverProduct
            .deadlockMark()
            .flatMap(mark -> log().map(log -> new DeadlockLog(log, mark).reports()));
    reports.ifPresent(this::tell);
    return reports.map(all -> (long) all.size()).orElseGet(this::countedDeadlocks);
  }

  /** Whether {@link #restart()} can be called: only for a server that this JVM started. */
  public boolean isRestartable() {
    return serverOrigin.process().isPresent();
  }

  /**
   * A PostgreSQL server of the caller's own beside the one that all tests share, started now with
   * these settings ({@code "wal_level=logical"}); it ends with this JVM, or by {@link #stop}.
   *
   * @throws ServerUnavailableException when there are no binaries for this machine
   */
  public static DatabaseServer postgres(String... settings) {
    PostgresRecipe recipe = new PostgresRecipe(settings);
    return new DatabaseServer(
        Database.POSTGRES, new PostgresProduct(), EmbeddedServer.start(recipe));
  }

  /**
   * A MariaDB server of the caller's own, started now with these options ({@code
   * "--auto-increment-increment=2"}); otherwise as {@link #postgres}.
   *
   * @throws ServerUnavailableException when there are no binaries for this machine
   */
  public static DatabaseServer mariadb(String... options) {
    MariadbRecipe recipe = new MariadbRecipe(options);
    return new DatabaseServer(Database.MARIADB, MysqlProduct.MARIADB, EmbeddedServer.start(recipe));
  }

  /**
   * A MySQL server of the caller's own, started now with these options ({@code
   * "--log-bin=binlog"}); otherwise as {@link #postgres}.
   *
   * @throws ServerUnavailableException when there are no binaries for this machine
   */
  public static DatabaseServer mysql(String... options) {
    MysqlRecipe recipe = new MysqlRecipe(options);
    return new DatabaseServer(Database.MYSQL, MysqlProduct.MYSQL, EmbeddedServer.start(recipe));
  }

  /**
   * Kills the server without warning and starts it again on the same port and data. All sessions of
   * all sandboxes break; what was committed stays.
   *
   * @throws UnsupportedOperationException if this JVM did not start the server
   */
  public void restart() {
    stop();
    start();
  }

  /**
   * Kills the server without warning and leaves it so until {@link #start()}: connections are
   * refused. Does nothing when it is stopped.
   *
   * @throws UnsupportedOperationException if this JVM did not start the server
   */
  public void stop() {
    ours().stop();
  }

  /**
   * Kills every process of the server with SIGKILL, as a machine that fails does, and leaves it so
   * until {@link #start()}.
   *
   * @throws UnsupportedOperationException if this JVM did not start the server
   */
  public void kill() {
    ours().kill();
  }

  /**
   * Starts a stopped server on the same port and data, and returns when it answers. Does nothing
   * when it runs.
   *
   * @throws UnsupportedOperationException if this JVM did not start the server
   */
  public void start() {
    ours().start();
  }

  private EmbeddedServer ours() {
    return serverOrigin
        .process()
        .orElseThrow(() -> new UnsupportedOperationException("not ours to restart: " + source()));
  }

  Connection admin(String sandbox) throws SQLException {
    ServerProduct.Login login = serverProduct.admin(serverOrigin, sandbox);
    return DriverManager.getConnection(login.url(), login.user(), login.password());
  }

  ServerProduct.Login login(String sandbox) {
    return serverProduct.login(serverOrigin, sandbox);
  }

  private long countedDeadlocks() {
    try (Connection admin = admin("unused")) {
      return serverProduct.deadlocks(admin);
    } catch (SQLException e) {
      throw new IllegalStateException("cannot read the deadlock counter of " + source(), e);
    }
  }

  private String askVersion() {
    try (Connection admin = admin("version")) {
      return admin.getMetaData().getDatabaseProductName()
          + " "
          + admin.getMetaData().getDatabaseProductVersion();
    } catch (SQLException e) {
      throw new ServerUnavailableException(
          "no connection to " + database + " (" + serverOrigin.source() + ", " + url() + "): " + e,
          e);
    }
  }

  private synchronized void tell(List<String> deadlocks) {
    deadlocks.stream()
        .skip(deadlocksTold)
        .forEach(report -> System.out.println(database() + " deadlock" + report));
    deadlocksTold = Math.max(deadlocksTold, deadlocks.size());
  }
}
