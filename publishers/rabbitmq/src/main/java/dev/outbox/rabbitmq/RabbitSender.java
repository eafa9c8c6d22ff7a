package dev.outbox.rabbitmq;

import dev.outbox.message.Envelope;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Gives messages to a channel and passes on the broker's confirmations.
 *
 * <p>Confirmations arrive on the connection's one thread. One may begin the next send of its key,
 * and a send may wait for the network: so they are passed on from a thread of this sender, which
 * ends when nothing comes for a while.
 *
 * <p>Safe for use by many threads.
 */
final class RabbitSender implements AutoCloseable {
  private static final long IDLE_SECONDS = 10;

  private final AmqpLimits limits;
  private final SizeLimit sizeLimit;
  private final ExecutorService answers;
  private final RabbitLink link;

  /** {@code link} answers on {@code answers}, which this sender shuts down, and knows the limit. */
  RabbitSender(AmqpLimits limits, SizeLimit sizeLimit, ExecutorService answers, RabbitLink link) {
    this.limits = limits;
    this.sizeLimit = sizeLimit;
    this.answers = answers;
    this.link = link;
  }

  /** The one thread that passes on answers. */
  static ExecutorService answers() {
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            RabbitSender::daemon,
            (task, closed) -> task.run());
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "outbox-rabbitmq-answers");
    thread.setDaemon(true);
    return thread;
  }

  CompletionStage<?> send(Envelope envelope) {
    Destination destination = destination(envelope);
    String refusal = limits.refusal(envelope, destination, sizeLimit.bytes());
    if (refusal != null) {
      return CompletableFuture.failedFuture(new RabbitErrors.Refused(refusal));
    }
    try {
      return link.publish(envelope, destination);
    } catch (Exception e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Where the function looks may be down, so what it throws is no fault of a message. */
  private Destination destination(Envelope envelope) {
    try {
      return limits.mapping().destination(envelope);
    } catch (RuntimeException e) {
      throw new RabbitErrors.NotNow(
          "no destination for a message of topic %s can be had now: %s"
              .formatted(envelope.topic(), e),
          e);
    }
  }

  @Override
  public void close() {
    link.close();
    answers.shutdown();
  }
}
