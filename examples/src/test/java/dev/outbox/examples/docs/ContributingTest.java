package dev.outbox.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * CONTRIBUTING.md names what is there, and what it says of the size of files and packages holds.
 */
class ContributingTest {
  private static final int MOST_FILES = 16;
  private static final int MOST_LINES = 300;
  private static final Pattern TOKEN = Pattern.compile("`([^`\n]+)`");
  private static final Pattern TYPE =
      Pattern.compile("(?<type>[A-Z][a-z]\\w*)(\\.(?<member>[a-z]\\w*)(\\(\\))?)?");
  private static final Pattern FOLDER = Pattern.compile("(?!target/|\\./)[\\w.-]+/[\\w./-]*");

  @Test
  void what_the_page_names_is_there() throws IOException {
    String page = Page.read(Page.ROOT.resolve("CONTRIBUTING.md"));
    String guide = page.substring(page.indexOf("## Find it"), page.indexOf("## Rules"));
    assertThat(named(guide)).hasSizeGreaterThan(80);
    assertThat(missing(guide)).isEmpty();
  }

  @Test
  void a_name_of_nothing_is_found_out() throws IOException {
    assertThat(missing("`LaneRun`, `Ack.of`, `proof/tck` and `target/site` are there")).isEmpty();
    assertThat(missing("`LaneRuns`, `Ack.off()` and `proof/tick` are not"))
        .containsExactly("LaneRuns", "Ack.off()", "proof/tick");
  }

  @ParameterizedTest
  @ValueSource(strings = {"outbox-core", "outbox-jdbc", "outbox-testkit"})
  void files_and_packages_stay_small(String module) throws IOException {
    Map<Path, Integer> packages = new HashMap<>();
    for (Path file : sources(module + "/src/main/java")) {
      assertThat(Page.read(file).lines().count())
          .as(file.toString())
          .isLessThanOrEqualTo(MOST_LINES);
      if (!file.endsWith("package-info.java")) {
        packages.merge(file.getParent(), 1, Integer::sum);
      }
    }
    assertThat(packages).isNotEmpty();
    assertThat(packages)
        .allSatisfy((folder, files) -> assertThat(files).isLessThanOrEqualTo(MOST_FILES));
  }

  /** The types, members, files and folders of this repository that a page names. */
  private static List<String> named(String page) {
    return TOKEN
        .matcher(page)
        .results()
        .map(token -> token.group(1))
        .filter(token -> TYPE.matcher(token).matches() || FOLDER.matcher(token).matches())
        .distinct()
        .toList();
  }

  private static List<String> missing(String page) throws IOException {
    Map<String, String> types = new HashMap<>();
    for (Path file : sources("")) {
      types.merge(file.getFileName().toString(), Page.read(file), String::concat);
    }
    List<String> missing = new ArrayList<>();
    for (String name : named(page)) {
      Matcher type = TYPE.matcher(name);
      boolean isThere =
          type.matches()
              ? isThere(types.get(type.group("type") + ".java"), type.group("member"))
              : Files.exists(Page.ROOT.resolve(name));
      if (!isThere) {
        missing.add(name);
      }
    }
    return missing;
  }

  private static boolean isThere(@Nullable String source, @Nullable String member) {
    return source != null
        && (member == null || Pattern.compile("\\b" + member + "\\(").matcher(source).find());
  }

  private static List<Path> sources(String folder) throws IOException {
    try (Stream<Path> files = Files.walk(Page.ROOT.resolve(folder))) {
      return files
          .filter(file -> file.toString().matches(".*/src/(main|test)/java/.*\\.java"))
          .toList();
    }
  }
}
