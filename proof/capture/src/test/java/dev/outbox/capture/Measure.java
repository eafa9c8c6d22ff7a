package dev.outbox.capture;

import dev.outbox.Outbox;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.PostgresWakeup;
import dev.outbox.message.Message;
import dev.outbox.servers.Database;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * By hand: the same load through nobody, a relay, a relay that is woken, and the embedded engine,
 * one after the other; latency, and CPU of the publishing process and of the database. Arguments:
 * messages, and how many a second.
 */
public final class Measure {
  private static final int WRITERS = 4;
  private static final int KEYS = 25;

  private final int messages;
  private final int perSecond;
  private final Path folder = Files.createTempDirectory("capture");

  private Measure(int messages, int perSecond) throws Exception {
    this.messages = messages;
    this.perSecond = perSecond;
  }

  public static void main(String[] args) throws Exception {
    Measure measure = new Measure(Integer.parseInt(args[0]), Integer.parseInt(args[1]));
    for (String who : List.of("nobody", "relay", "woken", "engine", "engine-10ms")) {
      measure.run(who);
    }
    System.exit(0);
  }

  private void run(String who) throws Exception {
    try (Captured captured = Captured.on(Database.POSTGRES)) {
      captured.run("postgresql.sql");
      if (!who.startsWith("engine")) {
        captured.execute("SELECT pg_drop_replication_slot('" + captured.slot() + "')");
      }
      Child child = who.equals("nobody") ? null : child(captured, who);
      TimeUnit.SECONDS.sleep(8); // until it has started
      long cpu = databaseCpu(captured);
      long log = number(captured, "SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn");
      write(captured, who.equals("woken"));
      await(captured, who);
      if (who.startsWith("engine")) {
        captured.execute("DELETE FROM outbox"); // the purge is part of its price
      }
      log = number(captured, "SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn") - log;
      cpu = databaseCpu(captured) - cpu;
      System.out.printf(
          "%s: %d messages, database cpu %.1f us and log %.0f bytes for a message%n",
          who, messages, cpu * 1000.0 / messages, (double) log / messages);
      if (child != null) {
        child.stop();
        System.out.println(Files.readString(child.log()));
      }
    }
  }

  private Child child(Captured captured, String who) throws Exception {
    Path log = folder.resolve(who + ".log");
    if (!who.startsWith("engine")) {
      return Child.start(
          SinkMain.class,
          log,
          who,
          captured.sandbox().url(),
          captured.sandbox().user(),
          captured.sandbox().password());
    }
    Properties settings =
        captured.connector(Files.createDirectories(folder.resolve(who)), "message");
    settings.setProperty(
        "offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
    settings.setProperty("heartbeat.interval.ms", "500");
    if (who.endsWith("10ms")) {
      settings.setProperty("poll.interval.ms", "10"); // the default is 500
    }
    Path file = folder.resolve("engine.properties");
    try (OutputStream out = Files.newOutputStream(file)) {
      settings.store(out, null);
    }
    return Child.start(SinkMain.class, log, "engine", file.toString());
  }

  private void write(Captured captured, boolean wakes) throws Exception {
    DataSource pool = captured.sandbox().pool(WRITERS + 2);
    List<Thread> threads = new ArrayList<>();
    try (PostgresWakeup wakeup = PostgresWakeup.create(pool)) {
      JdbcStore.Builder store = JdbcStore.builder(pool);
      Outbox outbox = Outbox.create(wakes ? store.wakeup(wakeup).build() : store.build());
      for (int writer = 0; writer < WRITERS; writer++) {
        int number = writer;
        Thread thread = new Thread(() -> write(pool, outbox, number));
        threads.add(thread);
        thread.start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  /** At a steady pace; every fifth transaction is rolled back. */
  private void write(DataSource pool, Outbox outbox, int writer) {
    long between = TimeUnit.SECONDS.toNanos(1) * WRITERS / perSecond;
    long due = System.nanoTime();
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      for (int number = 0; number < messages / WRITERS; number++) {
        LockSupport.parkNanos(due - System.nanoTime());
        due += between;
        String key = "k" + writer + "-" + number % KEYS;
        long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        String text = number / KEYS + " " + now + " " + "x".repeat(200);
        if (number % 4 == 3) {
          outbox.enqueue(connection, Message.to(Load.TOPIC).key(key).text("rolled back"));
          connection.rollback();
        }
        outbox.enqueue(connection, Message.to(Load.TOPIC).key(key).text(text));
        connection.commit();
        outbox.wake();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void await(Captured captured, String who) throws Exception {
    String question =
        switch (who) {
          case "nobody" -> "SELECT 0";
          case "engine", "engine-10ms" ->
              "SELECT CASE WHEN confirmed_flush_lsn >= '%s' THEN 0 ELSE 1 END FROM pg_replication_slots WHERE slot_name = '%s'"
                  .formatted(text(captured, "SELECT pg_current_wal_insert_lsn()"), captured.slot());
          default -> "SELECT count(*) FROM outbox";
        };
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (number(captured, question) > 0) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException(who + " is not done: " + question);
      }
      TimeUnit.MILLISECONDS.sleep(500);
    }
  }

  /** In ms: of the server, of its processes that are there, and of those that have ended. */
  private static long databaseCpu(Captured captured) throws Exception {
    long server =
        Long.parseLong(
            text(captured, "SELECT pg_read_file('postmaster.pid')")
                .lines()
                .findFirst()
                .orElseThrow());
    while (true) {
      try {
        return 10 * ticks(ProcessHandle.of(server).orElseThrow());
      } catch (IOException ended) {
        Thread.onSpinWait(); // its time is now its parent's: count again
      }
    }
  }

  private static long ticks(ProcessHandle server) throws Exception {
    long ticks = ticks(server.pid(), 13, 17);
    for (ProcessHandle each : server.descendants().toList()) {
      ticks += ticks(each.pid(), 13, 15);
    }
    return ticks;
  }

  private static long ticks(long pid, int from, int until) throws Exception {
    String stat = Files.readString(Path.of("/proc", String.valueOf(pid), "stat"));
    String[] words = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    long ticks = 0;
    for (int field = from; field < until; field++) {
      ticks += Long.parseLong(words[field - 2]);
    }
    return ticks;
  }

  private static long number(Captured captured, String question) throws SQLException {
    return Long.parseLong(text(captured, question));
  }

  private static String text(Captured captured, String question) throws SQLException {
    try (Connection connection = captured.sandbox().open();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(question)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
