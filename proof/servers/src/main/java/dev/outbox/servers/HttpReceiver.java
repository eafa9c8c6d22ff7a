package dev.outbox.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * An endpoint in its own process, which writes down each request before it answers, to be killed
 * and restarted on what it has. It ends with this JVM. Thread-safe.
 *
 * <p>{@link HttpReceiverMain} says which paths answer what.
 */
public final class HttpReceiver implements AutoCloseable {
  /** The largest body that it takes. */
  public static final int MAX_BODY = 2 * 1024 * 1024;

  private final ServerHome serverHome = ServerHome.open("http");
  private final int port = Machine.freePort();
  private final int tlsPort = Machine.freePort();
  private final SelfSigned selfSigned;
  private final ServerProcess serverProcess;

  private HttpReceiver() throws IOException, GeneralSecurityException {
    this.selfSigned = SelfSigned.in(serverHome.path());
    this.serverProcess = ServerProcess.launch("http", serverHome, launch());
  }

  private JavaServer launch() {
    String classes =
        Path.of(
                HttpReceiverMain.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .getPath())
            .toString();
    return new JavaServer(
        "http",
        classes,
        List.of("-Dsun.net.httpserver.nodelay=true"),
        List.of(
            HttpReceiverMain.class.getName(),
            String.valueOf(port),
            String.valueOf(tlsPort),
            serverHome.path().toString()),
        port);
  }

  /**
   * A request that was answered with 204.
   *
   * <p>Names of headers are in lower case. The bytes are shared, not copied.
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Request(String path, Map<String, String> headers, byte[] body) {
    private static Request parse(String line) {
      String[] parts = line.split(" ", -1);
      Map<String, String> headers = new LinkedHashMap<>();
      for (int place = 2; place + 1 < parts.length; place += 2) {
        headers.put(parts[place], text(parts[place + 1]));
      }
      return new Request(parts[0], headers, Base64.getDecoder().decode(parts[1]));
    }

    private static String text(String base64) {
      return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }
  }

  /**
   * Starts it and waits until it takes connections.
   *
   * @throws ServerUnavailableException when it cannot be had, with the reason
   */
  public static HttpReceiver start() {
    try {
      HttpReceiver receiver = new HttpReceiver();
      receiver.serverProcess.awaitAnswer();
      return receiver;
    } catch (IOException | GeneralSecurityException e) {
      throw new ServerUnavailableException("http cannot be started: " + e, e);
    }
  }

  /** Where it speaks HTTP. */
  public int port() {
    return port;
  }

  /** Where it speaks HTTPS. */
  public int tlsPort() {
    return tlsPort;
  }

  /** From which clients know its certificate, without a password. */
  public Path trustStore() {
    return selfSigned.trustStore();
  }

  /** What came to this path, in the order of arrival. */
  public List<Request> received(String path) {
    Path file = serverHome.path().resolve(HttpReceiverMain.FILE);
    if (!Files.exists(file)) {
      return List.of();
    }
    try (Stream<String> lines = Files.lines(file)) {
      return lines.filter(line -> line.startsWith(path + " ")).map(Request::parse).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** From now on it answers 503 to everything, or does no longer. */
  public void refuseAll(boolean refuse) {
    Path flag = serverHome.path().resolve(HttpReceiverMain.FULL);
    try {
      if (refuse) {
        Files.writeString(flag, "");
      } else {
        Files.deleteIfExists(flag);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends it by SIGKILL. */
  public void kill() {
    serverProcess.kill();
  }

  /** Starts it again with all that it has, and waits until it takes connections. */
  public void restart() {
    serverProcess.start();
  }

  @Override
  public void close() {
    serverProcess.close();
  }
}
