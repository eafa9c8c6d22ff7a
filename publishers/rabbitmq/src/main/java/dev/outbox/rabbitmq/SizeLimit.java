package dev.outbox.rabbitmq;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The largest message of a broker, in bytes: as configured, until the broker says that it is less.
 *
 * <p>Safe for use by many threads.
 */
final class SizeLimit {
  private final AtomicLong bytes;

  SizeLimit(long bytes) {
    this.bytes = new AtomicLong(bytes);
  }

  void learn(long limit) {
    bytes.accumulateAndGet(limit, Math::min);
  }

  long bytes() {
    return bytes.get();
  }
}
