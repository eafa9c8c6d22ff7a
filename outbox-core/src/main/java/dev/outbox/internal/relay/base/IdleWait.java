package dev.outbox.internal.relay.base;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * How the loop waits: until a signal, or until the time is over. And how its thread leaves the loop
 * to do something that may take long: a thread that stands by goes on with it if need be.
 *
 * <p>Safe for use by many threads; one of them has the loop.
 */
/*
 * A signal that comes while the loop works is kept and makes the next rest return at once: otherwise a wake-up between
 * the empty read and the rest would be lost, and its message would wait for a full poll.
 *
 * The thread that stands by takes the loop when there is a signal for it, or when its thread has been away for longer
 * than a watch. Most of the time that is back within microseconds, and the other one would have been woken for nothing:
 * so it is not woken, but looks by itself as long as the loop is left now and then, and dozes when it no longer is.
 */
public final class IdleWait {
  private static final long WATCH = TimeUnit.MILLISECONDS.toNanos(20);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition signalled = lock.newCondition();
  private final Condition needed = lock.newCondition();
  private boolean signal;
  private @Nullable Thread away;
  private long absences;
  private boolean standsBy;
  private boolean dozes;
  private boolean over;

  /** Ends the present rest, or the next one. */
  public void signal() {
    lock.lock();
    try {
      signal = true;
      if (away == null) {
        signalled.signalAll();
      } else if (away != Thread.currentThread()) {
        needed.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until signalled, at most {@code atMost}. */
  public void await(Duration atMost) throws InterruptedException {
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

  /** Leaves the loop to the thread that stands by. False, and nothing is left, when none does. */
  public boolean leave() {
    lock.lock();
    try {
      if (!standsBy) {
        return false;
      }
      away = Thread.currentThread();
      absences++;
      if (dozes) {
        dozes = false;
        needed.signal();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Comes back to the loop. False when another thread has it now. */
  public boolean comeBack() {
    lock.lock();
    try {
      if (away != Thread.currentThread()) {
        return false;
      }
      away = null;
      signal = false;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the loop is the caller's. False when it is over. */
  public boolean standBy() throws InterruptedException {
    lock.lock();
    try {
      standsBy = true;
      for (long seen = absences; !over; ) {
        if (away != null && (signal || absences == seen)) {
          away = null;
          signal = false;
          return true;
        }
        boolean isLeft = absences != seen;
        seen = absences;
        if (isLeft) {
          needed.awaitNanos(WATCH);
        } else {
          doze();
        }
      }
      return false;
    } finally {
      standsBy = false;
      lock.unlock();
    }
  }

  private void doze() throws InterruptedException {
    dozes = true;
    while (dozes && !over) {
      needed.await();
    }
  }

  /** The loop is over: no thread has to stand by any more. */
  public void end() {
    lock.lock();
    try {
      over = true;
      needed.signal();
    } finally {
      lock.unlock();
    }
  }
}
