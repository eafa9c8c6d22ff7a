package dev.outbox.servers;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.IntUnaryOperator;

/**
 * A Kafka broker of one node, in a process and on a class path of its own, to be killed and
 * restarted on the same data. It ends with this JVM. Thread-safe.
 *
 * <p>Clients reach it at {@link #bootstrapServers}, and past the network that a test has put before
 * it at {@link #behindTheNetwork}. {@link #withPassword} is a listener that asks for a login: user
 * {@code app}, password {@code secret}.
 */
public final class KafkaServer implements AutoCloseable, ServerProcess.Launch {
  private static final String CLASS_PATH = "dev/outbox/servers/kafka.classpath";
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final String LOGGING =
      """
      <Configuration status="ERROR"><Appenders><Console name="out">
      <PatternLayout pattern="%d %p %c: %m%n"/></Console></Appenders>
      <Loggers><Root level="WARN"><AppenderRef ref="out"/></Root></Loggers></Configuration>
      """;

  private final ServerHome serverHome = ServerHome.open("kafka");
  private final String classPath;
  private final int port = Machine.freePort();
  private final int controllerPort = Machine.freePort();
  private final int networkPort = Machine.freePort();
  private final int passwordPort = Machine.freePort();
  private final int advertisedPort;
  private final ServerProcess serverProcess;

  private KafkaServer(IntUnaryOperator network) throws IOException {
    this.classPath = classPath();
    this.advertisedPort = network.applyAsInt(networkPort);
    Files.writeString(home("server.properties"), settings());
    Files.writeString(home("log4j2.xml"), LOGGING);
    format();
    this.serverProcess = ServerProcess.launch("kafka", serverHome, this);
  }

  /**
   * Starts a broker and waits until it takes connections.
   *
   * @throws ServerUnavailableException when it cannot be had, with the reason
   */
  public static KafkaServer start() {
    return start(port -> port);
  }

  /**
   * Starts a broker behind a network: {@code network} is given the port of a listener and returns
   * the port where clients find it, which may be that of a proxy.
   *
   * @throws ServerUnavailableException when it cannot be had, with the reason
   */
  public static KafkaServer start(IntUnaryOperator network) {
    try {
      KafkaServer server = new KafkaServer(network);
      server.serverProcess.awaitAnswer();
      return server;
    } catch (IOException e) {
      throw new ServerUnavailableException("kafka cannot be started: " + e, e);
    }
  }

  /** Where clients reach it. */
  public String bootstrapServers() {
    return "127.0.0.1:" + port;
  }

  /** Where clients reach it through the network of {@link #start(IntUnaryOperator)}. */
  public String behindTheNetwork() {
    return "127.0.0.1:" + advertisedPort;
  }

  /** Where clients reach it that log in by SASL PLAIN. */
  public String withPassword() {
    return "127.0.0.1:" + passwordPort;
  }

  /** Ends it by SIGKILL. */
  public void kill() {
    serverProcess.kill();
  }

  /** Ends it in its own order, by SIGTERM. */
  public void stop() {
    serverProcess.stop();
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
    return java(
        List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
        "kafka.Kafka",
        home("server.properties").toString());
  }

  @Override
  public void awaitAnswer(Runnable check) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!answers()) {
      check.run();
      if (System.nanoTime() > end) {
        throw new ServerUnavailableException(
            "no answer from kafka within " + PATIENCE.toSeconds() + " s; it said: " + log());
      }
      Answer.pause();
    }
  }

  private boolean answers() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }

  private List<String> java(List<String> options, String... main) {
    List<String> words = new ArrayList<>();
    words.add(ProcessHandle.current().info().command().orElse("java"));
    words.addAll(options);
    words.add("-Dlog4j2.configurationFile=" + home("log4j2.xml"));
    words.addAll(List.of("-cp", classPath));
    words.addAll(List.of(main));
    return words;
  }

  private void format() throws IOException {
    String properties = home("server.properties").toString();
    List<String> options = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    Machine.Finished finished =
        Machine.run(
            new ProcessBuilder(
                java(options, "kafka.tools.StorageTool", "format", "-t", id(), "-c", properties)));
    if (finished.code() != 0) {
      throw new ServerUnavailableException("kafka cannot be formatted: " + finished.output());
    }
  }

  private static String id() {
    return UUID.randomUUID().toString();
  }

  private Path home(String file) {
    return serverHome.path().resolve(file);
  }

  private String settings() {
    Map<String, Object> settings = new TreeMap<>();
    settings.put("process.roles", "broker,controller");
    settings.put("node.id", 1);
    settings.put("controller.quorum.voters", "1@127.0.0.1:" + controllerPort);
    settings.put("controller.listener.names", "CONTROLLER");
    settings.put("inter.broker.listener.name", "PLAINTEXT");
    settings.put("listeners", listeners(networkPort) + ",CONTROLLER://127.0.0.1:" + controllerPort);
    settings.put("advertised.listeners", listeners(advertisedPort));
    settings.put(
        "listener.security.protocol.map",
        "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,NETWORK:PLAINTEXT,PASSWORD:SASL_PLAINTEXT");
    settings.put("sasl.enabled.mechanisms", "PLAIN");
    settings.put(
        "listener.name.password.plain.sasl.jaas.config",
        "org.apache.kafka.common.security.plain.PlainLoginModule required user_app=\"secret\";");
    settings.put(
        "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
    settings.put("allow.everyone.if.no.acl.found", true);
    settings.put("log.dirs", home("logs"));
    settings.put("offsets.topic.replication.factor", 1);
    settings.put("offsets.topic.num.partitions", 1);
    settings.put("transaction.state.log.replication.factor", 1);
    settings.put("transaction.state.log.min.isr", 1);
    settings.put("transaction.state.log.num.partitions", 1);
    settings.put("share.coordinator.state.topic.replication.factor", 1);
    settings.put("share.coordinator.state.topic.min.isr", 1);
    settings.put("group.initial.rebalance.delay.ms", 0);
    settings.put("auto.create.topics.enable", false);
    StringBuilder lines = new StringBuilder();
    settings.forEach((name, value) -> lines.append(name).append('=').append(value).append('\n'));
    return lines.toString();
  }

  private String listeners(int network) {
    return "PLAINTEXT://127.0.0.1:%d,NETWORK://127.0.0.1:%d,PASSWORD://127.0.0.1:%d"
        .formatted(port, network, passwordPort);
  }

  /** The server's jars stand in a list that a module of the build has resolved. */
  private static String classPath() throws IOException {
    URL list =
        ClassPath.find(CLASS_PATH)
            .orElseThrow(
                () ->
                    new ServerUnavailableException(
                        "no kafka for this machine: "
                            + CLASS_PATH
                            + " is not on the class path (add dev.outbox:outbox-kafka-server)"));
    try (InputStream content = list.openStream()) {
      return new String(content.readAllBytes(), StandardCharsets.UTF_8).strip();
    }
  }
}
