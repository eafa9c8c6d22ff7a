package dev.outbox.servers;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;

/** The wait for a server that is coming up. Stateless. */
final class Answer {
  private static final Duration PAUSE = Duration.ofMillis(50);

  private Answer() {}

  /** Connects until it works; the check between two attempts may throw to give up early. */
  static void await(ServerOrigin serverOrigin, Duration patience, Runnable check) {
    long end = System.nanoTime() + patience.toNanos();
    while (true) {
      try {
        DriverManager.getConnection(
                serverOrigin.url(), serverOrigin.user(), serverOrigin.password())
            .close();
        return;
      } catch (SQLException notYet) {
        check.run();
        if (System.nanoTime() > end) {
          throw new ServerUnavailableException(
              "no answer from " + serverOrigin.url() + " within " + patience.toSeconds() + " s",
              notYet);
        }
        pause();
      }
    }
  }

  static void pause() {
    try {
      Thread.sleep(PAUSE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerUnavailableException("interrupted while waiting for a server", e);
    }
  }
}
