package dev.outbox.brokers;

import dev.outbox.servers.HttpReceiver;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntUnaryOperator;

/** An endpoint that writes down each request before it answers. */
final class HttpEndpoint implements TestBroker {
  private final HttpReceiver server = HttpReceiver.start();
  private final int port;
  private int renewed;

  HttpEndpoint(IntUnaryOperator network) {
    this.port = network.applyAsInt(server.port());
  }

  private String path() {
    return "/in/" + TOPIC + renewed;
  }

  @Override
  public String address() {
    return "http://127.0.0.1:" + port + path();
  }

  @Override
  public void kill() {
    server.kill();
  }

  @Override
  public void restart() {
    server.restart();
  }

  @Override
  public void renew() {
    renewed++;
  }

  @Override
  public long size() {
    return server.received(path()).size();
  }

  @Override
  public List<Arrived> arrived() {
    return server.received(path()).stream().map(HttpEndpoint::arrived).toList();
  }

  private static Arrived arrived(HttpReceiver.Request request) {
    Map<String, String> headers = request.headers();
    String key = headers.get("message-key");
    return new Arrived(
        headers.getOrDefault("idempotency-key", ""),
        key == null ? null : URLDecoder.decode(key, StandardCharsets.UTF_8),
        new String(request.body(), StandardCharsets.UTF_8));
  }

  @Override
  public HandSender handSender() {
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    return new Sender(client, URI.create(address()), new ArrayList<>());
  }

  /** One connection for each request under way, as the client does it. */
  private record Sender(
      HttpClient client, URI uri, List<CompletableFuture<HttpResponse<Void>>> sends)
      implements HandSender {
    private static final int MOST = 64;

    @Override
    public void send(Row row) throws IOException {
      if (sends.size() >= MOST) {
        await();
      }
      HttpRequest.Builder request =
          HttpRequest.newBuilder(uri)
              .header("Idempotency-Key", row.id().toString())
              .header("Message-Topic", row.topic())
              .header("Content-Type", row.contentType())
              .POST(HttpRequest.BodyPublishers.ofByteArray(row.payload()));
      if (row.key() != null) {
        request.header("Message-Key", row.key());
      }
      sends.add(client.sendAsync(request.build(), HttpResponse.BodyHandlers.discarding()));
    }

    @Override
    public void await() throws IOException {
      for (CompletableFuture<HttpResponse<Void>> send : sends) {
        if (send.join().statusCode() / 100 != 2) {
          throw new IOException("answered " + send.join().statusCode());
        }
      }
      sends.clear();
    }

    @Override
    public void close() {
      sends.clear();
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
