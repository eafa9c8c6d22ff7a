package dev.outbox.benchmarks.measure;

import dev.outbox.benchmarks.contender.Installation;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * A thread that writes messages, many a transaction, in the amounts that a rule allows.
 *
 * <p>Started once, ended once.
 */
public final class Feed {
  private static final int AT_A_TIME = 500;

  private final Installation installation;
  private final Rule rule;
  private final long from;
  private final FutureTask<Long> task;
  private volatile boolean done;

  private Feed(Installation installation, long from, Rule rule) {
    this.installation = installation;
    this.from = from;
    this.rule = rule;
    this.task = new FutureTask<>((Callable<Long>) this::feed);
  }

  /** How many may be written in all by now. */
  @FunctionalInterface
  public interface Rule {
    long allowed();
  }

  /** Begins with message {@code from}. */
  public static Feed start(Installation installation, long from, Rule rule) {
    Feed feed = new Feed(installation, from, rule);
    new Thread(feed.task, "feed").start();
    return feed;
  }

  /** That many a second from now on. */
  public static Rule perSecond(double rate) {
    long begun = System.nanoTime();
    return () -> (long) ((System.nanoTime() - begun) / 1e9 * rate);
  }

  private long feed() throws Exception {
    long written = 0;
    while (!done) {
      int due = (int) Math.min(AT_A_TIME, rule.allowed() - written);
      if (due > 0) {
        installation.fill(from + written, due);
        written += due;
      }
      if (due < AT_A_TIME) {
        Thread.sleep(1);
      }
    }
    return written;
  }

  /** Ends it; returns how many it has written. */
  public long end() throws Exception {
    done = true;
    try {
      return task.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the feed ended: " + e.getCause(), e);
    }
  }
}
