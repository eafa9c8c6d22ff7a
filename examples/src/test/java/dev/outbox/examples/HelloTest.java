package dev.outbox.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first program of a new user, copied from README into an empty project by a script. */
class HelloTest {
  @TempDir private Path folder;

  @Test
  void the_program_of_the_readme_prints_the_message_of_its_transaction() throws Exception {
    assertThat(lines()).contains("orders.placed 42 {\"id\":\"42\",\"cents\":1999}");
  }

  @Test
  void on_postgresql_too_and_again_where_its_tables_are_there() throws Exception {
    try (Sandbox sandbox = Database.POSTGRES.sandbox()) {
      String login =
          "user=%s&password=%s&loginTimeout=10&socketTimeout=60"
              .formatted(sandbox.user(), sandbox.password());
      String url = sandbox.url() + (sandbox.url().contains("?") ? "&" : "?") + login;

      assertThat(lines(url)).contains("orders.placed 42 {\"id\":\"42\",\"cents\":1999}");
      assertThat(lines(url))
          .contains("orders.placed 42 {\"id\":\"42\",\"cents\":1999}")
          .noneMatch(line -> line.contains("warning"));
    }
  }

  private List<String> lines(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of("../docs/first-program").toString());
    command.addAll(List.of("--class-path", System.getProperty("java.class.path")));
    command.addAll(List.of(arguments));
    Path output = folder.resolve("output");
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process hello = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    assertThat(hello.waitFor(120, TimeUnit.SECONDS)).isTrue();
    List<String> lines = Files.readAllLines(output);
    assertThat(hello.exitValue()).as("%s", lines).isZero();
    return lines;
  }
}
