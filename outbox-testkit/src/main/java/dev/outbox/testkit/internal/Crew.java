package dev.outbox.testkit.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Threads that work at the same time. */
public final class Crew {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private Crew() {}

  /** Starts all works at the same moment and waits for their ends. The first failure is thrown. */
  public static <T> List<T> together(List<Callable<T>> works) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(works.size());
    try {
      CyclicBarrier start = new CyclicBarrier(works.size());
      List<Future<T>> futures = new ArrayList<>();
      for (Callable<T> work : works) {
        futures.add(
            threads.submit(
                () -> {
                  start.await();
                  return work.call();
                }));
      }
      List<T> ends = new ArrayList<>();
      for (Future<T> future : futures) {
        ends.add(end(future, PATIENCE));
      }
      return ends;
    } finally {
      threads.shutdownNow();
    }
  }

  /** Starts {@code work} on its own thread. */
  public static <T> Future<T> start(Callable<T> work) {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      return thread.submit(work);
    } finally {
      thread.shutdown();
    }
  }

  /** The end of {@code work}, which must come within {@code limit}. */
  public static <T> T within(Duration limit, Callable<T> work) throws Exception {
    return end(start(work), limit);
  }

  public static <T> T end(Future<T> future, Duration limit) throws Exception {
    try {
      return future.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      future.cancel(true);
      throw new AssertionError("still waiting after " + limit, e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw new AssertionError(e.getCause());
    }
  }
}
