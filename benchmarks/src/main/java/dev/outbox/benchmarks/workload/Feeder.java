package dev.outbox.benchmarks.workload;

import dev.outbox.Outbox;
import dev.outbox.message.Message;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import javax.sql.DataSource;

/**
 * A thread that keeps that many messages waiting, whatever is taken away.
 *
 * <p>Started once, closed once.
 */
final class Feeder implements AutoCloseable {
  private static final int AT_A_TIME = 500;
  private static final int KEYS = 1000;
  private static final byte[] PAYLOAD = new byte[200];

  private final DataSource pool;
  private final Outbox outbox;
  private final String topic;
  private final AtomicLong written = new AtomicLong();
  private final Thread thread;
  private volatile boolean done;

  Feeder(DataSource pool, Outbox outbox, String topic, long waiting, LongSupplier taken) {
    this.pool = pool;
    this.outbox = outbox;
    this.topic = topic;
    this.thread = new Thread(() -> feed(waiting, taken), "feeder");
  }

  void start() {
    thread.start();
  }

  private void feed(long waiting, LongSupplier taken) {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      while (!done) {
        if (written.get() - taken.getAsLong() < waiting) {
          write(connection, outbox, topic, written.get(), AT_A_TIME);
          written.addAndGet(AT_A_TIME);
        } else {
          Thread.sleep(1);
        }
      }
    } catch (Exception e) {
      throw new IllegalStateException("the feeder ended", e);
    }
  }

  /** Writes and commits {@code count} messages. */
  static void write(Connection connection, Outbox outbox, String topic, long from, int count)
      throws Exception {
    List<Message> messages = new ArrayList<>(count);
    for (long number = from; number < from + count; number++) {
      messages.add(Message.to(topic).key("k" + number % KEYS).bytes(PAYLOAD));
    }
    outbox.enqueue(connection, messages);
    connection.commit();
  }

  @Override
  public void close() {
    done = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
