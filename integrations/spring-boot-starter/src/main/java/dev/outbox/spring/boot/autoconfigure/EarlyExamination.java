package dev.outbox.spring.boot.autoconfigure;

import dev.outbox.spi.OutboxStore;
import dev.outbox.spi.Usage;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the database as the relay's start will, while the application makes its other beans.
 * What it finds counts for nothing: beans that are yet to come may make the tables. But the classes
 * of the doctor are loaded then, and the server has what it needs in memory.
 *
 * <p>Immutable.
 */
record EarlyExamination(OutboxStore store, Duration lease) implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(EarlyExamination.class);

  /** Looks in a thread of its own, which keeps no application from its end. */
  static void begin(OutboxStore store, Duration lease) {
    Thread thread = new Thread(new EarlyExamination(store, lease), "outbox-early-examination");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void run() {
    try {
      store.examine(new Usage(Usage.Role.RELAY, store.layout().claiming(), 1, lease));
    } catch (RuntimeException e) {
      log.debug("an early look at the database failed; the relay's start looks again", e);
    }
  }
}
