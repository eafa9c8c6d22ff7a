package dev.outbox.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.examples.readme.TestYourCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The code blocks of the README are the marked regions of compiled code. */
class ReadmeTest {
  private static final Path SOURCES = Path.of("src/main/java/dev/outbox/examples/readme");

  @Test
  void the_first_example_is_compiled_code() throws Exception {
    assertThat(readme()).contains(block("FirstMessage.java", "example"));
  }

  @Test
  void the_test_example_is_compiled_code() throws Exception {
    assertThat(readme()).contains(block("TestYourCode.java", "test"));
  }

  @Test
  void the_test_example_does_what_its_comment_says() throws Exception {
    assertThat(TestYourCode.run()).containsExactly("placed");
  }

  private static String readme() throws Exception {
    return Files.readString(Path.of("../README.md"));
  }

  private static String block(String file, String tag) throws Exception {
    List<String> lines = Files.readAllLines(SOURCES.resolve(file));
    int begin = indexOf(lines, "tag::" + tag + "[]");
    int end = indexOf(lines, "end::" + tag + "[]");
    return lines.subList(begin + 1, end).stream()
        .map(line -> line.isBlank() ? "" : line.substring(4))
        .collect(Collectors.joining("\n", "```java\n", "\n```"));
  }

  private static int indexOf(List<String> lines, String mark) {
    for (int line = 0; line < lines.size(); line++) {
      if (lines.get(line).contains(mark)) {
        return line;
      }
    }
    throw new AssertionError("no " + mark);
  }
}
