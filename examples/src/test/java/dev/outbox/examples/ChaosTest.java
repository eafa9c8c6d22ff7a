package dev.outbox.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.examples.chaos.Chaos;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the chaos example as its user does, with fewer messages and kills, but with every fault.
 * {@code -Doutbox.chaos} kills so often in each run.
 */
@Execution(ExecutionMode.CONCURRENT)
class ChaosTest {
  private static final int PATIENCE_MINUTES = 10;
  private static final int KILLS = Integer.getInteger("outbox.chaos", 1);
  private static final int MESSAGES = 500 + 250 * KILLS;

  private static final SplittableRandom CHOICE = new SplittableRandom();

  @TempDir private Path folder;

  /** All of them, or one when there is one kill only: each build another. */
  static List<String> databases() {
    List<String> all = List.of("h2", "postgres", "mysql", "mariadb");
    List<String> databases = KILLS > 1 ? all : List.of(all.get(CHOICE.nextInt(all.size())));
    System.out.println("chaos on " + databases);
    return databases;
  }

  @ParameterizedTest
  @MethodSource("databases")
  void kills_lose_nothing_and_repeat_only_what_was_in_flight(String database) throws Exception {
    Run run = chaos("--db", database, "--kills", "" + KILLS, "--messages", "" + MESSAGES);
    assertThat(run.lastLine())
        .as(run.text())
        .matches(
            "verdict: PASS lost=0 phantom=0 reordered=0 unexplained=0 repeats=\\d+ inflight=\\d+ kills="
                + KILLS);
    assertThat(run.exitCode()).isZero();
  }

  /** What relays do wrong, and what is found then. */
  private enum Sabotage {
    LOSE(0, 3000, "lost=[1-9]\\d* phantom=0 reordered=0 unexplained=0 unconfirmed=[1-9]\\d*"),
    REPEAT(0, 3000, "lost=0 phantom=0 reordered=0 unexplained=[1-9]\\d*"),
    /** One that is stopped beyond its lease hands on late what it had deleted: out of order. */
    EARLY(6, 2000, "lost=[1-9]\\d* phantom=0 reordered=\\d+ unexplained=0");

    private final int kills;
    private final int messages;
    private final String found;

    Sabotage(int kills, int messages, String found) {
      this.kills = kills;
      this.messages = messages;
      this.found = found;
    }
  }

  /** All of them, or one when there is one kill only: each build another. */
  static List<Sabotage> sabotages() {
    List<Sabotage> all = List.of(Sabotage.values());
    return KILLS > 1 ? all : List.of(all.get(CHOICE.nextInt(all.size())));
  }

  @ParameterizedTest
  @MethodSource("sabotages")
  void relays_that_do_wrong_are_found_out(Sabotage sabotage) throws Exception {
    String name = sabotage.name().toLowerCase(Locale.ROOT);
    Run run =
        chaos(
            "--sabotage",
            name,
            "--kills",
            "" + sabotage.kills,
            "--messages",
            "" + sabotage.messages);
    assertThat(run.lastLine()).as(run.text()).matches("verdict: FAIL " + sabotage.found + " .*");
    assertThat(run.text()).contains(" ENQUEUED ");
    assertThat(run.exitCode()).isOne();
  }

  @Test
  void a_database_of_the_users_is_taken_as_it_is_but_only_once() throws Exception {
    try (Sandbox sandbox = Database.POSTGRES.sandbox()) {
      String[] arguments = {
        "--db",
        "postgres",
        "--url",
        sandbox.url(),
        "--user",
        sandbox.user(),
        "--password",
        sandbox.password(),
        "--kills",
        "1",
        "--messages",
        "300"
      };
      Run run = chaos(arguments);
      assertThat(run.lastLine()).as(run.text()).matches("verdict: PASS .* kills=1");
      Run again = chaos(arguments);
      assertThat(again.lastLine())
          .startsWith("--url is '" + sandbox.url() + "', it must be an empty database");
      assertThat(again.exitCode()).isEqualTo(2);
    }
  }

  @Test
  void a_bad_argument_is_reported_in_one_line() throws Exception {
    Run run = chaos("--relays", "0");
    assertThat(run.text()).isEqualTo("--relays is '0', it must be a number from 1 to 20");
    assertThat(run.exitCode()).isEqualTo(2);
  }

  /** What a run wrote, and how it ended. */
  private record Run(List<String> lines, int exitCode) {
    String lastLine() {
      return lines.get(lines.size() - 1);
    }

    String text() {
      return String.join("\n", lines);
    }
  }

  private Run chaos(String... arguments) throws Exception {
    File output = folder.resolve("output").toFile();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Chaos.class.getName()));
    command.addAll(List.of("--folder", Path.of("target", "chaos").toString()));
    command.addAll(List.of(arguments));
    Process chaos =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output).start();
    assertThat(chaos.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)).isTrue();
    return new Run(Files.readAllLines(output.toPath()), chaos.exitValue());
  }
}
