package dev.outbox.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.examples.mail.Mail;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the mail example as its user does, with fewer mails and kills. */
class MailTest {
  @TempDir private Path folder;

  @Test
  void every_mail_is_sent_and_none_twice_but_where_a_worker_dies_between_250_ok_and_its_commit()
      throws Exception {
    Run run = mail("--mails", "60", "--kills", "5");
    assertThat(run.lines().get(run.lines().size() - 1))
        .as(run.text())
        .matches("mail: requested=60 sent=60 repeated=[1-9]\\d* lost=0 kills=5");
    assertThat(run.text())
        .containsPattern("status changed more than once +0\n")
        .containsPattern("sent for an order that was rolled back +0\n")
        .containsPattern("after its commit and before the queue heard of it\n")
        .containsPattern("delivered again, and the inbox knew it +[1-9]\\d*\n")
        .containsPattern("sent again, worker killed in the gap +[1-9]\\d*\n")
        .containsPattern("sent again for any other reason +0\n");
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void a_bad_argument_is_reported_in_one_line() throws Exception {
    Run run = mail("--mails", "0");
    assertThat(run.text()).isEqualTo("--mails is '0', it must be a number from 1 to 100000");
    assertThat(run.exitCode()).isEqualTo(2);
  }

  /** What a run wrote, and how it ended. */
  private record Run(List<String> lines, int exitCode) {
    String text() {
      return String.join("\n", lines);
    }
  }

  private Run mail(String... arguments) throws Exception {
    File output = folder.resolve("output").toFile();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Mail.class.getName()));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output).start();
    assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
    return new Run(Files.readAllLines(output.toPath()), process.exitValue());
  }
}
