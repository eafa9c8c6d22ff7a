package dev.outbox.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;

/**
 * An Artemis broker in a process and on a class path of its own, to be killed and restarted on the
 * same data. It ends with this JVM. Thread-safe.
 *
 * <p>Queues and topics whose names begin with {@code orders} or {@code full} are made when they are
 * used, no others. Those of {@code full} take no second message; to {@code forbidden} only the user
 * {@code app} with the password {@code secret} may send.
 */
public final class ArtemisServer implements AutoCloseable {
  private final ServerHome serverHome = ServerHome.open("artemis");
  private final int port = Machine.freePort();
  private final int tlsPort = Machine.freePort();
  private final SelfSigned selfSigned;
  private final ServerProcess serverProcess;

  private ArtemisServer() throws IOException, GeneralSecurityException {
    this.selfSigned = SelfSigned.in(serverHome.path());
    Path file = Files.writeString(serverHome.path().resolve("broker.xml"), configuration());
    this.serverProcess =
        ServerProcess.launch(
            "artemis",
            serverHome,
            new JavaServer(
                "artemis",
                JavaServer.jars("artemis"),
                List.of(),
                List.of("dev.outbox.artemis.ArtemisMain", file.toString()),
                port));
  }

  /**
   * Starts a broker and waits until it takes connections.
   *
   * @throws ServerUnavailableException when it cannot be had, with the reason
   */
  public static ArtemisServer start() {
    try {
      ArtemisServer server = new ArtemisServer();
      server.serverProcess.awaitAnswer();
      return server;
    } catch (IOException | GeneralSecurityException e) {
      throw new ServerUnavailableException("artemis cannot be started: " + e, e);
    }
  }

  /** Where clients reach it. */
  public int port() {
    return port;
  }

  /** Where clients reach it by TLS. */
  public int tlsPort() {
    return tlsPort;
  }

  /** From which clients know its certificate, without a password. */
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

  @Override
  public void close() {
    serverProcess.close();
  }

  private String configuration() {
    return """
        <configuration xmlns="urn:activemq"><core xmlns="urn:activemq:core">
        <journal-type>NIO</journal-type>
        <journal-directory>%1$s/journal</journal-directory>
        <bindings-directory>%1$s/bindings</bindings-directory>
        <large-messages-directory>%1$s/large</large-messages-directory>
        <paging-directory>%1$s/paging</paging-directory>
        <acceptors>
          <acceptor name="tcp">tcp://127.0.0.1:%2$d</acceptor>
          <acceptor name="tls">tcp://127.0.0.1:%3$d?sslEnabled=true;keyStorePath=%1$s/pair.p12;keyStorePassword=%4$s;keyStoreType=PKCS12</acceptor>
        </acceptors>
        <security-settings>
          <security-setting match="#">%5$s</security-setting>
          <security-setting match="forbidden"><permission type="send" roles="app"/></security-setting>
        </security-settings>
        <addresses>
          <address name="forbidden"><anycast><queue name="forbidden"/></anycast></address>
        </addresses>
        <address-settings>
          <address-setting match="#">%6$s</address-setting>
          <address-setting match="orders.#">%7$s</address-setting>
          <address-setting match="full.#">%7$s
            <max-size-bytes>1</max-size-bytes><address-full-policy>FAIL</address-full-policy>
          </address-setting>
          <address-setting match="blocked.#">%7$s
            <max-size-bytes>1</max-size-bytes><address-full-policy>BLOCK</address-full-policy>
          </address-setting>
        </address-settings>
        </core></configuration>
        """
        .formatted(
            serverHome.path(),
            port,
            tlsPort,
            SelfSigned.PASSWORD,
            permissions("guest,app"),
            made(false),
            made(true));
  }

  private static String permissions(String roles) {
    StringBuilder permissions = new StringBuilder();
    for (String type :
        List.of(
            "createAddress",
            "createDurableQueue",
            "createNonDurableQueue",
            "deleteNonDurableQueue",
            "send",
            "consume",
            "browse")) {
      permissions.append("<permission type=\"%s\" roles=\"%s\"/>".formatted(type, roles));
    }
    return permissions.toString();
  }

  /** Nothing is removed, whether it is used or not. */
  private static String made(boolean whenUsed) {
    return """
        <auto-create-queues>%1$s</auto-create-queues>
        <auto-create-addresses>%1$s</auto-create-addresses>
        <auto-delete-queues>false</auto-delete-queues>
        <auto-delete-addresses>false</auto-delete-addresses>
        """
        .formatted(whenUsed);
  }
}
