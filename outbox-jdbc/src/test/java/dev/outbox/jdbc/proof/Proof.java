package dev.outbox.jdbc.proof;

import dev.outbox.testkit.database.Database;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * How proofs run: on which databases, in which size, with which seed. Stateless.
 *
 * <ul>
 *   <li>{@code -Doutbox.proof=full}: the sizes and times that the issue names, which take long
 *   <li>{@code -Doutbox.proof.databases=MYSQL,H2_SERVER}: only these
 *   <li>{@code -Doutbox.proof.seed=1}: as printed by the run that is to be repeated
 * </ul>
 */
final class Proof {
  static final Database[] SERVERS = {Database.POSTGRES, Database.MYSQL, Database.MARIADB};
  static final Database[] ALL = {
    Database.POSTGRES, Database.MYSQL, Database.MARIADB, Database.H2_SERVER
  };
  private static final Duration LONGEST = Duration.ofMinutes(15);

  private Proof() {}

  /** What is done on each database. */
  interface Scenario {
    void run(Database database, Random random) throws Exception;
  }

  static boolean isFull() {
    return "full".equals(System.getProperty("outbox.proof"));
  }

  static int size(int quick, int full) {
    return isFull() ? full : quick;
  }

  static Duration seconds(int quick, int full) {
    return Duration.ofSeconds(size(quick, full));
  }

  /** A test for each database, all running at the same time: for what mostly waits. */
  static Stream<DynamicTest> together(Database[] databases, Scenario scenario) {
    List<Database> chosen = chosen(databases);
    if (!chosen.isEmpty()) {
      Database.startAll(chosen.toArray(Database[]::new));
    }
    String name = caller();
    return chosen.stream()
        .map(database -> test(database, started(name, database, scenario)))
        .toList()
        .stream();
  }

  /** A test for each database, one after the other: for what needs the machine. */
  static Stream<DynamicTest> apart(Database[] databases, Scenario scenario) {
    String name = caller();
    return chosen(databases).stream()
        .map(database -> test(database, () -> run(started(name, database, scenario))));
  }

  /** Tells a measure to whoever reads the build's output. */
  static void tell(String what) {
    System.out.println("proof: " + what);
  }

  private static List<Database> chosen(Database[] databases) {
    String only = System.getProperty("outbox.proof.databases");
    return Arrays.stream(databases)
        .filter(each -> only == null || List.of(only.split(",", -1)).contains(each.name()))
        .toList();
  }

  private static FutureTask<Void> started(String name, Database database, Scenario scenario) {
    long seed = Long.getLong("outbox.proof.seed", new Random().nextLong());
    String where = name + " on " + database;
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              tell("%s, seed %d".formatted(where, seed));
              long begun = System.nanoTime();
              scenario.run(database, new Random(seed));
              tell("%s took %.1f s".formatted(where, (System.nanoTime() - begun) / 1e9));
              return null;
            });
    Thread thread = new Thread(task, "proof-" + database);
    thread.setDaemon(true);
    thread.start();
    return task;
  }

  private static String caller() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames
                    .filter(frame -> frame.getClassName().endsWith("Test"))
                    .map(frame -> frame.getMethodName().replace('_', ' '))
                    .filter(name -> !name.contains("lambda"))
                    .findFirst()
                    .orElse("?"));
  }

  private static DynamicTest test(Database database, FutureTask<Void> running) {
    return test(database, () -> run(running));
  }

  private static DynamicTest test(Database database, Callable<Void> body) {
    return DynamicTest.dynamicTest("on " + database, body::call);
  }

  private static Void run(FutureTask<Void> running) throws Exception {
    try {
      return running.get(LONGEST.toMinutes(), TimeUnit.MINUTES);
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
}
