package dev.outbox.internal.relay;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How the loop rests: longer and longer while nothing happens, with jitter, until somebody signals.
 *
 * <p>Safe for use by many threads; one of them rests.
 */
/*
 * A signal that comes while the loop works is kept and makes the next rest return at once: otherwise a wake-up between the
 * empty read and the rest would be lost, and its message would wait for a full poll.
 *
 * The jitter keeps relays that were started together from polling together for ever.
 */
final class IdleWait {
  private static final Duration SHORTEST = Duration.ofMillis(5);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition signalled = lock.newCondition();
  private final Duration longest;
  private Duration next = SHORTEST;
  private boolean signal;

  IdleWait(Duration longest) {
    this.longest = longest;
  }

  /** Ends the present rest, or the next one. */
  void signal() {
    lock.lock();
    try {
      signal = true;
      signalled.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Work was found: the next rest is a short one again. */
  void reset() {
    next = SHORTEST;
  }

  /**
   * Rests until signalled, at most the present poll or {@code atMost}. Each rest in a row is twice
   * as long.
   */
  void rest(Duration atMost) throws InterruptedException {
    Duration poll = jittered(next);
    await(poll.compareTo(atMost) < 0 ? poll : atMost);
    next = next.multipliedBy(2).compareTo(longest) < 0 ? next.multipliedBy(2) : longest;
  }

  /** Waits until signalled, at most {@code atMost}. */
  void await(Duration atMost) throws InterruptedException {
    lock.lock();
    try {
      long left = atMost.toNanos();
      while (!signal && left > 0) {
        left = signalled.awaitNanos(left);
      }
      signal = false;
    } finally {
      lock.unlock();
    }
  }

  private static Duration jittered(Duration rest) {
    long nanos = rest.toNanos();
    return Duration.ofNanos(nanos - ThreadLocalRandom.current().nextLong(nanos / 4 + 1));
  }
}
