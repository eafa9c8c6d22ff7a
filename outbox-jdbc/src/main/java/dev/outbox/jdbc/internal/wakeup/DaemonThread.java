package dev.outbox.jdbc.internal.wakeup;

import java.time.Duration;
import java.util.concurrent.ThreadFactory;

/**
 * A thread of ours that keeps no process alive.
 *
 * <p>Safe for use by many threads.
 */
final class DaemonThread {
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final Thread thread;

  DaemonThread(ThreadFactory factory, String name, Runnable work) {
    this.thread = factory.newThread(work);
    thread.setName(name);
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  void interrupt() {
    thread.interrupt();
  }

  /** Waits a moment for its end, unless it is the caller itself. */
  void awaitEnd() {
    if (thread == Thread.currentThread()) {
      return;
    }
    try {
      thread.join(PATIENCE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
