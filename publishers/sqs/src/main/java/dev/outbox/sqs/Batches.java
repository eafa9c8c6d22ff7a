package dev.outbox.sqs;

import dev.outbox.message.Envelope;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;

/**
 * Sends to one queue: up to ten messages in a request, that many requests at a time. What comes
 * while all are under way waits and fills the next.
 *
 * <p>A request has one message of a group at most, because its entries fail one by one. What has
 * waited for too long is not sent, because its flight would be over before its answer. Safe for use
 * by many threads; no client is called with the lock held.
 */
final class Batches {
  private static final int ENTRIES = 10;

  private final SqsAsyncClient client;
  private final String url;
  private final Duration timeout;
  private final int maxRequestSize;
  private final int requests;
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private int underWay;

  /** {@code alone} once a request with others was refused for one of them. */
  private record Waiting(
      Envelope envelope,
      SqsMapping.Content content,
      BooleanSupplier isOver,
      CompletableFuture<Void> sent,
      boolean alone) {}

  Batches(SqsAsyncClient client, String url, Duration timeout, int maxRequestSize, int requests) {
    this.client = client;
    this.url = url;
    this.timeout = timeout;
    this.maxRequestSize = maxRequestSize;
    this.requests = requests;
  }

  /** Once {@code isOver} is true, it is not sent any more. */
  CompletableFuture<Void> send(
      Envelope envelope, SqsMapping.Content content, BooleanSupplier isOver) {
    CompletableFuture<Void> sent = new CompletableFuture<>();
    boolean full;
    synchronized (this) {
      waiting.add(new Waiting(envelope, content, isOver, sent, false));
      full = waiting.size() >= ENTRIES;
    }
    if (full || !Together.sendsLater(this)) {
      sendNext();
    }
    return sent;
  }

  /** As many requests as are free for what waits. */
  void sendNext() {
    over().forEach(each -> each.sent().completeExceptionally(new SqsErrors.TooLate()));
    for (List<Waiting> batch = next(); !batch.isEmpty(); batch = next()) {
      begin(batch);
    }
  }

  /** The first have waited longest. */
  private synchronized List<Waiting> over() {
    List<Waiting> over = new ArrayList<>();
    while (!waiting.isEmpty() && waiting.element().isOver().getAsBoolean()) {
      over.add(waiting.remove());
    }
    return over;
  }

  /** Those that go together, or none. */
  private synchronized List<Waiting> next() {
    List<Waiting> batch = new ArrayList<>();
    if (underWay == requests) {
      return batch;
    }
    Set<Object> groups = new HashSet<>();
    int size = 0;
    while (!waiting.isEmpty() && batch.size() < ENTRIES) {
      Waiting first = waiting.element();
      Object group = first.envelope().key() == null ? first : first.envelope().key();
      size += first.content().size();
      boolean fits = size <= maxRequestSize && groups.add(group) && !first.alone();
      if (!fits && !batch.isEmpty()) {
        break;
      }
      batch.add(waiting.remove());
      if (!fits) {
        break;
      }
    }
    underWay += batch.isEmpty() ? 0 : 1;
    return batch;
  }

  private void begin(List<Waiting> batch) {
    CompletableFuture<SendMessageBatchResponse> response;
    try {
      SendMessageBatchRequest request = request(batch);
      response = Interrupts.kept(() -> client.sendMessageBatch(request));
    } catch (Throwable e) { // an Error too: its place must be given back
      response = CompletableFuture.failedFuture(e);
    }
    CompletableFuture<Void> unused =
        response.handle(
            (answer, thrown) -> {
              Together.begin(() -> ended(batch, answer, thrown));
              return null;
            });
  }

  private void ended(
      List<Waiting> batch, @Nullable SendMessageBatchResponse answer, @Nullable Throwable thrown) {
    synchronized (this) {
      underWay--;
    }
    boolean unused = Together.sendsLater(this);
    answer(batch, answer, thrown);
  }

  private SendMessageBatchRequest request(List<Waiting> batch) {
    List<SendMessageBatchRequestEntry> entries = new ArrayList<>();
    boolean fifo = SqsMapping.isFifo(url);
    for (Waiting each : batch) {
      String name = String.valueOf(entries.size());
      entries.add(SqsMapping.entry(each.envelope(), each.content(), fifo, name));
    }
    return SendMessageBatchRequest.builder()
        .queueUrl(url)
        .entries(entries)
        .overrideConfiguration(settings -> settings.apiCallTimeout(timeout))
        .build();
  }

  private void answer(
      List<Waiting> batch, @Nullable SendMessageBatchResponse answer, @Nullable Throwable thrown) {
    Throwable cause =
        thrown instanceof CompletionException && thrown.getCause() != null
            ? thrown.getCause()
            : thrown;
    if (cause != null && batch.size() > 1 && SqsErrors.isOfTheMessage(cause)) {
      againOneByOne(batch);
    } else if (cause != null || answer == null) {
      Throwable why = cause == null ? new IllegalStateException("SQS answered nothing") : cause;
      batch.forEach(each -> each.sent().completeExceptionally(why));
    } else {
      answerEach(batch, answer);
    }
  }

  private synchronized void againOneByOne(List<Waiting> batch) {
    for (int place = batch.size() - 1; place >= 0; place--) {
      Waiting each = batch.get(place);
      waiting.addFirst(
          new Waiting(each.envelope(), each.content(), each.isOver(), each.sent(), true));
    }
  }

  private static void answerEach(List<Waiting> batch, SendMessageBatchResponse answer) {
    Map<String, BatchResultErrorEntry> failed = new HashMap<>();
    answer.failed().forEach(each -> failed.put(each.id(), each));
    Set<String> sent = new HashSet<>();
    answer.successful().forEach(each -> sent.add(each.id()));
    for (int place = 0; place < batch.size(); place++) {
      String name = String.valueOf(place);
      BatchResultErrorEntry error = failed.get(name);
      CompletableFuture<Void> future = batch.get(place).sent();
      if (error != null) {
        future.completeExceptionally(SqsErrors.of(error));
      } else if (sent.contains(name)) {
        future.complete(null);
      } else {
        future.completeExceptionally(
            new SqsErrors.NotNow("SQS did not answer for this entry", null));
      }
    }
  }
}
