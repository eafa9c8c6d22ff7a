package dev.outbox.http;

import dev.outbox.http.AnswerText.Answer;
import dev.outbox.message.Envelope;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests, and reads what comes back.
 *
 * <p>Safe for use by many threads.
 */
final class HttpSender implements AutoCloseable {
  private final HttpClient client;
  private final boolean ownsClient;

  /** Any other client may read several answers and give the last, or one that it has not read. */
  private final boolean isOfTheJdk;

  private final HttpLimits limits;
  private final Duration timeout;
  private final @Nullable PublicAddresses addresses;
  private volatile boolean closed;

  /** Without {@code addresses} each may be sent to. */
  HttpSender(
      @Nullable HttpClient given,
      HttpLimits limits,
      Duration timeout,
      @Nullable PublicAddresses addresses) {
    this.client = given == null ? ownClient(timeout) : given;
    this.ownsClient = given == null;
    this.isOfTheJdk = client.getClass().getModule().equals(HttpClient.class.getModule());
    this.limits = limits;
    this.timeout = timeout;
    this.addresses = addresses;
  }

  /** Version 1.1: some servers stumble over an upgrade to 2 that they did not ask for. */
  private static HttpClient ownClient(Duration timeout) {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .followRedirects(HttpClient.Redirect.NEVER)
        .connectTimeout(timeout)
        .build();
  }

  CompletionStage<?> send(Envelope envelope) {
    URI destination = destination(envelope);
    if (closed) {
      throw new HttpErrors.NotNow("this publisher is closed", null);
    }
    HttpRequest request = request(envelope, destination);
    if (addresses == null) {
      return exchange(request, timeout);
    }
    long begun = System.nanoTime();
    return addresses
        .known(destination, client)
        .orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
        .exceptionallyComposeAsync(
            thrown -> failed(destination, thrown, "the host was not looked up within " + timeout),
            OwnThreads.DAEMONS)
        .thenCompose(known -> exchange(request, timeout.minusNanos(System.nanoTime() - begun)));
  }

  private URI destination(Envelope envelope) {
    return HttpErrors.asked(
        "destination for a message of topic " + envelope.topic(),
        () -> limits.mapping().destination(envelope));
  }

  /**
   * The client's own time-out ends with the headers of the answer; this one with all of it. It ends
   * a failed connection too while the common pool is parked, since the client tells of that there.
   */
  private CompletionStage<Void> exchange(HttpRequest request, Duration left) {
    CompletableFuture<Answer> whole = new CompletableFuture<>();
    CompletableFuture<Answer> read = isOfTheJdk ? whole : new CompletableFuture<>();
    CompletableFuture<HttpResponse<String>> response =
        client.sendAsync(request, info -> new AnswerText(info, read));
    CompletableFuture<?> unused =
        response
            .thenApply(Answer::of)
            .whenComplete(
                (answer, thrown) -> {
                  if (thrown == null) {
                    whole.complete(answer); // without effect where it was read before
                  } else {
                    whole.completeExceptionally(thrown);
                  }
                });
    return whole
        .orTimeout(left.toNanos(), TimeUnit.NANOSECONDS)
        .exceptionallyComposeAsync(
            thrown -> {
              response.cancel(true); // without effect on one that has ended
              return failed(request.uri(), thrown, "no whole answer within " + timeout);
            },
            OwnThreads.DAEMONS)
        .thenAccept(answer -> requireDelivered(request.uri(), answer));
  }

  private HttpRequest request(Envelope envelope, URI destination) {
    String refusal = limits.ofHeaders(envelope);
    if (refusal != null) {
      throw new HttpErrors.Refused(refusal);
    }
    try {
      return limits.mapping().request(envelope, destination, timeout);
    } catch (IllegalArgumentException e) {
      throw new HttpErrors.Refused(String.valueOf(e.getMessage()));
    }
  }

  /** {@code late} is what it means that the time was over. */
  private static <T> CompletableFuture<T> failed(URI destination, Throwable thrown, String late) {
    Throwable cause =
        thrown instanceof CompletionException && thrown.getCause() != null
            ? thrown.getCause()
            : thrown;
    if (cause instanceof TimeoutException) {
      cause = new HttpTimeoutException(late);
    }
    return CompletableFuture.failedFuture(
        cause instanceof IOException ? new HttpErrors.Unreached(destination, cause) : cause);
  }

  private static void requireDelivered(URI destination, Answer answer) {
    int status = answer.status();
    if (status / 100 != 2) {
      throw new CompletionException(
          new StatusException(destination, status, RetryAfter.of(answer.headers()), answer.text()));
    }
  }

  /**
   * From JDK 21 on a client can be closed; before, its threads end when nothing refers to it any
   * more.
   */
  @Override
  public void close() {
    closed = true;
    if (ownsClient && client instanceof AutoCloseable closeable) {
      try {
        closeable.close();
      } catch (Exception e) {
        throw new IllegalStateException("the close of a client throws nothing", e);
      }
    }
  }
}
