package dev.outbox.jdbc.proof;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * An application that takes every connection of a pool that it can get, keeps it until its time is
 * over and replaces one that breaks.
 */
final class Hogs {
  private static final int FOR_EACH_CONNECTION = 2;
  private final HikariDataSource pool;
  private final long deadline;
  private final List<Thread> threads = new ArrayList<>();

  Hogs(HikariDataSource pool, Duration time) {
    this.pool = pool;
    this.deadline = System.nanoTime() + time.toNanos();
  }

  void start() {
    for (int hog = 0; hog < pool.getMaximumPoolSize() * FOR_EACH_CONNECTION; hog++) {
      Thread thread = new Thread(this::hog, "hog-" + hog);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  void join() {
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void hog() {
    while (System.nanoTime() < deadline) {
      try (Connection connection = pool.getConnection()) {
        keepWhileItLives(connection);
      } catch (SQLException tooMany) {
        // the others have them all: ask again
      }
    }
  }

  private void keepWhileItLives(Connection connection) throws SQLException {
    while (System.nanoTime() < deadline && connection.isValid(1)) {
      try {
        Thread.sleep(50);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
