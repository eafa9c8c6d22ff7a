package dev.outbox.kafka;

import java.time.Duration;
import java.util.concurrent.Executor;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The producer, and another in its place once it can send nothing any more.
 *
 * <p>An idempotent producer asks a broker for its number once, before its first record. It never
 * asks again if its login was refused meanwhile, and some answers put it into an error state that
 * it does not leave. Then every record expires or is refused, however well the broker is.
 *
 * <p>Safe for use by many threads.
 */
final class ProducerLink implements AutoCloseable {
  private final @Nullable Source source;
  private final Duration closeTime;
  private final int largest;
  private final Executor closing;
  private volatile Open open;
  private boolean closed;

  /** Makes producers. */
  interface Source {
    Producer<byte[], byte[]> open();
  }

  /** A producer, and what its metrics say. */
  static final class Open {
    final Producer<byte[], byte[]> producer;
    final BufferRoom bufferRoom;
    private final @Nullable Metric sent;
    private volatile boolean useless;

    private Open(Producer<byte[], byte[]> producer, int largest) {
      this.producer = producer;
      this.bufferRoom = BufferRoom.of(producer, largest);
      this.sent = BufferRoom.metric(producer, "record-send-total");
    }

    /** A record that it had accepted, or a call of it, ended so. */
    void failed(@Nullable Throwable thrown) {
      if (KafkaErrors.isErrorState(thrown)
          || (thrown instanceof TimeoutException && hasSentNothing())) {
        useless = true;
      }
    }

    private boolean hasSentNothing() {
      return sent != null
          && sent.metricValue() instanceof Number records
          && records.longValue() == 0;
    }
  }

  private ProducerLink(
      @Nullable Source source,
      Producer<byte[], byte[]> producer,
      Duration closeTime,
      int largest,
      Executor closing) {
    this.source = source;
    this.closeTime = closeTime;
    this.largest = largest;
    this.closing = closing;
    this.open = new Open(producer, largest);
  }

  /** With its own producers, which have {@code closeTime} to end their sends at the close. */
  static ProducerLink own(Source source, Duration closeTime, int largest, Executor closing) {
    return new ProducerLink(source, source.open(), closeTime, largest, closing);
  }

  /** With a producer of the application, which renews and closes it. */
  static ProducerLink on(Producer<byte[], byte[]> given, int largest) {
    return new ProducerLink(null, given, Duration.ZERO, largest, Runnable::run);
  }

  /** The producer to send by. */
  Open open() {
    Open there = open;
    return there.useless ? renewed() : there;
  }

  /** Elsewhere, because a close waits for the thread of the producer, which may wait here. */
  private synchronized Open renewed() {
    Open old = open;
    if (!old.useless || source == null || closed) {
      return old;
    }
    try {
      open = new Open(source.open(), largest);
    } catch (KafkaException e) {
      throw new KafkaErrors.NotNow("another producer cannot be made: " + e, e);
    }
    closing.execute(() -> old.producer.close(Duration.ZERO));
    return open;
  }

  @Override
  public void close() {
    Producer<byte[], byte[]> last;
    synchronized (this) {
      closed = true;
      last = open.producer;
    }
    if (source != null) {
      last.close(closeTime);
    }
  }
}
