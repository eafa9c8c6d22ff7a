package dev.outbox.benchmarks;

import dev.outbox.benchmarks.contender.Contender;
import dev.outbox.benchmarks.contender.Contenders;
import dev.outbox.benchmarks.report.Variant;
import dev.outbox.servers.Database;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the command line asks for; {@code quick} is for a look, not for a figure, and 0 rounds are
 * as many as is usual.
 *
 * <p>Immutable.
 */
public record Setting(
    Database database,
    List<String> contenders,
    Map<String, String> only,
    int rounds,
    boolean quick,
    @Nullable Path json,
    @Nullable Path plots) {
  private static final Map<String, Database> DATABASES =
      new TreeMap<>(
          Map.of(
              "postgres", Database.POSTGRES,
              "mysql", Database.MYSQL,
              "mariadb", Database.MARIADB,
              "h2", Database.H2));

  /** The name of the database on the command line and in the report. */
  public String databaseName() {
    return DATABASES.entrySet().stream()
        .filter(entry -> entry.getValue() == database)
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseThrow();
  }

  /** As many as {@code full}, or as {@code small} where a look is enough. */
  public int count(int full, int small) {
    return quick ? small : full;
  }

  /** How many rounds the command line wants, or else {@code usual}, and one for a look. */
  public int roundsOr(int usual) {
    if (rounds > 0) {
      return rounds;
    }
    return quick ? 1 : usual;
  }

  /**
   * Those that the command line names, or else those called {@code usual} that run here.
   *
   * @throws IllegalArgumentException when one does not exist or does not run here
   */
  public List<Contender> contendersOr(String... usual) {
    List<String> names = contenders.isEmpty() ? List.of(usual) : contenders;
    return names.stream().map(name -> Contenders.named(name, database)).toList();
  }

  /**
   * The numbers that {@code term} takes: {@code full}, or {@code small} where a look is enough, or
   * the one that the command line wants.
   *
   * @throws IllegalArgumentException when it wants no number
   */
  public List<Integer> numbers(String term, List<Integer> full, List<Integer> small) {
    String wanted = only.get(term);
    if (wanted == null) {
      return quick ? small : full;
    }
    if (!wanted.matches("[1-9][0-9]{0,8}")) {
      throw new IllegalArgumentException(
          "--only %s is %s, it must be a number from 1 to 999999999".formatted(term, wanted));
    }
    return List.of(Integer.valueOf(wanted));
  }

  /**
   * Those of {@code all} that the command line wants.
   *
   * @throws IllegalArgumentException when it wants none of them
   */
  public List<Variant> variants(List<Variant> all) {
    List<Variant> wanted = all.stream().filter(variant -> variant.matches(only)).toList();
    if (wanted.isEmpty()) {
      throw new IllegalArgumentException("only is %s, but there are %s".formatted(only, all));
    }
    return wanted;
  }

  /**
   * Reads the options after the workload's name.
   *
   * @throws IllegalArgumentException when there is no such option or value
   */
  public static Setting of(List<String> options) {
    Reader reader = new Reader();
    List<String> left = new ArrayList<>(options);
    while (!left.isEmpty()) {
      reader.take(left.remove(0), left);
    }
    return reader.read();
  }

  private static final class Reader {
    private Database database = Database.POSTGRES;
    private List<String> contenders = List.of();
    private final Map<String, String> only = new LinkedHashMap<>();
    private int rounds;
    private boolean quick;
    private @Nullable Path json;
    private @Nullable Path plots;

    void take(String option, List<String> left) {
      switch (option) {
        case "--quick" -> quick = true;
        case "--db" -> database = known(DATABASES, "--db", value(option, left));
        case "--contenders" -> contenders = Arrays.asList(value(option, left).split(",", -1));
        case "--only" -> only(value(option, left));
        case "--rounds" -> rounds = atLeastOne(option, value(option, left));
        case "--json" -> json = Path.of(value(option, left));
        case "--plots" -> plots = Path.of(value(option, left));
        default -> throw new IllegalArgumentException("there is no option " + option);
      }
    }

    private static String value(String option, List<String> left) {
      if (left.isEmpty()) {
        throw new IllegalArgumentException(option + " has no value");
      }
      return left.remove(0);
    }

    private void only(String terms) {
      for (String term : terms.split(",", -1)) {
        String[] parts = term.split("=", 2);
        if (parts.length < 2) {
          throw new IllegalArgumentException(
              "--only is %s, it must be like batch=1000,relays=1".formatted(terms));
        }
        only.put(parts[0], parts[1]);
      }
    }

    private static int atLeastOne(String option, String value) {
      if (!value.matches("[1-9][0-9]{0,3}")) {
        throw new IllegalArgumentException(
            "%s is %s, it must be a number from 1 to 9999".formatted(option, value));
      }
      return Integer.parseInt(value);
    }

    Setting read() {
      return new Setting(
          database, List.copyOf(contenders), Map.copyOf(only), rounds, quick, json, plots);
    }
  }

  static <T> T known(Map<String, T> choices, String what, String name) {
    T choice = choices.get(name);
    if (choice == null) {
      throw new IllegalArgumentException(
          "%s is %s, it must be one of %s".formatted(what, name, choices.keySet()));
    }
    return choice;
  }
}
