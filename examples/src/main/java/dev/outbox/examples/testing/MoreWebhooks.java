package dev.outbox.examples.testing;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The webhook of docs/publish-to-your-broker.md again: with futures, and in batches. */
public final class MoreWebhooks {
  private static final class RefusedException extends IOException {
    private static final long serialVersionUID = 1;

    private RefusedException(int status) {
      super("status " + status);
    }
  }

  private final HttpClient client = HttpClient.newHttpClient();
  private final URI uri;

  /** Posts to {@code uri}. */
  public MoreWebhooks(URI uri) {
    this.uri = uri;
  }

  /** Starts every send that it may, and hears of its end. */
  public Publisher async() {
    return Publisher.async(
        envelope ->
            client
                .sendAsync(Webhook.request(uri, envelope), BodyHandlers.discarding())
                .thenCompose(MoreWebhooks::checked));
  }

  private static CompletableFuture<Void> checked(HttpResponse<Void> response) {
    return response.statusCode() == 200
        ? CompletableFuture.completedFuture(null)
        : CompletableFuture.failedFuture(new RefusedException(response.statusCode()));
  }

  /** Starts all sends of a list, then waits for all of them. */
  public Publisher batch() {
    return Publisher.batch(
        list -> {
          List<CompletableFuture<HttpResponse<Void>>> sends = new ArrayList<>();
          for (Envelope envelope : list) {
            sends.add(client.sendAsync(Webhook.request(uri, envelope), BodyHandlers.discarding()));
          }
          long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10); // below the publish deadline
          List<Ack> acks = new ArrayList<>();
          for (CompletableFuture<HttpResponse<Void>> send : sends) {
            acks.add(answer(send, end - System.nanoTime()));
          }
          return acks; // one for each envelope, in the same order
        });
  }

  private static Ack answer(CompletableFuture<HttpResponse<Void>> send, long nanos)
      throws InterruptedException {
    try {
      int status = send.get(nanos, TimeUnit.NANOSECONDS).statusCode();
      return status == 200 ? Ack.delivered() : Ack.failed(new RefusedException(status));
    } catch (ExecutionException | TimeoutException e) {
      return Ack.of(e);
    }
  }

  /** Reads what an exception means: what is refused will never be taken. */
  public Publisher strict() {
    return async()
        .classify(
            thrown ->
                thrown instanceof RefusedException
                    ? Ack.rejected("refused by the server")
                    : Ack.of(thrown));
  }
}
