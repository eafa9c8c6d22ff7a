package dev.outbox.jdbc.proof;

import dev.outbox.servers.Database;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * How proofs run: on which databases, in which size, with which seed. A daily build runs each proof
 * on one database, another one every time; {@code more} and {@code full} run it on all. Stateless.
 *
 * <ul>
 *   <li>{@code -Doutbox.proof=more}: on every database, and more of what takes its time
 *   <li>{@code -Doutbox.proof=full}: the sizes and times that the issue names, which take long
 *   <li>{@code -Doutbox.proof.databases=MYSQL,H2_SERVER}: only these
 *   <li>{@code -Doutbox.proof.seed=1}: as printed by the run that is to be repeated
 * </ul>
 */
public final class Proof {
  static final Database[] SERVERS = {Database.POSTGRES, Database.MYSQL, Database.MARIADB};
  static final Database[] ALL = {
    Database.POSTGRES, Database.MYSQL, Database.MARIADB, Database.H2_SERVER
  };
  private static final Duration LONGEST = Duration.ofMinutes(15);
  private static final Random RANDOM = new Random();

  private Proof() {}

  /** What is done on each database. */
  public interface Scenario {
    void run(Database database, Random random) throws Exception;
  }

  static boolean isFull() {
    return "full".equals(System.getProperty("outbox.proof"));
  }

  static int size(int quick, int full) {
    return isFull() ? full : quick;
  }

  /** The same for what is done more often with {@code more}. */
  static int size(int quick, int more, int full) {
    return size("more".equals(System.getProperty("outbox.proof")) ? more : quick, full);
  }

  static Duration seconds(int quick, int full) {
    return Duration.ofSeconds(size(quick, full));
  }

  /** A test for each chosen database, all running at the same time: for what mostly waits. */
  public static Stream<DynamicTest> together(Database[] databases, Scenario scenario) {
    return tests(caller(), databases, scenario, databases.length);
  }

  /** As {@link #together}, with a title where one test does several things. */
  public static Stream<DynamicTest> together(
      String title, Database[] databases, Scenario scenario) {
    return tests(caller() + ", " + title, databases, scenario, databases.length);
  }

  /**
   * A test for each chosen database, two at a time, in full size one: for what needs the machine.
   */
  static Stream<DynamicTest> apart(Database[] databases, Scenario scenario) {
    return tests(caller(), databases, scenario, size(2, 1));
  }

  /** Tells a measure to whoever reads the build's output. */
  public static void tell(String what) {
    System.out.println("proof: " + what);
  }

  /**
   * The ones that are named; else all in the proof, and one in a quick build, another each time.
   */
  private static List<Database> chosen(Database[] databases) {
    String only = System.getProperty("outbox.proof.databases");
    if (only != null) {
      List<String> named = List.of(only.split(",", -1));
      return Arrays.stream(databases).filter(each -> named.contains(each.name())).toList();
    }
    boolean quick = System.getProperty("outbox.proof") == null;
    return quick ? List.of(databases[RANDOM.nextInt(databases.length)]) : List.of(databases);
  }

  private static Stream<DynamicTest> tests(
      String name, Database[] databases, Scenario scenario, int atATime) {
    List<Database> chosen = chosen(databases);
    ExecutorService stages = Executors.newFixedThreadPool(atATime, Proof::daemon);
    List<DynamicTest> tests = new ArrayList<>();
    for (Database database : chosen) {
      String where = name + ", on " + database;
      Future<?> running = stages.submit(() -> run(where, database, scenario));
      tests.add(DynamicTest.dynamicTest(where, () -> await(running)));
    }
    stages.shutdown();
    return tests.stream();
  }

  private static Void run(String where, Database database, Scenario scenario) throws Exception {
    long seed = Long.getLong("outbox.proof.seed", new Random().nextLong());
    tell("%s, seed %d".formatted(where, seed));
    long begun = System.nanoTime();
    scenario.run(database, new Random(seed));
    tell("%s: %.1f s".formatted(where, (System.nanoTime() - begun) / 1e9));
    return null;
  }

  private static void await(Future<?> running) throws Exception {
    try {
      running.get(LONGEST.toMinutes(), TimeUnit.MINUTES);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw (Exception) e.getCause();
    } catch (TimeoutException e) {
      running.cancel(true);
      throw new AssertionError("not over within " + LONGEST, e);
    }
  }

  private static String caller() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames
                    .filter(frame -> frame.getClassName().endsWith("Test"))
                    .map(frame -> frame.getMethodName().replace('_', ' '))
                    .findFirst()
                    .orElseThrow());
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "proof-stage");
    thread.setDaemon(true);
    return thread;
  }
}
