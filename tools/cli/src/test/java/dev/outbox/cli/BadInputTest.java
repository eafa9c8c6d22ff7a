package dev.outbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Wrong calls are told in a sentence, without a stack trace. */
class BadInputTest {
  private static final Map<String, String> EMPTY =
      Map.of("OUTBOX_URL", "jdbc:h2:mem:nothing-here", "OUTBOX_USER", "sa", "OUTBOX_PASSWORD", "x");

  private static void refused(Called called, int exit, String sentence) {
    assertThat(called.err()).contains("outbox: ").contains(sentence).doesNotContain("\tat ");
    assertThat(called.exit()).isEqualTo(exit);
    assertThat(called.out()).isEmpty();
  }

  @Test
  void no_database_is_named() {
    refused(Called.by(Map.of(), "status"), Exit.USAGE, "which database? Name it with --url");
  }

  @Test
  void a_password_that_all_users_of_the_machine_would_see() {
    String url = "jdbc:postgresql://localhost/db?user=me&password=secret";
    Called called = Called.by(Map.of(), "status", "--url", url);
    refused(called, Exit.USAGE, "the password in --url can be seen");
    assertThat(called.err()).doesNotContain("secret");
    String before = "jdbc:postgresql://me:secret@localhost/db";
    refused(Called.by(Map.of(), "status", "--url", before), Exit.USAGE, "can be seen");
    for (String password :
        List.of("s3/cr", "12/cr", "s3?cr", "s3;cr", "12?cr", "12;cr", "s3#cr", "12#cr", "12/c#r")) {
      String unencoded = "jdbc:mysql://me:" + password + "@localhost/db";
      refused(Called.by(Map.of(), "status", "--url", unencoded), Exit.USAGE, "can be seen");
      refused(Called.by(Map.of("OUTBOX_URL", unencoded), "status"), Exit.USAGE, "%2F for /");
    }
    String oracle = "jdbc:oracle:thin:scott/secret@//localhost:1521/db";
    refused(Called.by(Map.of(), "status", "--url", oracle), Exit.USAGE, "can be seen");
    String list = "jdbc:mysql://(host=a,user=me,password=secret)/db";
    refused(Called.by(Map.of(), "status", "--url", list), Exit.USAGE, "can be seen");
    String ofKey = "jdbc:postgresql://localhost/db?sslpassword=secret";
    refused(Called.by(Map.of(), "status", "--url", ofKey), Exit.USAGE, "can be seen");
    refused(Called.by(Map.of(), "status", "--password", "x"), Exit.USAGE, "Unknown option");
  }

  @Test
  void numbers_are_as_scripts_read_them_in_each_language() throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process persian =
        new ProcessBuilder(
                java,
                "-Duser.language=fa",
                "-Duser.country=IR",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "dead",
                "list",
                "--limit",
                "0")
            .start();
    String err = new String(persian.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(err).contains("--limit is 0, it must be 1 to 1000");
    assertThat(persian.waitFor()).isEqualTo(Exit.USAGE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql://me:secret@localhost/db",
        "jdbc:postgresql://localhost:5432?user=me&password=secret",
        "jdbc:postgresql://localhost/db/more?user=me&password=secret"
      })
  void a_url_that_its_driver_cannot_read(String url) {
    List<LogRecord> logged = new ArrayList<>();
    Handler reader = reading(logged);
    Logger driver = Logger.getLogger("org.postgresql");
    driver.addHandler(reader);
    Called called = Called.by(Map.of("OUTBOX_URL", url, "OUTBOX_PASSWORD", "x"), "status");
    driver.removeHandler(reader);
    refused(called, Exit.USAGE, "jdbc:postgresql:..., or the rest of the URL is wrong. Known are");
    assertThat(called.err()).doesNotContain("secret");
    assertThat(logged).as("the driver's warning quotes the password").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:mariadb://me:secret@localhost/db",
        "jdbc:mariadb://me:sec/ret@localhost/db",
        "jdbc:mariadb:sequential://me:secret@localhost/db",
        "jdbc:mariadb://me@localhost/db"
      })
  void a_user_and_a_password_where_the_driver_of_mariadb_takes_none(String url) {
    Called called = Called.by(Map.of("OUTBOX_URL", url, "OUTBOX_PASSWORD", "x"), "status");
    refused(called, Exit.USAGE, "takes no user and password before an @: leave them out");
    assertThat(called.err())
        .contains("OUTBOX_USER", "OUTBOX_PASSWORD")
        .doesNotContain("sec", "ret@");
  }

  private static Handler reading(List<LogRecord> logged) {
    return new Handler() {
      @Override
      public void publish(LogRecord line) {
        logged.add(line);
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }

  @Test
  void a_character_that_the_locale_does_not_know() {
    refused(Called.by(EMPTY, "pause", "caf\uFFFD\uFFFD"), Exit.USAGE, "LC_ALL=C.UTF-8");
  }

  @Test
  void no_driver_knows_the_url() {
    refused(
        Called.by(Map.of(), "status", "--url", "jdbc:oracle:thin:@host"),
        Exit.USAGE,
        "no JDBC driver knows jdbc:oracle:");
    refused(
        Called.by(EMPTY, "status", "--driver", "none.jar"),
        Exit.USAGE,
        "--driver is none.jar, and there is no such file");
  }

  @Test
  void a_password_file_without_a_password(@TempDir Path folder) throws IOException {
    Path file = Files.createFile(folder.resolve("empty"));
    refused(
        Called.by(EMPTY, "status", "--password-file", file.toString()),
        Exit.USAGE,
        "its first line is empty");
    refused(
        Called.by(EMPTY, "status", "--password-file", folder.resolve("none").toString()),
        Exit.USAGE,
        "it cannot be read");
  }

  @Test
  void a_server_that_does_not_answer() throws IOException {
    int port;
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = closed.getLocalPort();
    }
    String url = "jdbc:postgresql://localhost:" + port + "/db";
    Called called = Called.by(Map.of("OUTBOX_URL", url + "?user=a&password=s3cr;et"), "status");
    refused(called, Exit.DATABASE, "no connection to " + url + "?***: ");
    assertThat(called.err()).doesNotContain("s3cr").doesNotContain(";et");
  }

  @Test
  void tables_that_are_not_there() {
    refused(Called.by(EMPTY, "status"), Exit.DATABASE, "outbox schema print");
  }

  @Test
  void what_an_error_quotes_does_not_write_to_the_terminal() {
    Called called = Called.by(EMPTY, "status", "--table-prefix", "a\u001B[2J\u202Eb");
    refused(called, Exit.USAGE, "--table-prefix is 'a\uFFFD[2J\uFFFDb'");
  }

  @Test
  void no_command_or_an_unknown_one() {
    refused(Called.by(EMPTY), Exit.USAGE, "name a command");
    refused(Called.by(EMPTY, "statu"), Exit.USAGE, "Did you mean: outbox status");
    refused(Called.by(EMPTY, "dead"), Exit.USAGE, "name list, show, replay or discard");
    refused(Called.by(EMPTY, "schema"), Exit.USAGE, "name print, diff or upgrade");
    refused(Called.by(EMPTY, "dead", "list", "--older-than", "5x"), Exit.USAGE, "'5x' is no age");
    refused(Called.by(EMPTY, "strict", "mails", "maybe"), Exit.USAGE, "maybe");
  }

  @Test
  void help_is_given_as_a_command_too() {
    Called help = Called.by(Map.of(), "help");
    assertThat(help.exit()).isEqualTo(Exit.DONE);
    assertThat(help.out()).isEqualTo(Called.by(Map.of(), "--help").out());
    assertThat(Called.by(Map.of(), "help", "dead").out())
        .isEqualTo(Called.by(Map.of(), "dead", "--help").out());
    assertThat(Called.by(Map.of(), "help", "dead", "replay").out())
        .isEqualTo(Called.by(Map.of(), "dead", "replay", "--help").out())
        .contains("--pace");
    assertThat(Called.by(Map.of(), "dead", "help", "show").out()).contains("--payload");
    assertThat(Called.by(Map.of(), "schema", "help").out()).contains("upgrade");
    refused(Called.by(Map.of(), "help", "statu"), Exit.USAGE, "Did you mean: outbox status");
    refused(Called.by(Map.of(), "help", "dead", "eat"), Exit.USAGE, "'eat'");
  }

  @Test
  void help_and_completion_need_no_database() {
    Called help = Called.by(Map.of(), "--help");
    assertThat(help.exit()).isZero();
    assertThat(help.out()).contains("Exit codes:").contains("130").contains("doctor");
    assertThat(Called.by(Map.of(), "dead", "replay", "--help").out()).contains("--dry-run");
    Called completion = Called.by(Map.of(), "completion");
    assertThat(completion.exit()).isZero();
    assertThat(completion.out()).contains("complete -F").contains("dead").contains("--older-than");
    assertThat(Called.by(Map.of(), "help", "completion").out())
        .contains("Usage: outbox completion");
  }
}
