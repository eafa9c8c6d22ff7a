package dev.outbox.jdbc.proof;

import dev.outbox.Outbox;
import dev.outbox.message.MessageId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/**
 * Writers of business rows and messages, on their own threads, until they have written enough or
 * are closed. What fails is tried again with other messages.
 *
 * <p>Used by one thread.
 */
/*
 * A writer holds the locks of its keys from before it numbers their messages until after the commit or rollback, so the
 * numbers of a key follow the order in which its writers were serialised. A number whose commit got no answer is not used
 * again: the ledger says whether it counts.
 */
final class Writers implements AutoCloseable {
  private static final Duration AFTER_A_FAILURE = Duration.ofMillis(50);

  private final DataSource dataSource;
  private final Outbox outbox;
  private final Ledger ledger;
  private final Plan plan;
  private final KeyRing keys;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong left;
  private final AtomicInteger failures = new AtomicInteger();
  private final AtomicLong written = new AtomicLong();
  private final Queue<Throwable> broken = new ConcurrentLinkedQueue<>();
  private volatile boolean closing;

  /**
   * How they write: in transactions of up to {@code most} messages of up to {@code mostKeys} keys
   * with a pause of {@code rest} between two; {@code slowOf100} of them stay open for up to {@code
   * longestHold} after the enqueue, {@code rollbacksOf100} are rolled back.
   */
  record Plan(
      int threads,
      int most,
      int mostKeys,
      Duration rest,
      int slowOf100,
      Duration longestHold,
      int rollbacksOf100) {
    /** At full speed. */
    static Plan fast(int threads) {
      return new Plan(threads, 40, 8, Duration.ZERO, 0, Duration.ZERO, 5);
    }

    /** A steady traffic. */
    static Plan steady(int threads, Duration rest) {
      return new Plan(threads, 6, 3, rest, 0, Duration.ZERO, 5);
    }

    /** Some of whose transactions commit late. */
    Plan holding(int slowOf100, Duration longestHold) {
      return new Plan(threads, most, mostKeys, rest, slowOf100, longestHold, rollbacksOf100);
    }
  }

  Writers(DataSource dataSource, Outbox outbox, Plan plan, KeyRing keys, long messages) {
    this.dataSource = dataSource;
    this.outbox = outbox;
    this.ledger = new Ledger(dataSource);
    this.plan = plan;
    this.keys = keys;
    this.left = new AtomicLong(messages);
  }

  Writers start(Random random) {
    for (int number = 0; number < plan.threads(); number++) {
      Random dice = new Random(random.nextLong());
      Thread thread = new Thread(() -> write(dice), "writer-" + number);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
    return this;
  }

  /** How many messages are committed, as far as the commits were answered. */
  long written() {
    return written.get();
  }

  /** How many transactions failed. */
  int failures() {
    return failures.get();
  }

  /**
   * Waits until all is written.
   *
   * @throws AssertionError when it is not within {@code bound}, or a writer broke
   */
  void await(Duration bound) {
    long deadline = System.nanoTime() + bound.toNanos();
    try {
      for (Thread thread : threads) {
        thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
        if (thread.isAlive()) {
          throw new AssertionError(left + " messages are not written within " + bound);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for the writers", e);
    }
    if (!broken.isEmpty()) {
      throw new AssertionError("a writer broke", broken.peek());
    }
  }

  /** Lets every writer end its transaction, and waits for them. */
  void finish() {
    closing = true;
    await(plan.longestHold().plusSeconds(60));
  }

  /** As {@link #finish}. */
  @Override
  public void close() {
    finish();
  }

  private void write(Random dice) {
    try {
      while (!closing && left.get() > 0) {
        transaction(dice);
        Await.pause(plan.rest());
      }
    } catch (RuntimeException | Error e) {
      broken.add(e);
    }
  }

  private void transaction(Random dice) {
    int messages = 1 + dice.nextInt(plan.most());
    try (KeyRing.Grip grip = keys.take(1 + dice.nextInt(plan.mostKeys()), messages, dice);
        Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      List<MessageId> ids = outbox.enqueue(connection, grip.messages());
      ledger.write(connection, grip.passages(ids));
      if (dice.nextInt(100) < plan.slowOf100()) {
        Await.pause(plan.longestHold().multipliedBy(dice.nextInt(1001)).dividedBy(1000));
      }
      if (dice.nextInt(100) < plan.rollbacksOf100()) {
        connection.rollback();
        return;
      }
      connection.commit();
      left.addAndGet(-messages);
      written.addAndGet(messages);
    } catch (SQLException | RuntimeException e) {
      failures.incrementAndGet();
      Await.pause(AFTER_A_FAILURE);
    }
  }
}
