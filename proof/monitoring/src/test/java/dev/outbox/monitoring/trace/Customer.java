package dev.outbox.monitoring.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;

/** Orders of a shop by HTTP. */
record Customer(int port) {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  void order(String item) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/orders".formatted(port)))
            .POST(BodyPublishers.ofString(item))
            .build();
    assertThat(CLIENT.send(request, BodyHandlers.discarding()).statusCode()).isEqualTo(204);
  }
}
