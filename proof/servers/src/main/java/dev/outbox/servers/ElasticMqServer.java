package dev.outbox.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * ElasticMQ, which speaks as Amazon SQS, in a process and on a class path of its own, to be killed
 * and restarted on the same data. It ends with this JVM. Thread-safe.
 */
public final class ElasticMqServer implements AutoCloseable {
  private final ServerHome serverHome = ServerHome.open("elasticmq");
  private final int port = Machine.freePort();
  private final ServerProcess serverProcess;

  private ElasticMqServer() throws IOException {
    Path file = Files.writeString(serverHome.path().resolve("elasticmq.conf"), configuration());
    this.serverProcess =
        ServerProcess.launch(
            "elasticmq",
            serverHome,
            new JavaServer(
                "elasticmq",
                JavaServer.jars("elasticmq"),
                List.of("-Dconfig.file=" + file),
                List.of("org.elasticmq.server.Main"),
                port));
  }

  /**
   * Starts a server and waits until it takes connections.
   *
   * @throws ServerUnavailableException when it cannot be had, with the reason
   */
  public static ElasticMqServer start() {
    try {
      ElasticMqServer server = new ElasticMqServer();
      server.serverProcess.awaitAnswer();
      return server;
    } catch (IOException e) {
      throw new ServerUnavailableException("elasticmq cannot be started: " + e, e);
    }
  }

  /** Where clients reach it, by HTTP. */
  public int port() {
    return port;
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

  /** Its database writes what it has before it answers, because a kill leaves no time for it. */
  private String configuration() {
    return """
        include classpath("application.conf")
        node-address { protocol = http, host = "127.0.0.1", port = %1$d, context-path = "" }
        rest-sqs { enabled = true, bind-port = %1$d, bind-hostname = "127.0.0.1", sqs-limits = strict }
        rest-stats { enabled = false }
        queues-storage { enabled = true, path = "%2$s/queues.conf" }
        messages-storage {
          enabled = true
          driver-class-name = "org.h2.Driver"
          uri = "jdbc:h2:%2$s/messages;WRITE_DELAY=0"
          username = "sa"
          password = ""
          prune-data-on-init = false
        }
        """
        .formatted(port, serverHome.path());
  }
}
