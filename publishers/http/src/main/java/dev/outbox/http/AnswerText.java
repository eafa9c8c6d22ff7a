package dev.outbox.http;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of what an endpoint says, with other signs for what is no printable ASCII. Of an
 * answer that goes on and on the connection is closed.
 */
final class AnswerText implements BodySubscriber<String> {
  /** What a log line bears. */
  private static final int SHOWN = 200;

  /** To read the rest is cheaper than another connection, up to here. */
  private static final int READ = 64 * 1024;

  private final ResponseInfo info;
  private final CompletableFuture<Answer> whole;
  private final CompletableFuture<String> text = new CompletableFuture<>();
  private final ByteArrayOutputStream begin = new ByteArrayOutputStream();
  private Flow.@Nullable Subscription subscription;
  private int read;

  /** {@code whole} is completed on a thread of ours. */
  AnswerText(ResponseInfo info, CompletableFuture<Answer> whole) {
    this.info = info;
    this.whole = whole;
  }

  /** One that has ended, or of which no more is read. */
  record Answer(int status, HttpHeaders headers, String text) {
    /** As a client gives it; one of a test may give no text. */
    static Answer of(HttpResponse<?> response) {
      String text = response.body() instanceof String said ? said : "";
      return new Answer(response.statusCode(), response.headers(), text);
    }
  }

  /**
   * The client's own future waits for a thread of the common pool, so the answer does not come by
   * that. The client has the text first: it then gives the connection back, which the next request
   * uses.
   */
  @Override
  public CompletionStage<String> getBody() {
    CompletableFuture<String> body = new CompletableFuture<>();
    CompletableFuture<String> unused =
        text.whenCompleteAsync(
            (said, thrown) -> {
              if (thrown == null) {
                body.complete(said);
                whole.complete(new Answer(info.statusCode(), info.headers(), said));
              } else {
                body.completeExceptionally(thrown);
                whole.completeExceptionally(thrown);
              }
            },
            OwnThreads.DAEMONS);
    return body;
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    this.subscription = subscription;
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> items) {
    for (ByteBuffer item : items) {
      read += item.remaining();
      while (item.hasRemaining() && begin.size() < SHOWN) {
        begin.write(item.get());
      }
    }
    if (read > READ && subscription != null) {
      subscription.cancel();
      onComplete();
    }
  }

  @Override
  public void onError(Throwable thrown) {
    text.completeExceptionally(thrown);
  }

  @Override
  public void onComplete() {
    String said = begin.toString(StandardCharsets.US_ASCII);
    text.complete(said.replaceAll("[^ -~]+", " ").strip());
  }
}
