package dev.outbox.examples.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Publisher;
import dev.outbox.testkit.contract.PublisherEnvironment;
import dev.outbox.testkit.contract.Received;
import java.io.IOException;
import java.net.InetAddress;
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

/** The other end of the webhook: keeps what arrives, refuses what it is told to, goes and comes. */
final class WebhookServer implements PublisherEnvironment, PublisherEnvironment.Outage {
  private final List<Received> received = new CopyOnWriteArrayList<>();
  private final Publisher publisher;
  private volatile Predicate<MessageId> refused = id -> false;
  private HttpServer server = listen(0);

  WebhookServer(Function<URI, Publisher> publisher) throws IOException {
    this.publisher = publisher.apply(URI.create("http://localhost:" + port() + "/messages"));
  }

  private HttpServer listen(int port) throws IOException {
    InetAddress here = InetAddress.getLoopbackAddress();
    HttpServer listening = HttpServer.create(new InetSocketAddress(here, port), 0);
    listening.createContext("/messages", this::take);
    listening.start();
    return listening;
  }

  private int port() {
    return server.getAddress().getPort();
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

  @Override
  public Optional<Outage> outage() {
    return Optional.of(this);
  }

  @Override
  public void takeDown() {
    server.stop(0);
  }

  @Override
  public void bringUp() throws IOException {
    server = listen(port());
  }

  @Override
  public Optional<Refusal> refusal() {
    return Optional.of(which -> refused = which);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
