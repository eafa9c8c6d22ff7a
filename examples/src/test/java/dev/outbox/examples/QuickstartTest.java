package dev.outbox.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.examples.quickstart.Quickstart;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the quickstart as its user does: in its own process, kill included. */
class QuickstartTest {
  @Test
  void loses_nothing_and_says_so_in_its_last_line(@TempDir Path folder) throws Exception {
    File output = folder.resolve("output").toFile();
    Process quickstart =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                System.getProperty("java.class.path"),
                Quickstart.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(output)
            .start();

    assertThat(quickstart.waitFor(60, TimeUnit.SECONDS)).isTrue();

    List<String> lines = Files.readAllLines(output.toPath());
    assertThat(lines.get(lines.size() - 1))
        .matches("quickstart: committed=200 published=200 repeated=[1-9][0-9]* lost=0");
    assertThat(quickstart.exitValue()).isZero();
  }
}
