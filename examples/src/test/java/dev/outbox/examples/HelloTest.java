package dev.outbox.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first program of a new user: one file, as it stands, with a pom of its own. */
class HelloTest {
  static final Path FILE = Path.of("hello/src/main/java/Hello.java");

  @Test
  void compiles_and_prints_the_message_of_its_transaction(@TempDir Path folder) throws Exception {
    File output = folder.resolve("output").toFile();
    Process hello =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                FILE.toString())
            .redirectErrorStream(true)
            .redirectOutput(output)
            .start();

    assertThat(hello.waitFor(60, TimeUnit.SECONDS)).isTrue();

    assertThat(Files.readAllLines(output.toPath()))
        .contains("orders.placed 42 {\"id\":\"42\",\"cents\":1999}");
    assertThat(hello.exitValue()).isZero();
  }
}
