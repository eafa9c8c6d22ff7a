package dev.outbox.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A RabbitMQ node of its own from the system's package or in a container, to be killed and
 * restarted on the same data. It ends with this JVM. Thread-safe.
 *
 * <p>Users are {@code guest} with password {@code guest}, and {@code app} with password {@code
 * secret}, who may not write to what begins with {@code closed}. A message has at most {@link
 * #MAX_MESSAGE_SIZE} bytes. Erlang's port mapper is a private one that ends with the node.
 */
public final class RabbitServer implements AutoCloseable, ServerProcess.Launch {
  /** The limit of a message's bytes here; the broker's own default is 128 MiB. */
  public static final int MAX_MESSAGE_SIZE = 4 * 1024 * 1024;

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /** With the package's own scripts, as those on the path change the user. */
  private static final BrokerPackage PACKAGE =
      new BrokerPackage(
          "RabbitMQ",
          "rabbitmq-server",
          List.of("/usr/lib/rabbitmq/bin"),
          "rabbitmq:3.13",
          "/etc/rabbitmq");

  /** What a client says first. A TLS listener answers with an alert. */
  private static final byte[] HELLO = {'A', 'M', 'Q', 'P', 0, 0, 9, 1};

  /** The port mapper ends when the node, into which this shell turns, has ended. */
  private static final String START =
      """
      epmd -port "$ERL_EPMD_PORT" </dev/null &
      mapper=$!
      (while kill -0 $$ 2>/dev/null; do sleep 0.2; done; kill -s KILL $mapper) &
      exec "$1"
      """;

  private static final String USERS =
      """
      {"vhosts": [{"name": "/"}],
       "users": [{"name": "guest", "password": "guest", "tags": "administrator"},
                 {"name": "app", "password": "secret", "tags": ""}],
       "permissions": [
         {"user": "guest", "vhost": "/", "configure": ".*", "write": ".*", "read": ".*"},
         {"user": "app", "vhost": "/", "configure": "", "write": "^(?!closed).*", "read": ""}]}
      """;

  private final ServerHome serverHome = ServerHome.open("rabbitmq");
  private final Path folder = PACKAGE.folder(serverHome);
  private final int port = Machine.freePort();
  private final int tlsPort = Machine.freePort();
  private final int nodePort = Machine.freePort();
  private final int mapperPort = Machine.freePort();
  private final SelfSigned selfSigned;
  private final RunningServer running;

  private RabbitServer() throws IOException, GeneralSecurityException {
    this.selfSigned = SelfSigned.in(serverHome.path());
    Files.createDirectories(home("home"));
    Files.writeString(home("plugins"), "[].\n");
    Files.writeString(home("users.json"), USERS);
    Files.writeString(home("rabbitmq.conf"), settings());
    this.running = PACKAGE.launch(serverHome, this, List.of(port, tlsPort));
  }

  /**
   * Starts a node and waits until it takes connections.
   *
   * @throws ServerUnavailableException when it cannot be had, with the reason
   */
  public static RabbitServer start() {
    PACKAGE.require();
    try {
      RabbitServer server = new RabbitServer();
      server.running.awaitFirstAnswer();
      return server;
    } catch (IOException | GeneralSecurityException e) {
      throw new ServerUnavailableException("rabbitmq cannot be started: " + e, e);
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

  /** Where clients reach it that speak TLS. */
  public int tlsPort() {
    return tlsPort;
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

  /** Runs {@code rabbitmqctl}, and returns what it said. */
  public String control(String... words) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(PACKAGE.program("rabbitmqctl"), "-q"));
    command.addAll(Arrays.asList(words));
    try {
      Machine.Finished finished = running.run(command);
      if (finished.code() != 0) {
        throw new IllegalStateException("rabbitmqctl failed: " + finished.output());
      }
      return finished.output();
    } catch (IOException e) {
      throw new IllegalStateException("rabbitmqctl cannot be run", e);
    }
  }

  @Override
  public void close() {
    running.close();
  }

  /** What was confirmed is on the disk, and a node that stops in order takes seconds. */
  @Override
  public String stopSignal() {
    return "KILL";
  }

  @Override
  public List<String> words() {
    String program = PACKAGE.program("rabbitmq-server");
    return PACKAGE.isInContainer()
        ? List.of(program)
        : List.of("/bin/sh", "-c", START, "rabbitmq", program);
  }

  @Override
  public ProcessBuilder command(List<String> shell) {
    return inItsEnvironment(new ProcessBuilder(shell));
  }

  @Override
  public void awaitAnswer(Runnable check) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!answers()) {
      check.run();
      if (System.nanoTime() > end) {
        throw new ServerUnavailableException(
            "no answer from rabbitmq within " + PATIENCE.toSeconds() + " s; it said: " + log());
      }
      Answer.pause();
    }
  }

  /** Its listeners are the last that it opens. A container's ports are open before they are. */
  private boolean answers() {
    return Stream.of(port, tlsPort).allMatch(RabbitServer::isOpen);
  }

  private static boolean isOpen(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
      socket.setSoTimeout(5000);
      socket.getOutputStream().write(HELLO);
      return socket.getInputStream().read() >= 0;
    } catch (IOException notYet) {
      return false;
    }
  }

  private ProcessBuilder inItsEnvironment(ProcessBuilder builder) {
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("RABBITMQ_"));
    environment.put("HOME", home("home").toString());
    environment.put("ERL_EPMD_PORT", String.valueOf(mapperPort));
    environment.put("ERL_EPMD_ADDRESS", "127.0.0.1");
    environment.put("RABBITMQ_NODENAME", "outbox@localhost");
    environment.put("RABBITMQ_DIST_PORT", String.valueOf(nodePort));
    environment.put("RABBITMQ_MNESIA_BASE", home("mnesia").toString());
    environment.put("RABBITMQ_LOG_BASE", home("log").toString());
    environment.put("RABBITMQ_LOGS", "-");
    environment.put("RABBITMQ_CONFIG_FILE", home("rabbitmq").toString());
    environment.put("RABBITMQ_ENABLED_PLUGINS_FILE", home("plugins").toString());
    environment.put("RABBITMQ_CONF_ENV_FILE", "/dev/null");
    // or a shell of the package's stays between this process and the node
    environment.put("RUNNING_UNDER_SYSTEMD", "true");
    return builder.directory(serverHome.path().toFile());
  }

  private Path home(String file) {
    return serverHome.path().resolve(file);
  }

  private String settings() {
    return """
    listeners.tcp.1 = %1$s:%2$d
    listeners.ssl.1 = %1$s:%3$d
    ssl_options.cacertfile = %4$s
    ssl_options.certfile = %4$s
    ssl_options.keyfile = %5$s
    max_message_size = %6$d
    load_definitions = %7$s
    log.console.level = warning
    vm_memory_high_watermark.relative = 0.9
    disk_free_limit.absolute = 50MB
    """
        .formatted(
            PACKAGE.address(),
            port,
            tlsPort,
            folder.resolve(selfSigned.certificate().getFileName()),
            folder.resolve(selfSigned.key().getFileName()),
            MAX_MESSAGE_SIZE,
            folder.resolve("users.json"));
  }
}
