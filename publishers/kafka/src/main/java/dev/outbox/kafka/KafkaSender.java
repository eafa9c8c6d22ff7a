package dev.outbox.kafka;

import dev.outbox.message.Envelope;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Gives records to a producer and passes on its answers.
 *
 * <p>Answers arrive on the producer's one thread, which alone makes room in its buffer. An answer
 * may begin the next send of its key, and a send may wait for room. So it is passed on from that
 * thread while there is ample room, which also lets the next sends of a response share a request;
 * else from a thread of this sender, which ends when nothing comes for a while.
 *
 * <p>Safe for use by many threads.
 */
final class KafkaSender implements AutoCloseable {
  private static final long BLOCKED = TimeUnit.SECONDS.toNanos(1);
  private static final long IDLE_SECONDS = 10;

  private final RecordLimits limits;
  private final ThreadPoolExecutor answers = answers();
  private final ProducerLink link;
  private final Map<String, Absence> absent = new ConcurrentHashMap<>();

  /** A topic that a send has waited for in vain: no thread waits again until then. */
  private record Absence(Throwable why, long until) {}

  private KafkaSender(RecordLimits limits, Function<Executor, ProducerLink> link) {
    this.limits = limits;
    this.link = link.apply(answers);
  }

  /** By its own producers, which have {@code closeTime} to end their sends at the close. */
  static KafkaSender own(ProducerLink.Source source, RecordLimits limits, Duration closeTime) {
    return new KafkaSender(
        limits,
        elsewhere -> ProducerLink.own(source, closeTime, limits.maxRequestSize(), elsewhere));
  }

  /** By a producer of the application, which closes it. */
  static KafkaSender by(Producer<byte[], byte[]> given, RecordLimits limits) {
    return new KafkaSender(limits, elsewhere -> ProducerLink.on(given, limits.maxRequestSize()));
  }

  private static ThreadPoolExecutor answers() {
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            KafkaSender::daemon,
            (task, closed) -> task.run());
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "outbox-kafka-answers");
    thread.setDaemon(true);
    return thread;
  }

  CompletionStage<?> send(Envelope envelope) {
    ProducerRecord<byte[], byte[]> record = record(envelope);
    Absence absence = absent.get(record.topic());
    if (absence != null) {
      if (absence.until() - System.nanoTime() > 0) {
        return CompletableFuture.failedFuture(absence.why());
      }
      absent.remove(record.topic(), absence);
    }
    ProducerLink.Open open = link.open();
    Sending sending = new Sending(record.topic(), open);
    try {
      Future<RecordMetadata> unused = open.producer.send(record, sending);
    } catch (KafkaException e) {
      open.failed(e);
      throw e;
    } finally {
      sending.caller = null;
    }
    return sending.sent;
  }

  private ProducerRecord<byte[], byte[]> record(Envelope envelope) {
    String topic = topic(envelope);
    require(limits.ofNames(envelope, topic));
    ProducerRecord<byte[], byte[]> record = mapped(envelope, topic);
    require(limits.ofSize(record));
    return record;
  }

  /** Where the function looks may be down, so what it throws is no fault of a message. */
  private String topic(Envelope envelope) {
    try {
      return limits.mapping().topic(envelope);
    } catch (RuntimeException e) {
      throw new KafkaErrors.NotNow(
          "no topic in Kafka for a message of topic %s can be had now: %s"
              .formatted(envelope.topic(), e),
          e);
    }
  }

  private ProducerRecord<byte[], byte[]> mapped(Envelope envelope, String topic) {
    try {
      return limits.mapping().record(envelope, topic);
    } catch (IllegalArgumentException e) {
      throw new KafkaErrors.Refused(String.valueOf(e.getMessage()));
    }
  }

  private static void require(@Nullable String refusal) {
    if (refusal != null) {
      throw new KafkaErrors.Refused(refusal);
    }
  }

  /** One send, and the producer's answer to it. */
  private final class Sending implements Callback {
    private final CompletableFuture<RecordMetadata> sent = new CompletableFuture<>();
    private final String topic;
    private final ProducerLink.Open open;
    private final long begun = System.nanoTime();

    /** The thread that is in the call of the producer; another thread never finds itself here. */
    private @Nullable Thread caller = Thread.currentThread();

    Sending(String topic, ProducerLink.Open open) {
      this.topic = topic;
      this.open = open;
    }

    @Override
    public void onCompletion(RecordMetadata metadata, @Nullable Exception thrown) {
      if (Thread.currentThread() == caller) {
        remember(thrown);
        answer(metadata, thrown);
        return;
      }
      open.failed(thrown);
      if (open.bufferRoom.isAmple()) {
        answer(metadata, thrown);
      } else {
        answers.execute(() -> answer(metadata, thrown));
      }
    }

    /** A producer answers within the call when it has waited in vain for metadata or for room. */
    private void remember(@Nullable Exception thrown) {
      long waited = System.nanoTime() - begun;
      if (thrown instanceof TimeoutException || (thrown != null && waited >= BLOCKED)) {
        long now = System.nanoTime();
        absent.values().removeIf(each -> each.until() - now <= 0); // a topic may never come again
        absent.put(topic, new Absence(thrown, now + waited));
      }
    }

    private void answer(RecordMetadata metadata, @Nullable Exception thrown) {
      if (thrown == null) {
        sent.complete(metadata);
      } else {
        sent.completeExceptionally(thrown);
      }
    }
  }

  @Override
  public void close() {
    link.close();
    answers.shutdown();
  }
}
