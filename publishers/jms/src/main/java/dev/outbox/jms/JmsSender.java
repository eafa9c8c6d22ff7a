package dev.outbox.jms;

import dev.outbox.message.Envelope;
import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Gives messages to a session on its own thread, because a session is for one thread and may wait
 * for its broker; the thread ends when nothing comes for a while.
 *
 * <p>Safe for use by many threads.
 */
final class JmsSender implements AutoCloseable {
  private static final long IDLE_SECONDS = 10;

  private final JmsLimits limits;
  private final Duration patience;
  private final ThreadPoolExecutor sends = thread("outbox-jms-sends");
  private final ThreadPoolExecutor closing = thread("outbox-jms-close");

  /** For what follows a time-out: the JVM has one timer, and the sends may wait for the broker. */
  private final ThreadPoolExecutor failures = thread("outbox-jms-failures");

  private final JmsLink link;
  private volatile boolean closed;

  /** {@code patience} is how long the broker may keep an answer back. */
  JmsSender(JmsLink.Source source, JmsLimits limits, Duration patience) {
    this.limits = limits;
    this.patience = patience;
    this.link = new JmsLink(source, limits.mapping(), closing);
  }

  private static ThreadPoolExecutor thread(String name) {
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            },
            (task, closed) -> task.run());
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  CompletionStage<?> send(Envelope envelope) {
    String refusal = limits.ofSend(envelope);
    if (refusal != null) {
      throw new JmsErrors.Refused(refusal);
    }
    if (closed) {
      throw closed();
    }
    CompletableFuture<Void> sent = new CompletableFuture<>();
    Waiting waiting = new Waiting(envelope, sent);
    sends.execute(waiting::begin);
    return sent.orTimeout(patience.toNanos(), TimeUnit.NANOSECONDS)
        .exceptionallyComposeAsync(
            thrown -> CompletableFuture.failedFuture(waiting.failed(thrown)), failures);
  }

  private static JmsErrors.NotNow closed() {
    return new JmsErrors.NotNow("this publisher is closed", null);
  }

  /** One that is not sent yet, or on its way. */
  private final class Waiting {
    private final Envelope envelope;
    private final CompletableFuture<Void> sent;
    private volatile @Nullable Runnable onSilence;

    Waiting(Envelope envelope, CompletableFuture<Void> sent) {
      this.envelope = envelope;
      this.sent = sent;
    }

    void begin() {
      if (isOver()) {
        return;
      }
      onSilence = () -> link.abandon(sent);
      try {
        onSilence = link.send(envelope, sent, this::isOver);
      } catch (JMSException | RuntimeException e) {
        sent.completeExceptionally(e);
      }
    }

    /** What has waited too long was reported as failed, and must not be sent any more. */
    private boolean isOver() {
      if (closed) {
        sent.completeExceptionally(closed()); // without effect on one that is answered
      }
      return sent.isDone();
    }

    /** In words that say what was waited for. */
    Throwable failed(Throwable thrown) {
      if (!(thrown instanceof TimeoutException)) {
        return thrown;
      }
      Runnable giveUp = onSilence;
      if (giveUp == null) {
        return new TimeoutException(
            "a message of topic %s was not sent within %s: the send before it waits for the broker"
                .formatted(envelope.topic(), patience));
      }
      giveUp.run();
      return new TimeoutException(
          "no confirmation for a message of topic %s within %s: the broker is silent, or the address is full and blocks"
              .formatted(envelope.topic(), patience));
    }
  }

  /** What is on its way is answered by the client, or when its time is over. */
  @Override
  public void close() {
    closed = true;
    sends.execute(link::close);
    sends.shutdown();
    try {
      if (sends.awaitTermination(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        closing.shutdown();
        boolean unused = closing.awaitTermination(patience.toNanos(), TimeUnit.NANOSECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
