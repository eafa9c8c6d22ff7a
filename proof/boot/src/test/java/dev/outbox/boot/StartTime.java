package dev.outbox.boot;

import dev.outbox.servers.Database;
import dev.outbox.servers.KafkaServer;
import dev.outbox.servers.Sandbox;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Measures what the starter adds to the start of an application: each variant in its own process,
 * in turns from both ends. Rounds, version of Spring Boot.
 *
 * <p>The application without it has a web server, the actuator, a pool to PostgreSQL that is used
 * at the start, and Spring's client for Kafka, which connects when it is first used. The outbox
 * stands last in its pom: Spring Boot's loader looks for a class in each jar that stands before its
 * own, so that 13 jars in front cost 0.2 s whether anything in them runs or not.
 */
public final class StartTime {
  private static final Path PROJECT = Path.of("src/test/resources/start");
  private static final Pattern READY = Pattern.compile("ready in (\\d+), (\\d+), (\\d+), (\\d+)");
  private static final List<String> FIGURES =
      List.of("wall ms", "main thread's CPU ms", "process's CPU ms", "classes");

  /** The same application. */
  private enum Variant {
    /** The libraries are not on the class path. */
    WITHOUT,
    OFF("--outbox.enabled=false"),
    WRITER("--outbox.relay.enabled=false"),
    /** Publishes to nothing. The bar is for this. */
    RELAY("--broker=here"),
    /** Makes a producer of Kafka at the start, which an application of its own would make later. */
    KAFKA;

    private final String argument;

    Variant() {
      this("--variant=plain");
    }

    Variant(String argument) {
      this.argument = argument;
    }
  }

  private final Path home;
  private final Path with;
  private final Path without;
  private final Sandbox database;
  private final KafkaServer kafka;
  private final Map<Variant, List<int[]>> found = new EnumMap<>(Variant.class);

  private StartTime(Path home, String version, Sandbox database, KafkaServer kafka)
      throws Exception {
    this.home = home;
    this.database = database;
    this.kafka = kafka;
    this.with = jar(version, "with", "(?s)(nothing)", "-Dleft.out=nothing");
    this.without =
        jar(version, "without", "(?s)<!-- the outbox.*<!-- end", "-Dleft.out=**/Broker.java");
  }

  private Path jar(String version, String name, String removed, String leftOut) throws Exception {
    return ShopJar.build(
        PROJECT,
        home.resolve(name),
        pom ->
            pom.replace("<version>4.1.0<", "<version>" + version + "<")
                .replaceFirst(removed, removed.contains("outbox") ? "<!-- end" : "$1"),
        "package",
        leftOut);
  }

  public static void main(String[] args) throws Exception {
    int rounds = Integer.parseInt(args[0]);
    Path home = Files.createTempDirectory("start-time");
    try (KafkaServer kafka = KafkaServer.start();
        Sandbox database = Database.POSTGRES.sandbox()) {
      StartTime measured = new StartTime(home, args[1], database, kafka);
      measured.run(measured.with, "--outbox.schema.initialize=always");
      for (int round = 0; round < rounds; round++) {
        measured.round(round);
      }
      measured.print();
    }
  }

  private void round(int number) throws Exception {
    List<Variant> turn = new ArrayList<>(List.of(Variant.values()));
    if (number % 2 == 1) {
      Collections.reverse(turn);
    }
    for (Variant variant : turn) {
      Path jar = variant == Variant.WITHOUT ? without : with;
      found.computeIfAbsent(variant, any -> new ArrayList<>()).add(run(jar, variant.argument));
    }
  }

  private int[] run(Path jar, String argument) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>();
    words.add(ProcessHandle.current().info().command().orElse("java"));
    words.addAll(List.of("-jar", jar.toString(), argument));
    ProcessBuilder builder = new ProcessBuilder(words);
    String login = "user=%s&password=%s".formatted(database.user(), database.password());
    String url = database.url();
    builder.environment().put("DATABASE", url + (url.contains("?") ? "&" : "?") + login);
    builder.environment().put("KAFKA", kafka.bootstrapServers());
    Process process = builder.redirectErrorStream(true).start();
    String log = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    Matcher ready = READY.matcher(log);
    if (process.waitFor() != 0 || !ready.find()) {
      throw new IllegalStateException(argument + " did not start:\n" + log);
    }
    return IntStream.rangeClosed(1, FIGURES.size())
        .map(figure -> Integer.parseInt(ready.group(figure)))
        .toArray();
  }

  private void print() {
    for (int figure = 0; figure < FIGURES.size(); figure++) {
      System.out.printf(
          "%s: median (quartiles); more than WITHOUT; more than OFF%n", FIGURES.get(figure));
      for (Variant variant : Variant.values()) {
        System.out.printf(
            "  %-8s %s; %s; %s%n",
            variant,
            quartiles(column(variant, figure)),
            quartiles(more(variant, Variant.WITHOUT, figure)),
            quartiles(more(variant, Variant.OFF, figure)));
      }
    }
  }

  private List<Integer> column(Variant variant, int figure) {
    return found.get(variant).stream().map(run -> run[figure]).toList();
  }

  /** The differences within each round. */
  private List<Integer> more(Variant variant, Variant than, int figure) {
    List<Integer> these = column(variant, figure);
    List<Integer> those = column(than, figure);
    return IntStream.range(0, these.size())
        .mapToObj(round -> these.get(round) - those.get(round))
        .toList();
  }

  private static String quartiles(List<Integer> values) {
    List<Integer> sorted = values.stream().sorted().toList();
    int last = sorted.size() - 1;
    return "%d (%d, %d)"
        .formatted(sorted.get(last / 2), sorted.get(last / 4), sorted.get(last * 3 / 4));
  }
}
