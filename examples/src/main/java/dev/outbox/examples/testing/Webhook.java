package dev.outbox.examples.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Publisher;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.stream.Collectors;

/** Sends every message as a POST. What HTTP headers cannot hold is encoded as in a form. */
public final class Webhook {
  private final HttpClient client = HttpClient.newHttpClient();
  private final URI uri;

  private Webhook(URI uri) {
    this.uri = uri;
  }

  /** The publisher. */
  public static Publisher to(URI uri) {
    return Publisher.blocking(new Webhook(uri)::send);
  }

  private void send(Envelope envelope) throws Exception {
    int status = client.send(request(uri, envelope), BodyHandlers.discarding()).statusCode();
    if (status != 200) {
      throw new IOException("status " + status);
    }
  }

  static HttpRequest request(URI uri, Envelope envelope) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .timeout(Duration.ofSeconds(5))
            .header("Message-Id", envelope.id().toString())
            .header("Message-Headers", headers(envelope));
    if (envelope.key() != null) {
      request.header("Message-Key", URLEncoder.encode(envelope.key().value(), UTF_8));
    }
    return request.POST(HttpRequest.BodyPublishers.ofByteArray(envelope.payload().bytes())).build();
  }

  private static String headers(Envelope envelope) {
    return envelope.headers().entrySet().stream()
        .map(
            e ->
                URLEncoder.encode(e.getKey(), UTF_8) + "=" + URLEncoder.encode(e.getValue(), UTF_8))
        .collect(Collectors.joining("&"));
  }
}
