package dev.outbox.console.serve;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Cuts clients off that send half a request or take half an answer: each holds a thread, which an
 * interrupt frees by closing the channel that it waits at.
 *
 * <p>Safe for use by many threads, each of which waits for its own client.
 */
final class ClientTimeout implements AutoCloseable {
  private static final ThreadLocal<@Nullable Wait> WAITS = new ThreadLocal<>();

  private final Duration longest;
  private final ScheduledThreadPoolExecutor clock;

  ClientTimeout(Duration longest, ThreadFactory threads) {
    this.longest = longest;
    this.clock =
        new ScheduledThreadPoolExecutor(1, threads, new ThreadPoolExecutor.DiscardPolicy());
    this.clock.setRemoveOnCancelPolicy(true);
  }

  /** Runs {@code work}, which waits for its client unless it {@link #pause pauses}. */
  void with(Runnable work) {
    resume();
    try {
      work.run();
    } finally {
      end();
    }
  }

  /**
   * This thread does not wait for its client now.
   *
   * @throws IOException when the client was cut off
   */
  void pause() throws IOException {
    if (end()) {
      throw new IOException("the client was too slow");
    }
  }

  /** This thread waits for its client from now on. */
  void resume() {
    WAITS.set(new Wait());
  }

  private boolean end() {
    Wait wait = WAITS.get();
    WAITS.remove();
    return wait != null && wait.end();
  }

  private final class Wait implements Runnable {
    private final Thread thread = Thread.currentThread();
    private final Future<?> turn = clock.schedule(this, longest.toNanos(), TimeUnit.NANOSECONDS);
    private boolean isOver;
    private boolean isCut;

    @Override
    public synchronized void run() {
      if (!isOver) {
        isCut = true;
        thread.interrupt();
      }
    }

    /** True when it was cut. */
    synchronized boolean end() {
      isOver = true;
      turn.cancel(false);
      return isCut;
    }
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
