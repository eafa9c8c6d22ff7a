package dev.outbox.examples.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Publisher;
import dev.outbox.testkit.contract.PublisherEnvironment;
import dev.outbox.testkit.contract.Received;
import dev.outbox.testkit.network.TcpProxy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Predicate;

/** The other end of the webhook: keeps what arrives and refuses what it is told to. */
final class WebhookServer implements PublisherEnvironment {
  private final List<Received> received = new CopyOnWriteArrayList<>();
  private final HttpServer server = HttpServer.create(new InetSocketAddress(0), 0);
  private final TcpProxy proxy;
  private final Publisher publisher;
  private volatile Predicate<MessageId> refused = id -> false;

  WebhookServer(Function<URI, Publisher> publisher) throws IOException {
    server.createContext("/messages", this::take);
    server.start();
    this.proxy = TcpProxy.to("localhost", server.getAddress().getPort());
    this.publisher =
        publisher.apply(URI.create("http://%s:%d/messages".formatted(proxy.host(), proxy.port())));
  }

  private void take(HttpExchange exchange) throws IOException {
    byte[] bytes = exchange.getRequestBody().readAllBytes();
    MessageId id = MessageId.parse(exchange.getRequestHeaders().getFirst("Message-Id"));
    String key = exchange.getRequestHeaders().getFirst("Message-Key");
    Map<String, String> headers = headers(exchange.getRequestHeaders().getFirst("Message-Headers"));
    boolean accepted = !refused.test(id);
    if (accepted) {
      received.add(new Received(id, key == null ? null : decoded(key), headers, bytes));
    }
    exchange.sendResponseHeaders(accepted ? 200 : 422, -1);
    exchange.close();
  }

  private static Map<String, String> headers(String form) {
    Map<String, String> headers = new LinkedHashMap<>();
    for (String pair : form.isEmpty() ? new String[0] : form.split("&")) {
      int end = pair.indexOf('=');
      headers.put(decoded(pair.substring(0, end)), decoded(pair.substring(end + 1)));
    }
    return headers;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, UTF_8);
  }

  @Override
  public Publisher publisher() {
    return publisher;
  }

  @Override
  public List<Received> received() {
    return received;
  }

  /** All that the cases of an outage and of a slow broker need. */
  @Override
  public Optional<TcpProxy> proxy() {
    return Optional.of(proxy);
  }

  @Override
  public Optional<Refusal> refusal() {
    return Optional.of(which -> refused = which);
  }

  @Override
  public void close() {
    proxy.close();
    server.stop(0);
  }
}
