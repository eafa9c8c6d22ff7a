package dev.outbox.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.outbox.examples.chaos.Chaos;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Runs the chaos example as its user does, with fewer messages and kills, but with every fault.
 * {@code -Doutbox.chaos} kills so often in each run; with one kill only, each build plays one of
 * the runs, and prints which.
 */
class ChaosTest {
  private static final int PATIENCE_MINUTES = 10;
  private static final int KILLS = Integer.getInteger("outbox.chaos", 1);
  private static final int MESSAGES = 500 + 250 * KILLS;

  @TempDir private Path folder;

  @TestFactory
  @Execution(ExecutionMode.CONCURRENT) // a run mostly waits, and has its own servers and processes
  List<DynamicTest> a_run_passes_where_its_relays_keep_the_promises_and_fails_where_they_do_not() {
    List<DynamicTest> runs = new ArrayList<>();
    for (String database : List.of("h2", "postgres", "mysql", "mariadb")) {
      runs.add(dynamicTest("kills on " + database, () -> kills(database)));
    }
    runs.add(dynamicTest("kills on a database of the user", this::killsOnTheDatabaseOfAUser));
    for (Sabotage sabotage : Sabotage.values()) {
      runs.add(dynamicTest("relays that " + sabotage, () -> sabotaged(sabotage)));
    }
    if (KILLS > 1) {
      return runs;
    }
    DynamicTest one = runs.get(new Random().nextInt(runs.size()));
    System.out.println("chaos: " + one.getDisplayName());
    return List.of(one);
  }

  /** They lose nothing, and repeat only what was in flight. */
  private void kills(String database) throws Exception {
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

  private void sabotaged(Sabotage sabotage) throws Exception {
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

  /** It is taken as it is, but only once. */
  private void killsOnTheDatabaseOfAUser() throws Exception {
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

  @Test
  void a_database_that_refuses_connections_is_named_with_what_it_said() throws Exception {
    try (Sandbox sandbox = Database.POSTGRES.sandbox()) {
      String absent = sandbox.url().replaceFirst("/\\w+(\\?|$)", "/absent$1");
      Run run =
          chaos(
              "--db",
              "postgres",
              "--url",
              absent,
              "--user",
              sandbox.user(),
              "--password",
              sandbox.password());
      assertThat(run.lastLine())
          .startsWith("--url is '" + absent + "', it must be a database that takes connections:")
          .contains("\"absent\"");
      assertThat(run.exitCode()).isEqualTo(2);
    }
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
    File output = Files.createTempFile(folder, "output", ".txt").toFile();
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
