package dev.outbox.internal.relay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Every thread of a relay: {@code outbox-<relay>-loop} owns the state of the way by lanes, {@code
 * outbox-<relay>-publish-<n>} run publishers, {@code outbox-<relay>-worker-<n>} are the workers of
 * the way by rows. All are daemons: a forgotten relay does not keep a process alive.
 *
 * <p>Safe for use by many threads.
 */
final class RelayThreads {
  private static final Logger log = LoggerFactory.getLogger(RelayThreads.class);
  private static final long IDLE_SECONDS = 30;

  private final String relay;
  private final List<Thread> loops = new ArrayList<>();
  private final ThreadPoolExecutor publishing;

  RelayThreads(String relay, int publishThreads) {
    this.relay = relay;
    this.publishing =
        new ThreadPoolExecutor(
            publishThreads,
            publishThreads,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            numbered("publish"));
    this.publishing.allowCoreThreadTimeOut(true);
  }

  Executor publishing() {
    return publishing;
  }

  void startLoop(String role, Runnable loop) {
    Thread thread = daemon(role, loop);
    loops.add(thread);
    thread.start();
  }

  /**
   * Waits for the loops, then interrupts what is left. True when all loops ended by themselves in
   * time.
   */
  boolean end(Duration patience) {
    boolean ended = joinAll(patience);
    loops.forEach(Thread::interrupt);
    publishing.shutdownNow();
    if (!ended) {
      log.warn("relay={} did not close within {}: its threads were interrupted", relay, patience);
    }
    return ended;
  }

  private boolean joinAll(Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    try {
      for (Thread loop : loops) {
        long left = Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()));
        loop.join(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return loops.stream().noneMatch(Thread::isAlive);
  }

  private ThreadFactory numbered(String role) {
    AtomicInteger number = new AtomicInteger();
    return task -> daemon(role + "-" + number.incrementAndGet(), task);
  }

  private Thread daemon(String role, Runnable task) {
    Thread thread = new Thread(task, "outbox-" + relay + "-" + role);
    thread.setDaemon(true);
    return thread;
  }
}
