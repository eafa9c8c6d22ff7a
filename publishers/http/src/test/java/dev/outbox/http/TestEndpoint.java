package dev.outbox.http;

import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import dev.outbox.servers.HttpReceiver;
import dev.outbox.testkit.contract.Received;
import dev.outbox.testkit.network.TcpProxy;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The endpoint of all test classes of this JVM, behind a network that a test can break. */
final class TestEndpoint {
  private static TestEndpoint only;

  final HttpReceiver server = HttpReceiver.start();
  final TcpProxy network = TcpProxy.to("127.0.0.1", server.port());

  static synchronized TestEndpoint get() {
    if (only == null) {
      only = new TestEndpoint();
    }
    return only;
  }

  /** A path that keeps what comes, and that nobody else uses. */
  static String newPath() {
    return "/in/" + UUID.randomUUID();
  }

  URI at(String path) {
    return URI.create("http://127.0.0.1:" + server.port() + path);
  }

  URI behindTheNetwork(String path) {
    return URI.create("http://127.0.0.1:" + network.port() + path);
  }

  URI secured(String path) {
    return URI.create("https://localhost:" + server.tlsPort() + path);
  }

  List<Received> received(String path) {
    return server.received(path).stream().map(TestEndpoint::received).toList();
  }

  private static Received received(HttpReceiver.Request request) {
    Map<String, String> headers = request.headers();
    String key = headers.get("message-key");
    return new Received(
        MessageId.parse(headers.get("idempotency-key")),
        key == null ? null : decoded(key),
        headers,
        request.body());
  }

  /** As the HTTP binding of CloudEvents says, where a plus is a plus. */
  static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  static Envelope message(String topic, @Nullable String key, byte[] payload) {
    return message(topic, key, Map.of("tenant", "acme"), "application/octet-stream", payload);
  }

  static Envelope message(
      String topic, @Nullable String key, Map<String, String> headers, String type, byte[] bytes) {
    return new Envelope(
        MessageId.next(),
        topic,
        key == null ? null : new Key(key),
        headers,
        new Payload(type, bytes),
        null);
  }
}
