package dev.outbox.jdbc.failover;

import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Answers each message as the message's header says; keeps what comes in between {@link #hold} and
 * {@link #answer} waiting for its answer.
 *
 * <p>Safe for use by many threads.
 */
final class Broker {
  static final String HEADER = "answer";

  /** What a message is answered. */
  enum Answer {
    DELIVERED,
    FAILED,
    REJECTED
  }

  private final Set<MessageId> delivered = ConcurrentHashMap.newKeySet();
  private final Set<MessageId> rejected = ConcurrentHashMap.newKeySet();
  private final Map<MessageId, Integer> failures = new ConcurrentHashMap<>();
  private final Set<Key> failedKeys = ConcurrentHashMap.newKeySet();
  private @Nullable List<Held> held;

  private record Held(Envelope envelope, CompletableFuture<Void> answer) {}

  private static final class Rejection extends RuntimeException {
    private static final long serialVersionUID = 1;

    Rejection(String what) {
      super(what);
    }
  }

  Publisher publisher() {
    return Publisher.async(this::send).classify(Broker::ack);
  }

  private static Ack ack(Throwable thrown) {
    return thrown instanceof Rejection rejection
        ? Ack.rejected(String.valueOf(rejection.getMessage()))
        : Ack.of(thrown);
  }

  private CompletableFuture<Void> send(Envelope envelope) {
    Held sent = new Held(envelope, new CompletableFuture<>());
    if (!keeps(sent)) {
      answer(sent);
    }
    return sent.answer();
  }

  private synchronized boolean keeps(Held sent) {
    return held != null && held.add(sent);
  }

  synchronized void hold() {
    held = new ArrayList<>();
  }

  synchronized int inFlight() {
    return held == null ? 0 : held.size();
  }

  /** Answers what waits, and from now on at once. */
  void answer() {
    List<Held> waiting;
    synchronized (this) {
      waiting = held == null ? List.of() : held;
      held = null;
    }
    waiting.forEach(this::answer);
  }

  private void answer(Held sent) {
    MessageId id = sent.envelope().id();
    switch (Answer.valueOf(sent.envelope().headers().get(HEADER))) {
      case DELIVERED -> {
        delivered.add(id);
        sent.answer().complete(null);
      }
      case FAILED -> {
        failures.merge(id, 1, Integer::sum);
        Optional.ofNullable(sent.envelope().key()).ifPresent(failedKeys::add);
        sent.answer().completeExceptionally(new IllegalStateException(id + " failed"));
      }
      case REJECTED -> {
        rejected.add(id);
        sent.answer().completeExceptionally(new Rejection(id + " is rejected"));
      }
    }
  }

  boolean hasDelivered(MessageId id) {
    return delivered.contains(id);
  }

  boolean hasRejected(MessageId id) {
    return rejected.contains(id);
  }

  int failures(MessageId id) {
    return failures.getOrDefault(id, 0);
  }

  /** Whether a message of this key has failed, behind which others wait. */
  boolean hasFailed(String key) {
    return failedKeys.contains(new Key(key));
  }
}
