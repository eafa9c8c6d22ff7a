package dev.outbox.benchmarks;

import dev.outbox.testkit.database.Database;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Runs one workload: {@code WORKLOAD [--db postgres|mysql|mariadb|h2] [--quick]}. */
public final class Benchmarks {
  private static final Map<String, Workload> WORKLOADS =
      new TreeMap<>(
          Map.of(
              "bytes", new Bytes(),
              "delayed", new Delayed(),
              "history", new History(),
              "latency", new Latency(),
              "memory", new Memory(),
              "parked", new Parked(),
              "snapshot", new OldSnapshot()));

  private static final Map<String, Database> DATABASES =
      new TreeMap<>(
          Map.of(
              "postgres", Database.POSTGRES,
              "mysql", Database.MYSQL,
              "mariadb", Database.MARIADB,
              "h2", Database.H2));

  private Benchmarks() {}

  /** One thing to measure; prints what it finds. */
  interface Workload {
    void run(Setting setting) throws Exception;
  }

  /** Where to measure; {@code quick} is for a look, not for a figure. */
  record Setting(Database database, boolean quick) {
    static Setting of(List<String> options) {
      Database database = Database.POSTGRES;
      boolean quick = false;
      for (int i = 0; i < options.size(); i++) {
        if (options.get(i).equals("--quick")) {
          quick = true;
        } else if (options.get(i).equals("--db") && i + 1 < options.size()) {
          i++;
          database = known(DATABASES, "database", options.get(i));
        } else {
          throw new IllegalArgumentException("there is no option " + options.get(i));
        }
      }
      return new Setting(database, quick);
    }
  }

  public static void main(String[] arguments) throws Exception {
    try {
      String name = arguments.length == 0 ? "none" : arguments[0];
      Workload workload = known(WORKLOADS, "workload", name);
      List<String> options = List.of(arguments).subList(1, arguments.length);
      workload.run(Setting.of(options));
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
    }
  }

  private static <T> T known(Map<String, T> choices, String what, String name) {
    T choice = choices.get(name);
    if (choice == null) {
      throw new IllegalArgumentException(
          "%s is %s, it must be one of %s".formatted(what, name, choices.keySet()));
    }
    return choice;
  }
}
