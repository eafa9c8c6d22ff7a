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
 * A NATS server with JetStream of its own from the system's package or in a container, to be killed
 * and restarted on the same data. It ends with this JVM. Thread-safe.
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

  private static final String SETTINGS = "nats.conf";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final BrokerPackage PACKAGE =
      new BrokerPackage(
          "NATS",
          "nats-server",
          List.of("/usr/sbin", "/usr/bin", "/usr/local/bin"),
          "nats:2.10-alpine",
          "/etc/nats");

  private final ServerHome serverHome = ServerHome.open("nats");
  private final Path folder = PACKAGE.folder(serverHome);
  private final int port = Machine.freePort();
  private final SelfSigned selfSigned;
  private final RunningServer running;

  /** The ports of a cluster's servers among each other, this server's own at {@code place}. */
  private NatsServer(List<Integer> routes, int place) throws IOException, GeneralSecurityException {
    this.selfSigned = SelfSigned.in(serverHome.path());
    Files.writeString(serverHome.path().resolve(SETTINGS), settings() + cluster(routes, place));
    this.running = PACKAGE.launch(serverHome, this, ports(routes, place));
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
    try {
      for (int place = 0; place < servers; place++) {
        cluster.add(start(routes, place));
      }
    } catch (RuntimeException e) {
      cluster.forEach(NatsServer::close);
      throw e;
    }
    return cluster;
  }

  private static NatsServer start(List<Integer> routes, int place) {
    PACKAGE.require();
    try {
      NatsServer server = new NatsServer(routes, place);
      server.running.awaitFirstAnswer();
      return server;
    } catch (IOException | GeneralSecurityException e) {
      throw new ServerUnavailableException("nats cannot be started: " + e, e);
    }
  }

  /** Why none can be had here, in words; empty if one can. */
  public static Optional<String> whyNot() {
    return PACKAGE.whyNot();
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
    running.kill();
  }

  /** Starts it again on its data and waits until it takes connections. */
  public void restart() {
    running.start();
  }

  /** What it has said. */
  public String log() {
    return running.log();
  }

  @Override
  public void close() {
    running.close();
  }

  @Override
  public String stopSignal() {
    return "TERM";
  }

  @Override
  public List<String> words() {
    return List.of(PACKAGE.program("nats-server"), "-c", folder.resolve(SETTINGS).toString());
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

  private List<Integer> ports(List<Integer> routes, int place) {
    return routes.isEmpty() ? List.of(port) : List.of(port, routes.get(place));
  }

  private String settings() {
    return """
    listen: "%s:%d"
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
            PACKAGE.address(),
            port,
            MAX_PAYLOAD,
            folder.resolve("jetstream"),
            MAX_MEMORY,
            folder.resolve(selfSigned.certificate().getFileName()),
            folder.resolve(selfSigned.key().getFileName()));
  }

  private static String cluster(List<Integer> routes, int place) {
    if (routes.isEmpty()) {
      return "";
    }
    return """
    server_name: "nats-%d"
    cluster { name: "outbox", listen: "%s:%d", routes: [ %s ] }
    """
        .formatted(
            place,
            PACKAGE.address(),
            routes.get(place),
            routes.stream()
                .map(port -> "\"nats://" + PACKAGE.host(port) + ":" + port + "\"")
                .collect(Collectors.joining(", ")));
  }
}
