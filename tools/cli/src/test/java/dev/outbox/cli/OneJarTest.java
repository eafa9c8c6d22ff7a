package dev.outbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The executable jar as it is handed out; runs after it was built. */
class OneJarTest {
  private static final Path JAR = Path.of("target/outbox/outbox-cli.jar");

  private static String run(int exit, String... arguments) throws Exception {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    List<String> command = new ArrayList<>(List.of(java.toString(), "-jar", JAR.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("OUTBOX_"));
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(out).isEqualTo(exit);
    return out;
  }

  @Test
  void it_runs_and_knows_the_drivers_beside_it() throws Exception {
    assertThat(run(Exit.DONE, "--help")).contains("doctor");
    assertThat(run(Exit.USAGE, "status", "--url", "jdbc:none:x"))
        .contains("org.postgresql.Driver")
        .contains("org.mariadb.jdbc.Driver")
        .doesNotContain("org.h2.Driver");
    assertThat(run(Exit.DATABASE, "status", "--url", "jdbc:postgresql://localhost:1/db"))
        .contains("no connection to jdbc:postgresql://localhost:1/db")
        .doesNotContain("SLF4J");
  }

  @Test
  void another_driver_is_given_by_its_jar(@TempDir Path folder) throws Exception {
    String h2 =
        Path.of(org.h2.Driver.class.getProtectionDomain().getCodeSource().getLocation().toURI())
            .toString();
    String url = "jdbc:h2:file:" + folder.resolve("shop");
    String ddl = run(Exit.DONE, "schema", "print", "--url", url, "--driver", h2, "--user", "sa");
    assertThat(ddl).contains("CREATE TABLE IF NOT EXISTS outbox");
    assertThat(folder).isNotEmptyDirectory();
  }
}
