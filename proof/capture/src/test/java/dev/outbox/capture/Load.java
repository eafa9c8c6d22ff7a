package dev.outbox.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.message.Message;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * Four writers with ten keys each, a message for each transaction, every fourth rolled back: about
 * 400 messages a second, until it is stopped.
 */
final class Load {
  static final String TOPIC = "orders";
  private static final int WRITERS = 4;
  private static final int KEYS = 10;

  private final Map<String, Integer> written = new ConcurrentHashMap<>();
  private final List<Thread> threads = new ArrayList<>();
  private final DataSource dataSource;
  private volatile boolean writing = true;
  private volatile Throwable failure;

  private Load(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  static Load start(DataSource dataSource) {
    Load load = new Load(dataSource);
    for (int writer = 0; writer < WRITERS; writer++) {
      int number = writer;
      Thread thread = new Thread(() -> load.write(number), "writer-" + writer);
      load.threads.add(thread);
      thread.start();
    }
    return load;
  }

  private void write(int writer) {
    Outbox outbox = Outbox.create(JdbcStore.create(dataSource));
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      for (int turn = 0; writing; turn++) {
        String key = "k" + writer + "-" + turn % KEYS;
        int number = written.getOrDefault(key, 0);
        outbox.enqueue(
            connection, Message.to(TOPIC).key(key).text(turn % 4 == 3 ? "no" : number + ""));
        if (turn % 4 == 3) {
          connection.rollback();
        } else {
          connection.commit();
          written.put(key, number + 1);
        }
        TimeUnit.MILLISECONDS.sleep(7);
      }
    } catch (Exception e) {
      failure = e;
    }
  }

  /** Ends the writers; returns how many messages of each key there are. */
  Map<String, Integer> stop() throws InterruptedException {
    writing = false;
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failure).as("why a writer stopped").isNull();
    return new TreeMap<>(written);
  }
}
