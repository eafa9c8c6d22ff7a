package dev.outbox.benchmarks.workload;

import dev.outbox.Outbox;
import dev.outbox.Transactions;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * Threads that write one message of 200 bytes a transaction at a steady rate, and note when each
 * was committed. The time is the wall's in nanoseconds, so that processes can be compared.
 */
record Writers(DataSource dataSource, Outbox outbox, Way way) {
  private static final int THREADS = 4;
  private static final int KEYS = 1000;
  private static final byte[] PAYLOAD = new byte[200];

  /** How a message gets into a transaction, and how the relay hears of it. */
  enum Way {
    /** Through {@code Outbox.join}: wakes after the commit. */
    ADAPTER,
    /** A raw connection: leaves a hint, and no relay is notified of the commit. */
    RAW
  }

  /** A message whose {@code commit()} was called and returned at these times. */
  record Committed(MessageId id, long called, long returned) {}

  static long now() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000_000L + now.getNano();
  }

  /** Writes {@code perSecond} messages in all for {@code length}. */
  List<Committed> write(int perSecond, Duration length) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Callable<List<Committed>>> tasks = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        long between = 1_000_000_000L * THREADS / perSecond;
        long offset = between * thread / THREADS;
        tasks.add(() -> write(offset, between, length));
      }
      List<Committed> all = new ArrayList<>();
      for (Future<List<Committed>> done : threads.invokeAll(tasks)) {
        all.addAll(done.get());
      }
      return all;
    } finally {
      threads.shutdown();
    }
  }

  private List<Committed> write(long offset, long between, Duration length) throws SQLException {
    List<Committed> committed = new ArrayList<>();
    long start = System.nanoTime();
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      for (long due = offset; due < length.toNanos(); due += between) {
        awaitNanoTime(start + due);
        committed.add(write(connection));
      }
    }
    return committed;
  }

  private static void awaitNanoTime(long due) {
    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private Committed write(Connection connection) throws SQLException {
    Message message =
        Message.to("latency")
            .key("key " + ThreadLocalRandom.current().nextInt(KEYS))
            .bytes(PAYLOAD);
    List<Runnable> afterCommit = new ArrayList<>();
    MessageId id =
        way == Way.RAW
            ? outbox.enqueue(connection, message)
            : outbox
                .join(Transactions.of(work -> work.accept(connection), afterCommit::add))
                .enqueue(message);
    long called = now();
    connection.commit();
    long returned = now();
    afterCommit.forEach(Runnable::run);
    return new Committed(id, called, returned);
  }
}
