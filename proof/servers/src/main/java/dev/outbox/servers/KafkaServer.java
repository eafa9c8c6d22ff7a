package dev.outbox.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka broker of one node, in a process and on a class path of its own, to be killed and
 * restarted on the same data. It ends with this JVM. Thread-safe.
 *
 * <p>Clients reach it at {@link #bootstrapServers}, and past the network that a test has put before
 * it at {@link #behindTheNetwork}. {@link #withPassword} is a listener that asks for a login by
 * PLAIN: user {@code app}, password {@code secret}; {@link #withPasswordAndTls} one by TLS and
 * SCRAM: user {@code shop}, password {@code secret}.
 */
public final class KafkaServer implements AutoCloseable {
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
  private final int tlsPort = Machine.freePort();
  private final int advertisedPort;
  private final String cluster;
  private final @Nullable KafkaServer first;
  private final SelfSigned selfSigned;
  private final ServerProcess serverProcess;

  /** One of its own, or another broker of the cluster of {@code first}. */
  private KafkaServer(IntUnaryOperator network, @Nullable KafkaServer first)
      throws IOException, GeneralSecurityException {
    this.first = first;
    this.cluster = first == null ? UUID.randomUUID().toString() : first.cluster;
    this.classPath = JavaServer.jars("kafka");
    this.advertisedPort = network.applyAsInt(networkPort);
    this.selfSigned = SelfSigned.in(serverHome.path());
    Files.writeString(home("server.properties"), settings());
    Files.writeString(home("log4j2.xml"), LOGGING);
    format();
    this.serverProcess =
        ServerProcess.launch(
            "kafka", serverHome, java("kafka.Kafka", home("server.properties").toString()));
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
    return start(network, null);
  }

  /** Starts a second broker in the cluster of this one, which stays its only controller. */
  public KafkaServer startAnother() {
    return start(port -> port, this);
  }

  private static KafkaServer start(IntUnaryOperator network, @Nullable KafkaServer first) {
    try {
      KafkaServer server = new KafkaServer(network, first);
      server.serverProcess.awaitAnswer();
      return server;
    } catch (IOException | GeneralSecurityException e) {
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

  /** Where clients reach it by TLS that log in by SASL SCRAM-SHA-512. */
  public String withPasswordAndTls() {
    return "localhost:" + tlsPort;
  }

  /** The certificate that clients by TLS must trust, as PEM. */
  public Path certificate() {
    return selfSigned.certificate();
  }

  /** Makes one in this folder that no server here has. */
  public static Path otherCertificate(Path folder) {
    try {
      return SelfSigned.in(folder).certificate();
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("no certificate can be made in " + folder, e);
    }
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

  private JavaServer java(String... main) {
    return new JavaServer(
        "kafka",
        classPath,
        List.of("-Dlog4j2.configurationFile=" + home("log4j2.xml")),
        List.of(main),
        port);
  }

  private void format() throws IOException {
    String properties = home("server.properties").toString();
    String user = "SCRAM-SHA-512=[name=shop,password=secret]";
    JavaServer tool =
        java("kafka.tools.StorageTool", "format", "-t", cluster, "-c", properties, "-S", user);
    Machine.Finished finished = Machine.run(new ProcessBuilder(tool.words()));
    if (finished.code() != 0) {
      throw new ServerUnavailableException("kafka cannot be formatted: " + finished.output());
    }
  }

  private Path home(String file) {
    return serverHome.path().resolve(file);
  }

  private String settings() {
    Map<String, Object> settings = new TreeMap<>();
    int controller = first == null ? controllerPort : first.controllerPort;
    settings.put("process.roles", first == null ? "broker,controller" : "broker");
    settings.put("node.id", first == null ? 1 : 2);
    settings.put("controller.quorum.voters", "1@127.0.0.1:" + controller);
    settings.put("controller.listener.names", "CONTROLLER");
    settings.put("inter.broker.listener.name", "PLAINTEXT");
    String own = first == null ? ",CONTROLLER://127.0.0.1:" + controllerPort : "";
    settings.put("listeners", listeners(networkPort) + own);
    settings.put("advertised.listeners", listeners(advertisedPort));
    settings.put(
        "listener.security.protocol.map",
        "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,NETWORK:PLAINTEXT,PASSWORD:SASL_PLAINTEXT,TLS:SASL_SSL");
    secure(settings);
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

  private void secure(Map<String, Object> settings) {
    settings.put("listener.name.password.sasl.enabled.mechanisms", "PLAIN");
    settings.put(
        "listener.name.password.plain.sasl.jaas.config",
        "org.apache.kafka.common.security.plain.PlainLoginModule required user_app=\"secret\";");
    settings.put("listener.name.tls.sasl.enabled.mechanisms", "SCRAM-SHA-512");
    settings.put(
        "listener.name.tls.scram-sha-512.sasl.jaas.config",
        "org.apache.kafka.common.security.scram.ScramLoginModule required;");
    settings.put("listener.name.tls.ssl.keystore.type", "PKCS12");
    settings.put("listener.name.tls.ssl.keystore.location", selfSigned.pair());
    settings.put("listener.name.tls.ssl.keystore.password", SelfSigned.PASSWORD);
    settings.put("listener.name.tls.ssl.key.password", SelfSigned.PASSWORD);
  }

  private String listeners(int network) {
    return "PLAINTEXT://127.0.0.1:%d,NETWORK://127.0.0.1:%d,PASSWORD://127.0.0.1:%d,TLS://localhost:%d"
        .formatted(port, network, passwordPort, tlsPort);
  }
}
