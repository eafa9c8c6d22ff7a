package dev.outbox.servers;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A NATS server with JetStream of its own from the system's package, to be killed and restarted on
 * the same data. It ends with this JVM. Thread-safe.
 *
 * <p>Who does not log in may do everything; user {@code app} with password {@code secret} may not
 * publish to what begins with {@code closed}. User {@code small} with the same password has an
 * account of its own with room for 100 kB. TLS is spoken on the same port with those who ask for
 * it. A message has at most {@link #MAX_PAYLOAD} bytes.
 */
public final class NatsServer implements AutoCloseable, ServerProcess.Launch {
  /** The limit of a message's bytes here; the server's own default is 1 MiB. */
  public static final int MAX_PAYLOAD = 4 * 1024 * 1024;

  /** How many bytes all streams in memory hold here. */
  public static final int MAX_MEMORY = 32 * 1024 * 1024;

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final ServerHome serverHome = ServerHome.open("nats");
  private final int port = Machine.freePort();
  private final SelfSigned selfSigned;
  private final Path program;
  private final ServerProcess serverProcess;

  /** The ports of a cluster's servers among each other, this server's own at {@code place}. */
  private NatsServer(Path program, List<Integer> routes, int place)
      throws IOException, GeneralSecurityException {
    this.program = program;
    this.selfSigned = SelfSigned.in(serverHome.path());
    Files.writeString(settingsFile(), settings() + cluster(routes, place));
    this.serverProcess = ServerProcess.launch("nats", serverHome, this);
  }

  /**
   * Starts a server and waits until it takes connections.
   *
   * @throws ServerUnavailableException when it cannot be had, with the reason
   */
  public static NatsServer start() {
    return start(List.of(), 0);
  }

  /**
   * Starts servers that are one cluster, and waits until they take connections; its streams may
   * have to wait for a leader.
   *
   * @throws ServerUnavailableException when they cannot be had, with the reason
   */
  public static List<NatsServer> startCluster(int servers) {
    List<Integer> routes = Stream.generate(Machine::freePort).limit(servers).toList();
    List<NatsServer> cluster = new ArrayList<>();
    for (int place = 0; place < servers; place++) {
      cluster.add(start(routes, place));
    }
    return cluster;
  }

  private static NatsServer start(List<Integer> routes, int place) {
    Path program =
        program()
            .orElseThrow(
                () ->
                    new ServerUnavailableException(
                        "no NATS on this machine: install the package nats-server"));
    try {
      NatsServer server = new NatsServer(program, routes, place);
      server.serverProcess.awaitAnswer();
      return server;
    } catch (IOException | GeneralSecurityException e) {
      throw new ServerUnavailableException("nats cannot be started: " + e, e);
    }
  }

  private static Optional<Path> program() {
    return Stream.of("/usr/sbin", "/usr/bin", "/usr/local/bin")
        .map(folder -> Path.of(folder, "nats-server"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Whether the package is there, from which it could be started. */
  public static boolean isInstalled() {
    return program().isPresent();
  }

  /** Where clients reach it, on the loopback interface. */
  public int port() {
    return port;
  }

  /** A PKCS 12 store with the one certificate that clients must trust; no password. */
  public Path trustStore() {
    return selfSigned.trustStore();
  }

  /** Ends it by SIGKILL. */
  public void kill() {
    serverProcess.kill();
  }

  /** Starts it again on its data and waits until it takes connections. */
  public void restart() {
    serverProcess.start();
  }

  /** What it has said. */
  public String log() {
    return serverProcess.log();
  }

  @Override
  public void close() {
    serverProcess.close();
  }

  @Override
  public String stopSignal() {
    return "TERM";
  }

  @Override
  public List<String> words() {
    return List.of(program.toString(), "-c", settingsFile().toString());
  }

  @Override
  public void awaitAnswer(Runnable check) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!answers()) {
      check.run();
      if (System.nanoTime() > end) {
        throw new ServerUnavailableException(
            "no answer from nats within " + PATIENCE.toSeconds() + " s; it said: " + log());
      }
      Answer.pause();
    }
  }

  /** A server speaks first. */
  private boolean answers() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
      socket.setSoTimeout(1000);
      InputStream input = socket.getInputStream();
      return input.read() == 'I';
    } catch (IOException notYet) {
      return false;
    }
  }

  private Path settingsFile() {
    return serverHome.path().resolve("nats.conf");
  }

  private String settings() {
    return """
    listen: "127.0.0.1:%d"
    max_payload: %d
    jetstream { store_dir: "%s", max_file_store: 4GB, max_memory_store: %d }
    allow_non_tls: true
    tls { cert_file: "%s", key_file: "%s" }
    no_auth_user: guest
    accounts {
      MAIN {
        jetstream: enabled
        users: [
          { user: guest, password: guest },
          { user: app, password: secret, permissions: { publish: { deny: "closed.>" } } }
        ]
      }
      SMALL {
        jetstream { max_memory: 100KB, max_file: 100KB }
        users: [ { user: small, password: secret } ]
      }
    }
    """
        .formatted(
            port,
            MAX_PAYLOAD,
            serverHome.path().resolve("jetstream"),
            MAX_MEMORY,
            selfSigned.certificate(),
            selfSigned.key());
  }

  private static String cluster(List<Integer> routes, int place) {
    if (routes.isEmpty()) {
      return "";
    }
    return """
    server_name: "nats-%d"
    cluster { name: "outbox", listen: "127.0.0.1:%d", routes: [ %s ] }
    """
        .formatted(
            place,
            routes.get(place),
            routes.stream()
                .map(port -> "\"nats://127.0.0.1:" + port + "\"")
                .collect(Collectors.joining(", ")));
  }
}
