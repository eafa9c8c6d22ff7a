package dev.outbox.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The words of pages, log lines and exceptions: phrases that a reader stumbles over are not used,
 * and prose has no line over the limit of .editorconfig.
 */
class PlainWordsTest {
  private static final Pattern STUMBLES =
      Pattern.compile(
          "\\bin the air\\b|\\bto the letter\\b|\\banew\\b"
              + "|\\bg(?:ives?|ave|iven|iving)(?: \\w+){0,3} back\\b"
              + "|\\bbrokers?\\b[^.|]{0,80}\\baway\\b|\\baway\\b[^.|]{0,80}\\bbrokers?\\b",
          Pattern.CASE_INSENSITIVE);

  static Stream<Page> pages() {
    return Stream.concat(
        Page.all().stream(),
        Page.ofTheRoot().stream().filter(page -> !page.name().equals("CHANGELOG.md")));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void a_page_has_no_phrase_to_stumble_over(Page page) {
    assertThat(stumbles(page)).isEmpty();
  }

  @Test
  void neither_has_a_log_line_or_an_exception() {
    List<Page> sources = SourceTexts.all();
    assertThat(sources.size()).isGreaterThan(400);
    assertThat(sources.stream().flatMap(source -> stumbles(source).stream()).toList()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void no_line_of_prose_is_over_the_limit(Page page) {
    assertThat(longLines(page, limit())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "what is in the;air, in the;air",
    "The relay gives its lanes;back, gives its lanes;back",
    "It is repeated to the letter, to the letter",
    "Begin Anew, Anew",
    "While the broker for mails is away, broker for mails is away",
    "away is the broker, away is the broker"
  })
  void a_phrase_is_found_over_the_end_of_a_line_too(String text, String phrase) {
    assertThat(stumbles(new Page("x", text.replace(';', '\n'))))
        .containsExactly("x: " + phrase.replace(';', ' '));
  }

  @Test
  void texts_of_sources_are_found_and_comments_are_not() {
    String source =
        "// \"in the air\"\n/* \"anew\" */ char quote = '\"'; log.info(\"in \" + name + \"the\"\n"
            + "    + \" air\"); String block = \"\"\"\n  \"one\"\n  \"\"\";";
    assertThat(SourceTexts.of(source)).containsExactly("in ", "the air", "\n  \"one\"\n  ");
  }

  @Test
  void code_tables_and_badges_may_be_long() {
    String text = "```\nlong code\n```\n| long table |\n[![badge](x)](x)\nlong prose\nshort";
    assertThat(longLines(new Page("x", text), 6)).containsExactly("6: 10 characters");
  }

  private static List<String> stumbles(Page page) {
    return STUMBLES
        .matcher(page.text().replaceAll("\\s+", " "))
        .results()
        .map(result -> page.name() + ": " + result.group())
        .toList();
  }

  private static List<String> longLines(Page page, int limit) {
    List<String> wrongs = new ArrayList<>();
    List<String> lines = page.text().lines().toList();
    boolean code = false;
    for (int at = 0; at < lines.size(); at++) {
      String line = lines.get(at);
      code ^= line.startsWith("```");
      boolean prose = !code && !line.startsWith("|") && !line.startsWith("[![");
      if (prose && line.length() > limit) {
        wrongs.add(at + 1 + ": " + line.length() + " characters");
      }
    }
    return wrongs;
  }

  private static int limit() {
    Matcher limit =
        Pattern.compile("\\[\\*\\.md\\]\\s+max_line_length = (\\d+)")
            .matcher(Page.read(Page.ROOT.resolve(".editorconfig")));
    assertThat(limit.find()).isTrue();
    return Integer.parseInt(limit.group(1));
  }
}
