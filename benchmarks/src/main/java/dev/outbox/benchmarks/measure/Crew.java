package dev.outbox.benchmarks.measure;

import dev.outbox.benchmarks.contender.Installation;
import dev.outbox.benchmarks.contender.Installation.Writer;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads that write one message a transaction, numbered as they come.
 *
 * <p>Used by one thread.
 */
public final class Crew {
  private final Installation installation;
  private final int writers;
  private final Committed committed;
  private final AtomicLong numbers = new AtomicLong();

  public Crew(Installation installation, int writers, Committed committed) {
    this.installation = installation;
    this.writers = writers;
    this.committed = committed;
  }

  /** Hears when the commit of a message returned, in {@link System#nanoTime}. */
  @FunctionalInterface
  public interface Committed {
    Committed NOBODY = (number, nanos) -> {};

    void at(long number, long nanos);
  }

  /** What was written: how many, how long it took, and what the writers themselves used. */
  public record Written(long messages, double seconds, double cpuSeconds, long allocatedBytes) {
    /** The writers' processor time for each message, in microseconds. */
    public double cpuPerMessage() {
      return cpuSeconds * 1e6 / messages;
    }

    private Written and(Written other) {
      return new Written(
          messages + other.messages,
          Math.max(seconds, other.seconds),
          cpuSeconds + other.cpuSeconds,
          allocatedBytes + other.allocatedBytes);
    }
  }

  /** How many messages have been numbered so far. */
  public long numbered() {
    return numbers.get();
  }

  /** The next number, for a message that is written elsewhere. */
  public long next() {
    return numbers.getAndIncrement();
  }

  /** Every writer writes so many as fast as it can. */
  public Written each(int count) throws Exception {
    return all((writer, number) -> number < count ? 0 : -1);
  }

  /** All writers write as fast as they can for so long. */
  public Written lasting(Duration length) throws Exception {
    long end = System.nanoTime() + length.toNanos();
    return all((writer, number) -> System.nanoTime() < end ? 0 : -1);
  }

  /** All writers together write that many a second for so long, each at even distances. */
  public Written paced(int perSecond, Duration length) throws Exception {
    long between = 1_000_000_000L * writers / perSecond;
    return all(
        (writer, number) -> {
          long due = between * writer / writers + between * number;
          return due < length.toNanos() ? due : -1;
        });
  }

  /** When a writer's next message is due, in nanoseconds from the start; -1 for no more. */
  private interface Pace {
    long due(int writer, long number);
  }

  private Written all(Pace pace) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(writers);
    try {
      List<Callable<Written>> tasks = new ArrayList<>();
      long start = System.nanoTime();
      for (int writer = 0; writer < writers; writer++) {
        int who = writer;
        tasks.add(() -> write(start, number -> pace.due(who, number)));
      }
      Written all = new Written(0, 0, 0, 0);
      for (Future<Written> done : threads.invokeAll(tasks)) {
        all = all.and(done.get());
      }
      return all;
    } finally {
      threads.shutdown();
    }
  }

  private interface OwnPace {
    long due(long number);
  }

  private Written write(long start, OwnPace pace) throws Exception {
    try (Writer writer = installation.writer()) {
      var cpu = ManagementFactory.getThreadMXBean();
      long cpuBegan = cpu.getCurrentThreadCpuTime();
      long allocated = Allocated.byThisThread();
      long began = System.nanoTime();
      long written = 0;
      for (long due = pace.due(0); due >= 0; due = pace.due(written)) {
        await(start + due);
        long number = numbers.getAndIncrement();
        committed.at(number, writer.write(number));
        written++;
      }
      return new Written(
          written,
          (System.nanoTime() - began) / 1e9,
          (cpu.getCurrentThreadCpuTime() - cpuBegan) / 1e9,
          Allocated.byThisThread() - allocated);
    }
  }

  private static void await(long due) {
    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
