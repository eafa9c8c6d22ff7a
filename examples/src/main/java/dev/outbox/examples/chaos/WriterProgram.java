package dev.outbox.examples.chaos;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Outbox;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.testkit.history.Journal;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;

/**
 * An application with some threads that write, as its own process. It goes on where the one before
 * it died, ends when its share is written, and dies with the process that started it.
 */
public final class WriterProgram {
  static final int THREADS = 4;

  private final Brief brief;
  private final Journal journal;
  private final HikariDataSource pool;
  private final AtomicReference<Duration> rest;

  private WriterProgram(Brief brief) {
    this.brief = brief;
    this.journal = Journal.open(brief.folder(), brief.text("name"));
    this.pool = Pools.open(brief.text("name"), brief.login(), THREADS);
    this.rest = new AtomicReference<>(Duration.ofMillis(brief.number("rest")));
  }

  /** Writes as the environment says; exit code 0 when all is written. */
  public static void main(String[] arguments) throws Exception {
    new WriterProgram(Brief.fromEnvironment()).run();
    Runtime.getRuntime().halt(0);
  }

  private void run() throws InterruptedException {
    Thread listener = new Thread(this::listen, "lifeline");
    listener.setDaemon(true);
    listener.start();
    Business business = new Business(pool);
    String slot = brief.text("slot");
    int written = Patience.until("the database answers", () -> business.written(slot));
    Outbox outbox = Patience.until("the outbox opens", () -> Outbox.create(JdbcStore.create(pool)));
    Quota quota = new Quota((int) brief.number("share") - written);
    Random dice = new Random(brief.number("seed"));
    List<String> topics = List.of(brief.text("topics").split(",", -1));
    List<Thread> threads = new ArrayList<>();
    for (int number = 0; number < THREADS; number++) {
      Desk desk = new Desk(business, outbox, journal, brief.text("name"), slot, topics);
      Clerk clerk = new Clerk(desk, quota, rest::get, new Random(dice.nextLong()));
      Thread thread = new Thread(clerk, "clerk-" + number);
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** The only word that there is says that no process will be killed any more. */
  private void listen() {
    try {
      while (Lifeline.word() != null) {
        rest.set(Duration.ZERO);
      }
    } catch (IOException gone) {
      // as is the process at the other end
    }
    Runtime.getRuntime().halt(1);
  }
}
