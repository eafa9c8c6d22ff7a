package dev.outbox.examples.chaos;

import dev.outbox.servers.Database;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a run is asked to do, read from the command line. */
record Terms(
    Database database,
    @Nullable Login given,
    String broker,
    int relays,
    int writers,
    int messages,
    int kills,
    long seed,
    Sabotage sabotage,
    Builds builds,
    Path folder) {
  /** The broker that is none: relays write down what they publish. */
  static final String JOURNAL = "journal";

  static final String HELP =
      """
      examples/chaos/run [arguments]
        --db postgres|mysql|mariadb|h2   the database; default h2
        --url --user --password          an empty one to use instead of an embedded one; the sessions of
                                         this user in it are ended, and nothing is restarted
        --broker kafka|rabbitmq|nats     a real one, which is killed and cut too, with its ready publisher; the
                                         verdict reads what a consumer received. Default: relays write a journal
        --relays 3                       relay processes, 1 to 20
        --writers 2                      writer processes, 1 to 20
        --messages 20000                 messages to commit, 1 to 1000000
        --kills 40                       processes to kill (SIGKILL), 0 to 1000; others are stopped and ended besides
        --seed N                         drives every choice; default random, printed
        --folder examples/target/chaos   where journals and logs stay
        --previous CLASSPATH             another build of this example: the first processes are of that one, and each
                                         that ends is replaced by one of the other build
        --sabotage lose|repeat|early     relays that do wrong, to see the verdict FAIL""";
  private static final Map<String, Database> DATABASES =
      Map.of(
          "postgres", Database.POSTGRES,
          "mysql", Database.MYSQL,
          "mariadb", Database.MARIADB,
          "h2", Database.H2_SERVER);
  private static final Set<String> BROKERS = Set.of("kafka", "rabbitmq", "nats");
  private static final Set<String> NAMES =
      Set.of(
          "db",
          "broker",
          "url",
          "user",
          "password",
          "relays",
          "writers",
          "messages",
          "kills",
          "seed",
          "folder",
          "previous",
          "sabotage");

  /** How to reach a database. */
  record Login(String url, String user, String password) {}

  /**
   * Reads {@code --name value} pairs.
   *
   * @throws BadArgumentException when one of them cannot be used
   */
  static Terms parse(String... arguments) {
    Map<String, String> given = pairs(List.of(arguments));
    return new Terms(
        database(given.getOrDefault("db", "h2")),
        login(given, given.getOrDefault("db", "h2")),
        broker(given.getOrDefault("broker", JOURNAL)),
        number(given, "relays", 3, 1, 20),
        number(given, "writers", 2, 1, 20),
        number(given, "messages", 20_000, 1, 1_000_000),
        number(given, "kills", 40, 0, 1000),
        seed(given.get("seed")),
        sabotage(given.get("sabotage")),
        new Builds(given.get("previous")),
        Path.of(given.getOrDefault("folder", "examples/target/chaos")));
  }

  private static Map<String, String> pairs(List<String> arguments) {
    Map<String, String> pairs = new HashMap<>();
    for (int place = 0; place < arguments.size(); place += 2) {
      String name = arguments.get(place);
      if (!name.startsWith("--") || !NAMES.contains(name.substring(2))) {
        throw new BadArgumentException(name + " is not an argument; --help tells which there are");
      }
      if (place + 1 == arguments.size()) {
        throw new BadArgumentException(name + " has no value; --help tells which it may have");
      }
      pairs.put(name.substring(2), arguments.get(place + 1));
    }
    return pairs;
  }

  private static Database database(String name) {
    Database database = DATABASES.get(name);
    if (database == null) {
      throw new BadArgumentException(
          "--db is '" + name + "', it must be postgres, mysql, mariadb or h2");
    }
    return database;
  }

  private static String broker(String name) {
    if (!name.equals(JOURNAL) && !BROKERS.contains(name)) {
      throw new BadArgumentException(
          "--broker is '" + name + "', it must be kafka, rabbitmq or nats");
    }
    return name;
  }

  private static @Nullable Login login(Map<String, String> given, String database) {
    String url = given.get("url");
    if (url == null && (given.containsKey("user") || given.containsKey("password"))) {
      throw new BadArgumentException("--user and --password are of no use without --url");
    }
    if (url != null && !url.startsWith("jdbc:")) {
      throw new BadArgumentException("--url is '" + url + "', it must begin with jdbc:");
    }
    String scheme =
        switch (database) {
          case "postgres" -> "jdbc:postgresql:";
          case "h2" -> "jdbc:h2:tcp:";
          default -> "jdbc:" + database + ":";
        };
    if (url != null && !url.startsWith(scheme)) {
      throw new BadArgumentException(
          "--url is '%s', with --db %s it must begin with %s".formatted(url, database, scheme));
    }
    return url == null
        ? null
        : new Login(url, given.getOrDefault("user", ""), given.getOrDefault("password", ""));
  }

  private static int number(
      Map<String, String> given, String name, int otherwise, int least, int most) {
    String text = given.getOrDefault(name, Integer.toString(otherwise));
    try {
      int number = Integer.parseInt(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException notANumber) {
      // refused below
    }
    throw new BadArgumentException(
        "--%s is '%s', it must be a number from %d to %d".formatted(name, text, least, most));
  }

  private static long seed(@Nullable String text) {
    try {
      return text == null ? ThreadLocalRandom.current().nextInt(1_000_000) : Long.parseLong(text);
    } catch (NumberFormatException notANumber) {
      throw new BadArgumentException(
          "--seed is '%s', it must be a number from %d to %d"
              .formatted(text, Long.MIN_VALUE, Long.MAX_VALUE));
    }
  }

  private static Sabotage sabotage(@Nullable String text) {
    return Arrays.stream(Sabotage.values())
        .filter(each -> each.name().equals(text == null ? "NONE" : text.toUpperCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                new BadArgumentException(
                    "--sabotage is '%s', it must be one of %s"
                        .formatted(
                            text,
                            Arrays.stream(Sabotage.values())
                                .map(each -> each.name().toLowerCase(Locale.ROOT))
                                .collect(Collectors.joining(", ")))));
  }

  boolean hasRealBroker() {
    return !broker.equals(JOURNAL);
  }

  /** What the database is called on the command line. */
  String databaseName() {
    return DATABASES.entrySet().stream()
        .filter(entry -> entry.getValue() == database)
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseThrow();
  }
}
