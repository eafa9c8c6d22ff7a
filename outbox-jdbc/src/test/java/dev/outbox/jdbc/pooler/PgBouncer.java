package dev.outbox.jdbc.pooler;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.servers.Sandbox;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A PgBouncer of one test in front of a sandbox, on its own port. It ends with this JVM.
 *
 * <p>Safe for use by many threads.
 */
final class PgBouncer implements AutoCloseable {
  private static final int STARTS = 200;

  /** By transaction a driver's prepared statements would be in sessions of others. */
  private static final String UNPREPARED = "?prepareThreshold=0";

  /** Ends the bouncer when this JVM closes its end of the pipe or dies. */
  private static final String WATCHDOG = "\"$@\" & child=$!; read -r end; kill $child; wait $child";

  private final Sandbox sandbox;
  private final Path folder;
  private final Process process;
  private final String url;
  private final List<HikariDataSource> pools = new ArrayList<>();

  private PgBouncer(Sandbox sandbox, Path folder, Process process, String url) {
    this.sandbox = sandbox;
    this.folder = folder;
    this.process = process;
    this.url = url;
  }

  /** Starts one with these settings; without the program the test is skipped. */
  static PgBouncer before(Sandbox sandbox, String... settings) {
    Optional<Path> program =
        Stream.of("/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer")
            .map(Path::of)
            .filter(Files::isExecutable)
            .findFirst();
    assumeTrue(program.isPresent(), "pgbouncer is not installed (.ci/run installs it)");
    try {
      return start(program.get(), sandbox, settings);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static PgBouncer start(Path program, Sandbox sandbox, String... settings)
      throws IOException {
    URI server = URI.create(sandbox.url().substring("jdbc:".length()));
    int port = freePort();
    Path folder = Files.createTempDirectory("outbox-pgbouncer");
    Path configuration = folder.resolve("pgbouncer.ini");
    Files.writeString(
        configuration,
        """
        [databases]
        * = host=%s port=%d user=%s
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = %d
        unix_socket_dir =
        auth_type = any
        ignore_startup_parameters = extra_float_digits
        %s
        """
            .formatted(
                server.getHost(),
                server.getPort(),
                sandbox.user(),
                port,
                String.join("\n", settings)));
    Process process =
        new ProcessBuilder(command(program, configuration))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    String url = "jdbc:postgresql://127.0.0.1:" + port + server.getPath();
    PgBouncer bouncer = new PgBouncer(sandbox, folder, process, url);
    bouncer.awaitAnswer();
    return bouncer;
  }

  // it refuses to run as root
  private static List<String> command(Path program, Path configuration) {
    List<String> words = new ArrayList<>(List.of("/bin/sh", "-c", WATCHDOG, "outbox-pgbouncer"));
    if (System.getProperty("user.name").equals("root")) {
      words.addAll(List.of("unshare", "-U"));
    }
    words.addAll(List.of(program.toString(), configuration.toString()));
    return words;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void awaitAnswer() throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        open().close();
        return;
      } catch (SQLException e) {
        if (attempt == STARTS || !process.isAlive()) {
          close();
          throw new IOException("pgbouncer does not answer: " + log(), e);
        }
        pause();
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(50);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  String log() throws IOException {
    return Files.readString(folder.resolve("log"));
  }

  /** A connection through the bouncer, as of a client that is set up for any mode. */
  Connection open() throws SQLException {
    return DriverManager.getConnection(url + UNPREPARED, sandbox.user(), "");
  }

  /** A pool of at most that many such connections. */
  HikariDataSource pool(int size) {
    return pool(size, url + UNPREPARED);
  }

  /** The same with the driver's defaults: it prepares statements, if only BEGIN. */
  HikariDataSource preparingPool(int size) {
    return pool(size, url);
  }

  private synchronized HikariDataSource pool(int size, String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setUsername(sandbox.user());
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(0);
    HikariDataSource pool = new HikariDataSource(config);
    pools.add(pool);
    return pool;
  }

  @Override
  public synchronized void close() throws IOException {
    pools.forEach(HikariDataSource::close);
    process.getOutputStream().close();
    process.onExit().join();
  }
}
