package dev.outbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The script of {@code completion}, read by bash. */
class CompletionTest {
  @TempDir private Path folder;
  private Path script;

  @BeforeEach
  void write() throws Exception {
    script = folder.resolve("completion");
    Files.writeString(script, Called.by(Map.of(), "completion").out());
  }

  private String bash(String commands) throws Exception {
    Process process =
        new ProcessBuilder("bash", "-c", "source \"$0\"; " + commands, script.toString())
            .redirectErrorStream(true)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(out).isZero();
    return out.strip();
  }

  /** Bash uses it for each path that ends in the name, too. */
  @Test
  void it_is_for_the_name_outbox() throws Exception {
    assertThat(bash("complete -p outbox")).endsWith("-F _complete_outbox outbox");
  }

  @ParameterizedTest
  @CsvSource({
    "outbox do, doctor",
    "outbox dead re, replay",
    "tools/cli/outbox schema up, upgrade",
    "outbox dead replay --dry, --dry-run",
    "outbox dead list --reason EXH, EXHAUSTED"
  })
  void it_knows_commands_options_and_their_words(String typed, String completed) throws Exception {
    int last = typed.split(" ").length - 1;
    assertThat(
            bash(
                ("COMP_LINE='%s'; COMP_WORDS=(%s); COMP_CWORD=%s; _complete_outbox 2>/dev/null;"
                        + " echo ${COMPREPLY[@]}")
                    .formatted(typed, typed, last)))
        .isEqualTo(completed);
  }
}
