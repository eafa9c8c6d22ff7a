package dev.outbox.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Pages are short enough to be read. Blocks of code and marks do not count; tables count for a
 * page, and not for all pages together.
 */
class LengthTest {
  private static final int MOST_OF_A_PAGE = 1200;
  private static final int MOST_OF_ALL = 24_000;
  private static final int MOST_LINES_OF_README = 150;
  private static final int MOST_OF_README = 1100;
  private static final Pattern CODE =
      Pattern.compile("^```.*?^```\\s*$|<!--.*?-->", Pattern.MULTILINE | Pattern.DOTALL);

  static Stream<Page> pages() {
    return Page.all().stream();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void a_page_is_not_too_long(Page page) {
    assertThat(words(withoutCode(page).replace('|', ' '))).isLessThanOrEqualTo(MOST_OF_A_PAGE);
  }

  @Test
  void all_pages_have_no_more_prose_than_a_person_reads() {
    int prose = pages().mapToInt(page -> words(withoutTables(withoutCode(page)))).sum();
    assertThat(prose).isBetween(MOST_OF_ALL / 2, MOST_OF_ALL);
  }

  @Test
  void the_readme_fits_a_screen_or_three() {
    String readme = Page.read(Page.ROOT.resolve("README.md"));
    assertThat(readme.lines().count()).isLessThanOrEqualTo(MOST_LINES_OF_README);
    assertThat(words(readme)).isLessThanOrEqualTo(MOST_OF_README);
  }

  @Test
  void code_and_tables_are_left_out() {
    Page page = new Page("x", "one two\n<!-- code: x -->\n```java\nint i;\n```\n| three |\nfour\n");
    assertThat(words(withoutCode(page).replace('|', ' '))).isEqualTo(4);
    assertThat(words(withoutTables(withoutCode(page)))).isEqualTo(3);
  }

  private static String withoutCode(Page page) {
    return CODE.matcher(page.text()).replaceAll("");
  }

  private static String withoutTables(String text) {
    return text.replaceAll("(?m)^\\s*\\|.*$", "");
  }

  private static int words(String text) {
    return text.isBlank() ? 0 : text.strip().split("\\s+").length;
  }
}
