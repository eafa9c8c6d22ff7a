package dev.outbox.rabbitmq;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The largest message of a broker, in bytes: as configured, unless the broker has said on this
 * connection that it is less.
 *
 * <p>Safe for use by many threads.
 */
final class SizeLimit {
  private final long configured;
  private final AtomicLong bytes;

  SizeLimit(long bytes) {
    this.configured = bytes;
    this.bytes = new AtomicLong(bytes);
  }

  void learn(long limit) {
    bytes.accumulateAndGet(limit, Math::min);
  }

  /** The connection is lost, and the next may be to a broker with another limit. */
  void forget() {
    bytes.set(configured);
  }

  long bytes() {
    return bytes.get();
  }
}
