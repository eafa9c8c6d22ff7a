package dev.outbox.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.publish.Ack;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.Test;

/** A client of the application that is not the JDK's: what it gives is the answer. */
class OtherClientTest {
  private static final Duration DEADLINE = Duration.ofSeconds(5);

  private final TestEndpoint endpoint = TestEndpoint.get();

  @Test
  void one_that_tries_again_is_not_overtaken_by_its_first_answer() throws Exception {
    URI busy = endpoint.at("/status/503");
    HttpClient client =
        new Wrapped() {
          @Override
          public <T> CompletableFuture<HttpResponse<T>> sendAsync(
              HttpRequest request, BodyHandler<T> handler) {
            return jdk.sendAsync(HttpRequest.newBuilder(busy).build(), handler)
                .thenCompose(first -> jdk.sendAsync(request, handler));
          }
        };
    assertThat(answer(client)).isInstanceOf(Ack.Delivered.class);
  }

  @Test
  void one_that_reads_the_text_in_a_way_of_its_own_has_answered() throws Exception {
    HttpClient client =
        new Wrapped() {
          @Override
          public <T> CompletableFuture<HttpResponse<T>> sendAsync(
              HttpRequest request, BodyHandler<T> handler) {
            return jdk.sendAsync(request, BodyHandlers.replacing(null));
          }
        };
    assertThat(answer(client)).isInstanceOf(Ack.Delivered.class);
  }

  /** It was told of when its time was over, as an endpoint that does not answer. */
  @Test
  void one_that_gives_no_answer_is_told_of_at_once() throws Exception {
    HttpClient client =
        new Wrapped() {
          @Override
          public <T> CompletableFuture<HttpResponse<T>> sendAsync(
              HttpRequest request, BodyHandler<T> handler) {
            return CompletableFuture.completedFuture(null);
          }
        };
    assertThat(answer(client))
        .isInstanceOfSatisfying(
            Ack.Failed.class,
            failed -> assertThat(failed.cause()).isInstanceOf(NullPointerException.class));
  }

  private Ack answer(HttpClient client) throws Exception {
    OneFlight flight = new OneFlight(TestEndpoint.message("orders", "42", new byte[10]), DEADLINE);
    try (HttpPublisher publisher =
        HttpPublisher.builder(endpoint.at(TestEndpoint.newPath()))
            .client(client)
            .timeout(Duration.ofSeconds(2))
            .publishDeadline(DEADLINE)
            .build()) {
      publisher.publish(flight);
      return flight.await();
    }
  }

  private abstract static class Wrapped extends HttpClient {
    final HttpClient jdk = HttpClient.newHttpClient();

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
        HttpRequest request, BodyHandler<T> handler, PushPromiseHandler<T> pushed) {
      return sendAsync(request, handler);
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler) {
      return sendAsync(request, handler).join();
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
      return jdk.cookieHandler();
    }

    @Override
    public Optional<Duration> connectTimeout() {
      return jdk.connectTimeout();
    }

    @Override
    public Redirect followRedirects() {
      return jdk.followRedirects();
    }

    @Override
    public Optional<ProxySelector> proxy() {
      return jdk.proxy();
    }

    @Override
    public SSLContext sslContext() {
      return jdk.sslContext();
    }

    @Override
    public SSLParameters sslParameters() {
      return jdk.sslParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
      return jdk.authenticator();
    }

    @Override
    public Version version() {
      return jdk.version();
    }

    @Override
    public Optional<Executor> executor() {
      return jdk.executor();
    }
  }
}
