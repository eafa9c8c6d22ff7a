package dev.outbox.jdbc.failover;

import dev.outbox.jdbc.proof.Await;
import dev.outbox.servers.DatabaseServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Two PostgreSQL servers with streaming replication, one of which is the primary.
 *
 * <p>Used by one thread.
 */
final class Pair implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String[] SETTINGS = {
    "wal_keep_size=64MB",
    "wal_retrieve_retry_interval=100ms",
    "max_connections=60",
    "shared_buffers=16MB"
  };

  private final Map<DatabaseServer, Path> folders = new HashMap<>();
  private DatabaseServer primary;
  private DatabaseServer standby;

  Pair() throws SQLException {
    primary = server();
    standby = server();
  }

  private DatabaseServer server() throws SQLException {
    DatabaseServer server = DatabaseServer.postgres(SETTINGS);
    folders.put(server, Path.of(text(server, "SHOW data_directory")));
    return server;
  }

  /** The URL of the primary. */
  String url() {
    return primary.url();
  }

  String user() {
    return primary.user();
  }

  String password() {
    return primary.password();
  }

  /** Empties the primary, and makes the standby a copy of it that follows it. */
  void begin(boolean synchronously) throws SQLException, IOException {
    run(
        primary,
        "ALTER SYSTEM RESET synchronous_standby_names",
        "SELECT pg_reload_conf()",
        "DROP SCHEMA public CASCADE",
        "CREATE SCHEMA public");
    standby.stop();
    Path copy = folders.get(standby);
    copyTo(copy);
    Files.createFile(copy.resolve("standby.signal"));
    Files.writeString(
        copy.resolve("postgresql.auto.conf"),
        "primary_conninfo = 'host=127.0.0.1 port=%s user=outbox'\n"
            .formatted(primary.url().replaceAll(".*:(\\d+)/.*", "$1")));
    standby.start();
    if (synchronously) {
      run(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()");
    }
    String state = synchronously ? "sync" : "async";
    Await.until(
        "the standby follows",
        PATIENCE,
        () ->
            text(
                    primary,
                    "SELECT MAX(sync_state) FROM pg_stat_replication WHERE state = 'streaming'")
                .equals(state));
  }

  private void copyTo(Path copy) throws SQLException, IOException {
    delete(copy);
    try (Connection connection = open(primary);
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_backup_start('copy', true)");
      copy(folders.get(primary), copy);
      try (ResultSet row = statement.executeQuery("SELECT labelfile FROM pg_backup_stop(false)")) {
        row.next();
        Files.writeString(copy.resolve("backup_label"), row.getString(1));
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  /** But for the log that the standby gets from its primary, and what is the process's own. */
  private static void copy(Path from, Path to) throws IOException {
    List<Path> paths;
    try (Stream<Path> all = Files.walk(from)) {
      paths = all.toList();
    } catch (UncheckedIOException vanished) {
      throw vanished.getCause();
    }
    for (Path path : paths) {
      Path relative = from.relativize(path);
      boolean isLog = relative.startsWith("pg_wal") && Files.isRegularFile(path);
      if (!isLog && !relative.toString().startsWith("postmaster.")) {
        copyIfThere(path, to.resolve(relative));
      }
    }
  }

  private static void copyIfThere(Path from, Path to) throws IOException {
    try {
      Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES);
    } catch (NoSuchFileException gone) {
      // the primary works meanwhile; what it does is in its log
    }
  }

  /** Waits until the standby has all that the primary has committed. */
  void awaitCopied() throws SQLException {
    String end = text(primary, "SELECT pg_current_wal_lsn()");
    Await.until(
        "the standby has all",
        PATIENCE,
        () ->
            text(standby, "SELECT pg_last_wal_replay_lsn() >= '%s'::pg_lsn".formatted(end))
                .equals("t"));
  }

  /** The standby gets nothing more. */
  void cut() throws SQLException {
    run(standby, "ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()");
    Await.until(
        "the standby receives nothing",
        PATIENCE,
        () -> text(standby, "SELECT COUNT(*) FROM pg_stat_wal_receiver").equals("0"));
  }

  /** The primary dies, and the standby is the primary. */
  void promote() throws SQLException {
    primary.kill();
    run(standby, "SELECT pg_promote(true, %d)".formatted(PATIENCE.toSeconds()));
    DatabaseServer dead = primary;
    primary = standby;
    standby = dead;
  }

  private static void run(DatabaseServer server, String... statements) throws SQLException {
    try (Connection connection = open(server);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private static String text(DatabaseServer server, String query) throws SQLException {
    try (Connection connection = open(server);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return String.valueOf(row.getString(1));
    }
  }

  private static Connection open(DatabaseServer server) throws SQLException {
    return DriverManager.getConnection(server.url(), server.user(), server.password());
  }

  @Override
  public void close() {
    primary.stop();
    standby.stop();
  }
}
