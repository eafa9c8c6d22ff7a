package dev.outbox.internal.relay;

import dev.outbox.internal.relay.base.PublishThreads;
import dev.outbox.internal.relay.flight.PublishPool;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Every thread of a relay: {@code outbox-<relay>-loop} owns the state of the way by lanes, {@code
 * outbox-<relay>-publish-<n>} run publishers unless the user gave an executor, {@code
 * outbox-<relay>-worker-<n>} are the workers of the way by rows, {@code outbox-<relay>-keeper}
 * purges the archive where that is asked for. All are daemons: a forgotten relay does not keep a
 * process alive.
 *
 * <p>Safe for use by many threads.
 */
final class RelayThreads {
  private static final Logger log = LoggerFactory.getLogger(RelayThreads.class);
  private static final Duration LONGEST_IDLE = Duration.ofSeconds(30);

  private final String relay;
  private final ThreadFactory factory;
  private final List<Thread> loops = new ArrayList<>();
  private @Nullable Thread keeper;
  private final @Nullable PublishPool pool;
  private final PublishThreads publishing;
  private @Nullable Thread shutdown;

  /**
   * Publishers run on {@code given}, which is never shut down, or on threads of the relay. Those
   * are made by the {@code factory}.
   */
  RelayThreads(String relay, int publishThreads, @Nullable Executor given, ThreadFactory factory) {
    this.relay = relay;
    this.factory = factory;
    if (given == null) {
      this.pool = new PublishPool(publishThreads, LONGEST_IDLE, numbered("publish"));
      this.publishing = pool;
    } else {
      this.pool = null;
      this.publishing = given::execute;
    }
  }

  PublishThreads publishing() {
    return publishing;
  }

  void startLoop(String role, Runnable loop) {
    Thread thread = daemon(role, loop);
    loops.add(thread);
    thread.start();
  }

  /** Runs what the relay can do without. */
  void startKeeper(Runnable keeping) {
    Thread thread = daemon("keeper", keeping);
    keeper = thread;
    thread.start();
  }

  /** Interrupts the keeper unless it ends by itself at once. */
  void endKeeper(Duration patience) {
    Thread thread = keeper;
    if (thread != null && !ends(thread, patience)) {
      thread.interrupt();
      ends(thread, patience);
    }
  }

  private static boolean ends(Thread thread, Duration patience) {
    return PatientWait.until(nanos -> ended(thread, nanos), patience);
  }

  private static boolean ended(Thread thread, long nanos) throws InterruptedException {
    TimeUnit.NANOSECONDS.timedJoin(thread, nanos);
    return !thread.isAlive();
  }

  /** Runs what a loop must not wait for itself. */
  void startCloser(Runnable close) {
    daemon("close", close).start();
  }

  /** Runs {@code close} when the JVM shuts down. */
  synchronized void atShutdown(Runnable close) {
    Thread hook = daemon("shutdown", close);
    Runtime.getRuntime().addShutdownHook(hook);
    shutdown = hook;
  }

  /** Nothing is left to be done at the shutdown of the JVM. */
  synchronized void forgetShutdown() {
    if (shutdown == null || shutdown.isAlive()) {
      return;
    }
    try {
      Runtime.getRuntime().removeShutdownHook(shutdown);
    } catch (IllegalStateException e) {
      log.debug("relay={} closes while the JVM shuts down", relay, e);
    }
    shutdown = null;
  }

  /** True when the calling thread is one of the loops, which must not wait for itself. */
  boolean isLoop(Thread thread) {
    return loops.contains(thread);
  }

  /** Waits for the loops, interrupted or not. True when all ended in time. */
  boolean await(Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    for (Thread loop : loops) {
      ends(loop, Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
    }
    return loops.stream().noneMatch(Thread::isAlive);
  }

  /** Interrupts what is left. */
  void interrupt() {
    loops.stream().filter(Thread::isAlive).forEach(Thread::interrupt);
    if (pool != null) {
      pool.close();
    }
  }

  boolean areLoopsAlive() {
    return !loops.isEmpty() && loops.stream().allMatch(Thread::isAlive);
  }

  void warnOfImpatience(Duration patience) {
    log.warn("relay={} did not close within {}, its threads were interrupted", relay, patience);
  }

  /**
   * Virtual threads where the JDK has them; this library is compiled for one that has not.
   *
   * @throws UnsupportedOperationException where it has not
   */
  static Executor virtual() {
    try {
      return (Executor) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (NoSuchMethodException | IllegalAccessException e) {
      throw new UnsupportedOperationException(
          "virtual threads need JDK 21 or newer, this is " + Runtime.version(), e);
    } catch (InvocationTargetException e) {
      throw new UnsupportedOperationException("no virtual threads: " + e.getCause(), e);
    }
  }

  private ThreadFactory numbered(String role) {
    AtomicInteger number = new AtomicInteger();
    return task -> daemon(role + "-" + number.incrementAndGet(), task);
  }

  private Thread daemon(String role, Runnable task) {
    Thread thread = factory.newThread(task);
    thread.setName("outbox-" + relay + "-" + role);
    thread.setDaemon(true);
    return thread;
  }
}
