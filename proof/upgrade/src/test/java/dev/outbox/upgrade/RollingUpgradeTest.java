package dev.outbox.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Relays and writers of this build and of a previous one share an outbox under load. They are
 * killed, stopped and ended, as in the chaos example, and each is replaced by one of the other
 * build: an upgrade, then a rollback, then an upgrade. {@code -Doutbox.upgrades} is how often on
 * PostgreSQL, {@code -Doutbox.upgrades.others} on MySQL and MariaDB.
 */
class RollingUpgradeTest {
  private static final int RUNS = Integer.getInteger("outbox.upgrades", 2);
  private static final int OTHERS = Integer.getInteger("outbox.upgrades.others", 1);
  private static final long SEED = Long.getLong("outbox.upgrades.seed", 100);
  private static final int KILLS = 12;
  private static final int MESSAGES = 4_000;
  private static final int FEW = MESSAGES / 50;

  private static PreviousBuild previous;
  private static int runs;
  private static int oldByNew;
  private static int newByOld;

  @BeforeAll
  static void build() throws Exception {
    previous = PreviousBuild.get();
  }

  @AfterAll
  static void each_build_published_messages_of_the_other() {
    if (runs > 0) {
      assertThat(oldByNew).as("old messages that the new build published").isGreaterThan(FEW);
      assertThat(newByOld).as("new messages that the old build published").isGreaterThan(FEW);
    }
  }

  static Stream<Arguments> runs() {
    List<Arguments> runs = new ArrayList<>();
    for (String database : List.of("postgres", "mysql", "mariadb")) {
      for (int run = 0; run < (database.equals("postgres") ? RUNS : OTHERS); run++) {
        runs.add(Arguments.of(database, SEED + run));
      }
    }
    return runs.stream();
  }

  @ParameterizedTest
  @MethodSource("runs")
  void two_builds_on_one_schema_lose_nothing_and_reorder_nothing(String database, long seed)
      throws Exception {
    List<String> lines = chaos("--db", database, "--seed", "" + seed);
    String text = String.join("\n", lines);
    String verdict = lines.get(lines.size() - 1);
    System.out.printf("%s %d: %s %s%n", database, seed, verdict, published(lines));

    assertThat(verdict)
        .as(text)
        .matches(
            "verdict: PASS lost=0 phantom=0 reordered=0 unexplained=0 repeats=\\d+ inflight=\\d+ kills="
                + KILLS);
    List<Integer> published = published(lines);
    runs++;
    oldByNew += published.get(1);
    newByOld += published.get(2);
  }

  /** Old messages by the old and by the new build, then new ones by the old and by the new. */
  private static List<Integer> published(List<String> lines) {
    return lines.stream()
        .filter(line -> line.matches("\\s+of \\w+ build, published by \\w+ build\\s+\\d+"))
        .map(line -> Integer.valueOf(line.replaceAll(".* ", "")))
        .toList();
  }

  private static List<String> chaos(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("dev.outbox.examples.chaos.Chaos");
    command.addAll(List.of("--folder", Path.of("target", "chaos").toString()));
    command.addAll(
        List.of("--previous", previous.classPathText(), "--relays", "3", "--writers", "2"));
    command.addAll(List.of("--kills", "" + KILLS, "--messages", "" + MESSAGES));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    List<String> lines =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .toList();
    process.waitFor();
    return lines;
  }

  /** Tables that change need another schema version, with which two builds do not share them. */
  @Test
  void builds_of_one_schema_version_have_the_same_tables() throws IOException {
    assertThat(PreviousBuild.ddlOfThisBuild()).isNotEmpty().isEqualTo(previous.ddl());
  }
}
