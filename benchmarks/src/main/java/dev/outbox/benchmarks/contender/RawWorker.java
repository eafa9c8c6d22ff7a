package dev.outbox.benchmarks.contender;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread with a connection that takes turns: at the lanes it is rung for, and at all of them
 * while there is something in them, or every 10 ms.
 *
 * <p>Started once, closed once.
 */
final class RawWorker implements AutoCloseable {
  private static final long REST = 10_000_000;

  private final Connection connection;
  private final Turn turn;
  private final Thread thread;
  private final AtomicInteger rung = new AtomicInteger();
  private volatile boolean done;
  private volatile @Nullable Exception failure;

  private RawWorker(Connection connection, Turn turn) {
    this.connection = connection;
    this.turn = turn;
    this.thread = new Thread(this::work, "raw-worker");
  }

  /** What a worker does again and again; both return how many messages they moved. */
  interface Turn {
    int everywhere() throws SQLException;

    int at(int lane) throws SQLException;
  }

  static RawWorker start(Connection connection, Turn turn) {
    RawWorker worker = new RawWorker(connection, turn);
    worker.thread.start();
    return worker;
  }

  /** Something was committed in {@code lane}. */
  void ring(int lane) {
    if (rung.getAndAccumulate(1 << lane, (before, added) -> before | added) == 0) {
      LockSupport.unpark(thread);
    }
  }

  private void work() {
    try {
      boolean resting = false;
      while (!done) {
        if (resting && rung.get() == 0) {
          LockSupport.parkNanos(REST);
        }
        int lanes = rung.getAndSet(0);
        if (lanes == 0) {
          resting = turn.everywhere() == 0;
        }
        for (; lanes != 0; lanes &= lanes - 1) {
          turn.at(Integer.numberOfTrailingZeros(lanes));
        }
      }
    } catch (Exception e) {
      failure = e;
    }
  }

  @Override
  public void close() throws SQLException {
    done = true;
    LockSupport.unpark(thread);
    awaitEnd();
    connection.rollback();
    connection.close();
    if (failure != null) {
      throw new IllegalStateException("a worker ended: " + failure.getMessage(), failure);
    }
  }

  private void awaitEnd() {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a worker ends", e);
    }
  }
}
