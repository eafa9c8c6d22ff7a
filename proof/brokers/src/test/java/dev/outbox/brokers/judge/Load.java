package dev.outbox.brokers.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetters;
import dev.outbox.Outbox;
import dev.outbox.Snapshot;
import dev.outbox.brokers.TestBroker;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.message.Message;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import javax.sql.DataSource;

/**
 * Messages of 50 keys in turns, each in its own transaction, about 200 a second; and the judgement
 * of what arrived of them.
 */
public final class Load {
  private static final int KEYS = 50;
  private static final Duration BETWEEN = Duration.ofMillis(5);
  private static final Duration DRAINED = Duration.ofMinutes(3);

  private final AtomicIntegerArray written = new AtomicIntegerArray(KEYS);
  private final DataSource dataSource;
  private final Thread writer = new Thread(this::write, "writer");
  private volatile boolean writing = true;
  private volatile Throwable failure;

  private Load(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  public static Load start(DataSource dataSource) {
    Load load = new Load(dataSource);
    load.writer.start();
    return load;
  }

  private void write() {
    Outbox outbox = Outbox.create(JdbcStore.create(dataSource));
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      for (int number = 0; writing; number++) {
        int key = number % KEYS;
        String text = key + "-" + written.get(key);
        outbox.enqueue(connection, Message.to(TestBroker.TOPIC).key("k" + key).text(text));
        connection.commit();
        written.incrementAndGet(key);
        TimeUnit.MILLISECONDS.sleep(BETWEEN.toMillis());
      }
    } catch (Exception e) {
      failure = e;
    }
  }

  public int written() {
    int sum = 0;
    for (int key = 0; key < KEYS; key++) {
      sum += written.get(key);
    }
    return sum;
  }

  /** Ends the writer, waits until everything has left, and requires that nothing is dead. */
  public void stopAndDrain() throws Exception {
    writing = false;
    writer.join();
    assertThat(failure).as("the writer").isNull();
    JdbcStore store = JdbcStore.create(dataSource);
    long end = System.nanoTime() + DRAINED.toNanos();
    Snapshot left = store.snapshot(1000);
    while (left.ready() + left.parked() > 0) {
      assertThat(System.nanoTime()).as("drained in time, left %s", left).isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(100);
      left = store.snapshot(1000);
    }
    assertThat(DeadLetters.create(store).page(DeadLetters.Filter.all(), 0, 20))
        .as("dead letters")
        .isEmpty();
  }

  /** What a consumer saw twice. */
  public record Repeats(int messages, List<String> ids) {}

  /**
   * Requires that all arrived, those of a key in their order; repeats come before any later one.
   */
  public Repeats requireAll(List<TestBroker.Arrived> arrived) {
    return requireAll(arrived, written);
  }

  static Repeats requireAll(List<TestBroker.Arrived> arrived, AtomicIntegerArray written) {
    int[] next = new int[written.length()];
    List<String> repeated = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (TestBroker.Arrived each : arrived) {
      int key = Integer.parseInt(each.key().substring(1));
      int number = Integer.parseInt(each.text().substring(each.text().indexOf('-') + 1));
      assertThat(number).as("key %d after %d", key, next[key] - 1).isLessThanOrEqualTo(next[key]);
      if (number == next[key]) {
        next[key]++;
      } else {
        assertThat(seen).as("a repeat has the id of the first").contains(each.id());
        repeated.add(each.id());
      }
      seen.add(each.id());
    }
    for (int key = 0; key < next.length; key++) {
      assertThat(next[key]).as("messages of key %d", key).isEqualTo(written.get(key));
    }
    return new Repeats(arrived.size() - repeated.size(), repeated);
  }
}
