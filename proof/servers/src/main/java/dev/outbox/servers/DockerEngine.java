package dev.outbox.servers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The question whether a Docker engine answers, asked quickly and quietly. Stateless. */
final class DockerEngine {
  private static final String PING = "GET /_ping HTTP/1.0\r\nHost: docker\r\n\r\n";

  private DockerEngine() {}

  /** Why no engine answers; empty if one does. */
  static Optional<String> whyNot() {
    List<SocketAddress> addresses = addresses();
    return addresses.stream().anyMatch(DockerEngine::answers)
        ? Optional.empty()
        : Optional.of("no Docker engine answers (tried " + addresses + ")");
  }

  /** Why an engine's loopback interface is not the one of this machine; empty if it may be. */
  static Optional<String> whyElsewhere() {
    return addresses().stream()
        .filter(DockerEngine::isElsewhere)
        .map(each -> "the Docker engine is on another machine (" + each + ")")
        .findFirst();
  }

  static boolean isElsewhere(SocketAddress address) {
    return address instanceof InetSocketAddress host
        && (host.isUnresolved() || !host.getAddress().isLoopbackAddress());
  }

  private static List<SocketAddress> addresses() {
    String host = System.getenv("DOCKER_HOST");
    return host == null || host.isBlank()
        ? List.of(
            UnixDomainSocketAddress.of("/var/run/docker.sock"),
            UnixDomainSocketAddress.of(home().resolve(".docker/run/docker.sock")))
        : List.of(address(URI.create(host)));
  }

  private static SocketAddress address(URI host) {
    return "unix".equals(host.getScheme())
        ? UnixDomainSocketAddress.of(host.getPath())
        : new InetSocketAddress(host.getHost(), host.getPort() < 0 ? 2375 : host.getPort());
  }

  private static Path home() {
    return Path.of(System.getProperty("user.home"));
  }

  private static boolean answers(SocketAddress address) {
    if (address instanceof UnixDomainSocketAddress file && Files.notExists(file.getPath())) {
      return false;
    }
    return CompletableFuture.supplyAsync(() -> ping(address))
        .completeOnTimeout(false, 2, TimeUnit.SECONDS)
        .join();
  }

  // A TLS port closes on plain HTTP: an engine that cannot be asked this way counts as none.
  private static boolean ping(SocketAddress address) {
    try (SocketChannel channel = open(address)) {
      channel.write(ByteBuffer.wrap(PING.getBytes(StandardCharsets.US_ASCII)));
      ByteBuffer reply = ByteBuffer.allocate(64);
      channel.read(reply);
      return new String(reply.array(), StandardCharsets.US_ASCII).contains(" 200 ");
    } catch (IOException noEngine) {
      return false;
    }
  }

  private static SocketChannel open(SocketAddress address) throws IOException {
    SocketChannel channel =
        address instanceof UnixDomainSocketAddress
            ? SocketChannel.open(StandardProtocolFamily.UNIX)
            : SocketChannel.open();
    channel.connect(address);
    return channel;
  }
}
