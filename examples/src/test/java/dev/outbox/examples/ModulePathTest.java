package dev.outbox.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The library as named modules, with nothing resolved but what they ask for. */
class ModulePathTest {
  private static final List<String> MODULES =
      List.of(
          "outbox-core",
          "outbox-jdbc",
          "jdbi3-core",
          "geantyref",
          "jackson-",
          "slf4j-api",
          "jspecify",
          "h2-");

  @Test
  void a_message_travels_from_table_to_publisher_on_the_module_path(@TempDir Path folder)
      throws Exception {
    File output = folder.resolve("output").toFile();
    Process program =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--module-path",
                modulePath(),
                "--add-modules",
                "dev.outbox.jdbc,com.h2database",
                "-cp",
                "target/test-classes",
                ModulePathProgram.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(output)
            .start();

    assertThat(program.waitFor(60, TimeUnit.SECONDS)).isTrue();

    assertThat(Files.readAllLines(output.toPath())).contains("dev.outbox.jdbc published hello");
    assertThat(program.exitValue()).isZero();
  }

  private static String modulePath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> MODULES.stream().anyMatch(entry::contains))
        .collect(Collectors.joining(File.pathSeparator));
  }
}
