package dev.outbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The commands in the pages are commands. */
class PagesTest {
  private static final String PROGRAM = "tools/cli/outbox ";
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

  static Stream<String> commands() throws IOException {
    try (Stream<Path> pages = Files.walk(Path.of("../../docs"), 1)) {
      return pages
          .filter(page -> page.toString().endsWith(".md"))
          .flatMap(page -> read(page).lines())
          .filter(line -> line.startsWith(PROGRAM))
          .map(line -> line.substring(PROGRAM.length()))
          .distinct()
          .toList()
          .stream();
    }
  }

  private static String read(Path page) {
    try {
      return Files.readString(page);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** With a wrong database, so that whatever is right with the call is not the reason. */
  @ParameterizedTest
  @MethodSource("commands")
  void it_is_understood(String command) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(command.replaceAll(" --(url|user) \\S+", ""));
    while (word.find()) {
      words.add(word.group(1) == null ? word.group(2) : word.group(1));
    }
    Map<String, String> nowhere = Map.of("OUTBOX_URL", "jdbc:postgresql://localhost:1/none");
    Called called = Called.by(nowhere, words.toArray(new String[0]));
    int expected = command.equals("completion") ? Exit.DONE : Exit.DATABASE;
    assertThat(called.exit()).as(called.err()).isEqualTo(expected);
  }

  @Test
  void every_command_is_on_its_page() {
    String page = read(Path.of("../../docs/command-line.md"));
    String help = Called.by(Map.of(), "--help").out();
    Matcher command =
        Pattern.compile("(?m)^  ([a-z]+)  ").matcher(help.substring(help.indexOf("Commands:")));
    int commands = 0;
    while (command.find()) {
      assertThat(page).contains("`" + command.group(1));
      commands++;
    }
    assertThat(commands).isGreaterThan(12);
    Stream.of(0, 1, 2, 3, 4, 5, 130)
        .forEach(exit -> assertThat(page).contains("\n| " + exit + " | "));
  }
}
