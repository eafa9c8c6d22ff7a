package dev.outbox.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every link of a page has its file, and its heading; every page that a source names is there. */
class LinksTest {
  private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]*)\\)");
  private static final Pattern CODE = Pattern.compile("(?s)```.*?```|`[^`\n]*`");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
  private static final Pattern NAMED = Pattern.compile("\\bdocs/[a-zA-Z/-]+\\.md\\b");
  private static final Pattern TEST = Pattern.compile("`([a-z]+_[a-z_]+)`");

  static Stream<Page> pages() {
    return Stream.concat(Page.all().stream(), Page.ofTheRoot().stream());
  }

  @ParameterizedTest
  @MethodSource("pages")
  void every_link_leads_somewhere(Page page) {
    assertThat(deadLinks(page)).isEmpty();
  }

  @Test
  void every_page_that_a_source_names_is_there() throws IOException {
    try (Stream<Path> files = Files.walk(Page.ROOT)) {
      Set<String> named =
          files
              .filter(file -> file.toString().matches(".*/src/(main|test)/.*\\.(java|kt|sql)"))
              .filter(file -> !file.endsWith("LinksTest.java"))
              .flatMap(file -> NAMED.matcher(Page.read(file)).results().map(MatchResult::group))
              .collect(Collectors.toSet());
      assertThat(named)
          .isNotEmpty()
          .allSatisfy(page -> assertThat(Page.ROOT.resolve(page)).isRegularFile());
    }
  }

  @Test
  void every_test_that_proves_a_guarantee_is_there() throws IOException {
    String page = Page.read(Page.ROOT.resolve("docs/internals/proof-of-guarantees.md"));
    List<String> tests = TEST.matcher(page).results().map(test -> test.group(1)).toList();
    try (Stream<Path> files = Files.walk(Page.ROOT)) {
      String sources =
          files
              .filter(file -> file.toString().matches(".*/src/(main|test)/java/.*\\.java"))
              .map(Page::read)
              .collect(Collectors.joining());
      assertThat(tests).hasSizeGreaterThan(50).allMatch(test -> sources.contains(test + "("));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "docs/x.md, [a](none.md), none.md",
    "docs/x.md, [a](guarantees.md#none), guarantees.md#none",
    "docs/internals/x.md, [a](guarantees.md), guarantees.md",
    "docs/x.md, ![a](none.svg), none.svg",
    "docs/x.md, [a](#none), #none"
  })
  void a_dead_link_is_found_out(String name, String text, String link) {
    assertThat(deadLinks(new Page(name, "# A heading\n\n" + text))).containsExactly(link);
  }

  @ParameterizedTest
  @CsvSource({
    "docs/x.md, [a](guarantees.md#not-promised)",
    "docs/internals/x.md, [a](../guarantees.md)",
    "README.md, [a](docs/guarantees.md)",
    "docs/x.md, [a](#a-heading)",
    "docs/x.md, `[a](none.md)`",
    "docs/x.md, [a](https://example.org/none.md)"
  })
  void a_link_that_leads_somewhere_is_not(String name, String text) {
    assertThat(deadLinks(new Page(name, "# A heading\n\n" + text))).isEmpty();
  }

  private static List<String> deadLinks(Page page) {
    return LINK.matcher(CODE.matcher(page.text()).replaceAll(""))
        .results()
        .map(link -> link.group(1))
        .filter(link -> !link.matches("(https?|mailto):.*"))
        .filter(link -> !leadsSomewhere(page, link))
        .toList();
  }

  private static boolean leadsSomewhere(Page page, String link) {
    int mark = link.indexOf('#');
    String target = mark < 0 ? link : link.substring(0, mark);
    Path file = Page.ROOT.resolve(page.name()).resolveSibling(target).normalize();
    if (!target.isEmpty() && !Files.exists(file)) {
      return false;
    }
    String text = target.isEmpty() ? page.text() : mark < 0 ? "" : Page.read(file);
    return mark < 0 || anchors(text).contains(link.substring(mark + 1));
  }

  /** As GitHub and the site name them: of two that are equal the second ends in -1. */
  private static Set<String> anchors(String text) {
    Map<String, Integer> seen = new HashMap<>();
    return HEADING
        .matcher(Pattern.compile("(?s)```.*?```").matcher(text).replaceAll(""))
        .results()
        .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .map(
            name -> {
              int before = seen.merge(name, 1, Integer::sum) - 1;
              return before == 0 ? name : name + "-" + before;
            })
        .collect(Collectors.toSet());
  }
}
