package dev.outbox.sqs;

import dev.outbox.message.Envelope;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.GetQueueUrlResponse;

/**
 * Gives messages to the batches of their queues, whose URLs it asks for by name.
 *
 * <p>Safe for use by many threads.
 */
final class SqsSender {
  /** For the URL of its queue, and for a request that is free. */
  private static final int WAITS = 2;

  private final SqsAsyncClient client;
  private final SqsLimits limits;
  private final Duration timeout;
  private final int requests;
  private final Map<String, CompletableFuture<Batches>> queues = new ConcurrentHashMap<>();
  private volatile boolean closed;

  SqsSender(SqsAsyncClient client, SqsLimits limits, Duration timeout, int requests) {
    this.client = client;
    this.limits = limits;
    this.timeout = timeout;
    this.requests = requests;
  }

  CompletionStage<?> send(Envelope envelope) {
    String queue = queue(envelope);
    require(limits.ofNames(envelope, queue));
    SqsMapping.Content content = content(envelope);
    require(limits.ofSize(content));
    if (closed) {
      throw new SqsErrors.NotNow("this publisher is closed", null);
    }
    long last = System.nanoTime() + timeout.multipliedBy(WAITS).toNanos();
    CompletableFuture<Batches> opened = queues.computeIfAbsent(queue, this::opened);
    return opened
        .whenComplete((batches, thrown) -> forget(queue, opened, thrown))
        .thenCompose(batches -> batches.send(envelope, content, () -> isOver(last)));
  }

  /** Where the function looks may be down, so what it throws is no fault of a message. */
  private String queue(Envelope envelope) {
    try {
      return limits.mapping().queues().apply(envelope);
    } catch (RuntimeException e) {
      throw new SqsErrors.NotNow(
          "no queue for a message of topic %s can be had now: %s".formatted(envelope.topic(), e),
          e);
    }
  }

  private boolean isOver(long last) {
    return closed || System.nanoTime() - last >= 0;
  }

  private SqsMapping.Content content(Envelope envelope) {
    try {
      return limits.mapping().content(envelope);
    } catch (IllegalArgumentException e) {
      throw new SqsErrors.Refused(String.valueOf(e.getMessage()));
    }
  }

  private static void require(@Nullable String refusal) {
    if (refusal != null) {
      throw new SqsErrors.Refused(refusal);
    }
  }

  private CompletableFuture<Batches> opened(String queue) {
    if (SqsLimits.isUrl(queue)) {
      return CompletableFuture.completedFuture(batches(queue));
    }
    return Interrupts.kept(() -> asked(queue))
        .thenApply(GetQueueUrlResponse::queueUrl)
        .thenApply(this::batches)
        .exceptionally(thrown -> notFound(queue, thrown));
  }

  private CompletableFuture<GetQueueUrlResponse> asked(String queue) {
    return client.getQueueUrl(
        request ->
            request
                .queueName(queue)
                .overrideConfiguration(settings -> settings.apiCallTimeout(timeout)));
  }

  private Batches batches(String url) {
    return new Batches(client, url, timeout, limits.maxMessageSize(), requests);
  }

  private static Batches notFound(String queue, Throwable thrown) {
    Throwable cause = thrown.getCause() == null ? thrown : thrown.getCause();
    throw new CompletionException(
        new SqsErrors.NotNow("queue '%s' cannot be looked up: %s".formatted(queue, cause), cause));
  }

  /** A later call asks again. */
  private void forget(String queue, CompletableFuture<Batches> opened, @Nullable Throwable thrown) {
    if (thrown != null) {
      queues.remove(queue, opened);
    }
  }

  void close() {
    closed = true;
  }
}
