package dev.outbox.tck.enqueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The page for users has the rows that the contract proves. */
final class BadInputPageTest {
  private static final Path PAGE = Path.of("..", "..", "docs", "bad-input.md");

  @Test
  void the_table_of_the_page_is_what_is_thrown() throws IOException {
    List<String> rows =
        Files.readAllLines(PAGE).stream()
            .filter(
                line -> line.startsWith("| a") || line.startsWith("| no") || line.startsWith("| h"))
            .toList();
    assertThat(rows).isEqualTo(BadInput.all().stream().map(BadInputPageTest::row).toList());
  }

  private static String row(BadInput input) {
    boolean named = !input.exception().equals(IllegalArgumentException.class);
    return "| %s | `%s%s` |"
        .formatted(
            input.name(), named ? input.exception().getSimpleName() + ": " : "", input.text());
  }
}
