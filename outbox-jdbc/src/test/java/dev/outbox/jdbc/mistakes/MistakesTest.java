package dev.outbox.jdbc.mistakes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Claiming;
import dev.outbox.jdbc.Schema;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Typical mistakes of users, each made on purpose, and told as the pages bad-input-setup and
 * bad-input-running say.
 */
@ResourceLock(Resources.SYSTEM_ERR)
class MistakesTest {
  private static final List<String> PAGES = List.of("bad-input-setup.md", "bad-input-running.md");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| ([A-Z][^|]*) \\| `([^`]*)` \\|$");

  /** The mistakes of the pages, in their order. */
  static List<Mistake> mistakes() {
    return Stream.of(
            DatabaseMistakes.all(),
            UseMistakes.settings(),
            UseMistakes.publishers(),
            UseMistakes.consumers(),
            UseMistakes.operators())
        .flatMap(List::stream)
        .toList();
  }

  /** A row of the page: the mistake in words, and its text, where a … stands for what varies. */
  private record Row(String mistake, String text) {
    Pattern pattern() {
      return Pattern.compile(
          Stream.of(text.split("…", -1)).map(Pattern::quote).collect(Collectors.joining(".*")),
          Pattern.DOTALL);
    }
  }

  private static List<Row> rows() throws IOException {
    List<Row> rows = new ArrayList<>();
    for (String page : PAGES) {
      ROW.matcher(Files.readString(Path.of("..", "docs", page)))
          .results()
          .forEach(row -> rows.add(new Row(row.group(1), row.group(2))));
    }
    return rows;
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void each_is_reported_as_the_page_says(Mistake mistake) throws Exception {
    Row row =
        rows().stream()
            .filter(each -> each.mistake().equals(mistake.words()))
            .findFirst()
            .orElse(new Row(mistake.words(), "no row of the page"));
    try (Sandbox sandbox = mistake.database().sandbox()) {
      assertThat(mistake.attempt().in(sandbox)).matches(row.pattern());
    }
  }

  @Test
  void the_page_has_no_other_rows() throws IOException {
    assertThat(rows())
        .extracting(Row::mistake)
        .containsExactlyElementsOf(mistakes().stream().map(Mistake::words).toList());
  }

  @ParameterizedTest
  @EnumSource(
      value = Database.class,
      names = {"POSTGRES", "MYSQL", "MARIADB"})
  void a_relay_whose_pool_was_closed_closes_at_once_and_without_a_stack_trace(Database database) {
    try (Sandbox sandbox = database.sandbox()) {
      Schema.builder(sandbox.dataSource()).create();
      assertClosesAtOnce(Making.closedTooLate(sandbox));
    }
  }

  @Test
  void so_does_one_that_claims_by_rows() {
    try (Sandbox sandbox = Database.POSTGRES.sandbox()) {
      Schema.builder(sandbox.dataSource()).claiming(Claiming.ROWS).create();
      assertClosesAtOnce(Making.closedTooLate(sandbox));
    }
  }

  private static void assertClosesAtOnce(String log) {
    assertThat(log).contains("cannot go on").doesNotContain("\tat ").doesNotContain("Exception");
  }
}
