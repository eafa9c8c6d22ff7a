package dev.outbox.brokers.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.brokers.BrokerKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs the chaos example through real brokers, as its user does. {@code -Doutbox.brokerchaos} kills
 * so often in each run.
 */
@Tag("proof")
class BrokerChaosTest {
  private static final int KILLS = Integer.getInteger("outbox.brokerchaos", 10);
  private static final int MESSAGES = 500 + 250 * KILLS;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"kafka", "rabbitmq", "nats"})
  void kills_of_relays_and_broker_lose_nothing_and_repeat_only_what_was_in_the_air(String broker)
      throws Exception {
    BrokerKind.valueOf(broker.toUpperCase(Locale.ROOT)).whyNot().ifPresent(Assumptions::abort);
    Run run =
        chaos(
            "--broker", broker, "--kills", "" + KILLS, "--messages", "" + MESSAGES, "--seed", "5");
    System.out.println(broker + ": " + run.lastLine());
    assertThat(run.lastLine())
        .as(run.text())
        .matches(
            "verdict: PASS lost=0 phantom=0 reordered=0 unexplained=0 repeats=\\d+ inflight=\\d+ kills="
                + KILLS);
    assertThat(run.text()).contains("killed " + broker + ",").contains("cut " + broker + " off");
    assertThat(run.exitCode()).isZero();
  }

  /** The broker is blameless: what it did not get, or got twice, its consumer shows. */
  @ParameterizedTest
  @CsvSource({"lose, lost=[1-9]\\d*", "repeat, .*unexplained=[1-9]\\d*"})
  void relays_that_do_wrong_are_found_out_by_the_consumer(String sabotage, String found)
      throws Exception {
    Run run =
        chaos("--broker", "kafka", "--sabotage", sabotage, "--kills", "0", "--messages", "3000");
    assertThat(run.lastLine()).as(run.text()).matches("verdict: FAIL " + found + " .*");
    assertThat(run.exitCode()).isOne();
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

  private Run chaos(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("dev.outbox.examples.chaos.Chaos");
    command.addAll(List.of("--db", "postgres", "--folder", folder.toString()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Run(text.lines().toList(), process.waitFor());
  }
}
