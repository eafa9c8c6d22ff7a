package dev.outbox.internal.relay.base;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How the loop waits: until a signal, or until the time is over.
 *
 * <p>Safe for use by many threads; one of them waits.
 */
/*
 * A signal that comes while the loop works is kept and makes the next rest return at once: otherwise a wake-up between
 * the empty read and the rest would be lost, and its message would wait for a full poll. One from before the work is
 * seen by it, and would only cost a turn that does nothing: so it is forgotten when the work begins.
 */
public final class IdleWait {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition signalled = lock.newCondition();
  private boolean signal;

  /** Ends the present rest, or the next one. */
  public void signal() {
    lock.lock();
    try {
      signal = true;
      signalled.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** What was signalled so far ends no rest any more: the work that begins sees it. */
  public void forget() {
    lock.lock();
    try {
      signal = false;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until signalled, at most {@code atMost}. False when the time was over first. */
  public boolean await(Duration atMost) throws InterruptedException {
    lock.lock();
    try {
      long left = atMost.toNanos();
      while (!signal && left > 0) {
        left = signalled.awaitNanos(left);
      }
      boolean was = signal;
      signal = false;
      return was;
    } finally {
      lock.unlock();
    }
  }
}
