package dev.outbox.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.examples.docs.Page.Block;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every block of code in README.md and docs/ is compiled or run by the build, or is marked as
 * output. The mark is a comment in the line above the fence, which no reader sees:
 *
 * <ul>
 *   <li>{@code <!-- code: path -->}: these lines are in that source or pom, whatever their
 *       indentation. The build compiles it; a test beside this one runs it.
 *   <li>{@code <!-- kind: postgresql mysql mariadb h2 -->} above SQL: a test of outbox-jdbc runs it
 *       on these databases, and gets it by {@code DocsPage.NAME_OF_THE_PAGE.statements("kind",
 *       database)}. For {@code oracle} a grammar parses it.
 *   <li>{@code <!-- commands -->} above {@code sh}: each line runs a script of this repository.
 *   <li>{@code <!-- output -->}: what a program prints, or a drawing. It has no language.
 * </ul>
 */
class PageCodeTest {
  private static final Pattern COMPILED =
      Pattern.compile("(.*/)?(src/(main|test)/(java|kotlin|resources)/.*|pom\\.xml)");
  private static final Pattern DATABASES =
      Pattern.compile("([a-z-]+):(?: (?:postgresql|mysql|mariadb|h2|oracle))+");

  static Stream<Page> pages() {
    return Page.all().stream();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void every_block_is_compiled_or_run_or_is_output(Page page) {
    assertThat(wrongs(page)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "no mark|x||```java;int i;;```",
        "no mark|x||'    int i;'",
        "an unknown mark|x|<!-- cod: pom.xml -->|```java;int i;;```",
        "not in pom.xml|x|<!-- code: pom.xml -->|```xml;<groupId>com.example</groupId>;;```",
        "is not compiled|x|<!-- code: README.md -->|```java;# Outbox SDK;;```",
        "is not compiled|x|<!-- code: src/main/java/None.java -->|```java;int i;;```",
        "no test runs it|docs/tables.md|<!-- update: h2 -->|```sql;DELETE FROM outbox;;```",
        "has a language|x|<!-- output -->|```java;int i;;```",
        "no script of ours|x|<!-- commands -->|```sh;rm -rf x;;```"
      })
  void a_block_that_is_none_of_these_is_found_out(
      String wrong, String name, String mark, String block) {
    String text = "\n" + (mark == null ? "" : mark + "\n") + block.replace(';', '\n');
    assertThat(wrongs(new Page(name, text))).singleElement().asString().contains(wrong);
  }

  @Test
  void code_may_be_indented_otherwise_than_its_source() {
    String block = "<!-- code: pom.xml -->\n```xml\n<modules>\n  <module>bom</module>\n```";
    assertThat(wrongs(new Page("x", block))).isEmpty();
  }

  private static List<String> wrongs(Page page) {
    return page.blocks().stream()
        .map(
            block -> {
              String wrong = wrong(page, block);
              return wrong.isEmpty() ? "" : page.name() + ":" + block.line() + " " + wrong;
            })
        .filter(wrong -> !wrong.isEmpty())
        .toList();
  }

  /** What is wrong with a block, or nothing. */
  private static String wrong(Page page, Block block) {
    String mark = block.mark();
    if (mark.isEmpty()) {
      return "the block has no mark";
    }
    if (mark.startsWith("code: ")) {
      return wrongCode(mark.substring("code: ".length()), block);
    }
    if (mark.equals("output")) {
      return block.language().isEmpty() ? "" : "output has a language";
    }
    if (mark.equals("commands") && block.language().equals("sh")) {
      return wrongCommands(block);
    }
    if (DATABASES.matcher(mark).matches() && block.language().equals("sql")) {
      return wrongSql(page, mark.substring(0, mark.indexOf(':')));
    }
    return "an unknown mark: " + mark;
  }

  private static String wrongCode(String path, Block block) {
    Path file = Page.ROOT.resolve(path);
    if (!COMPILED.matcher(path).matches() || !Files.isRegularFile(file)) {
      return path + " is not compiled by the build";
    }
    return contains(Page.read(file).lines().toList(), block.text())
        ? ""
        : "the block is not in " + path + ":\n" + block.text();
  }

  private static boolean contains(List<String> source, String block) {
    String wanted = block.stripTrailing();
    int size = (int) wanted.lines().count();
    for (int from = 0; from + size <= source.size(); from++) {
      String found = String.join("\n", source.subList(from, from + size));
      if (found.stripIndent().stripTrailing().equals(wanted)) {
        return true;
      }
    }
    return false;
  }

  private static String wrongCommands(Block block) {
    return block
        .text()
        .lines()
        .map(line -> line.replaceAll(" .*", ""))
        .filter(command -> !Files.isExecutable(Page.ROOT.resolve(command)))
        .map(command -> command + " is no script of ours")
        .collect(Collectors.joining(", "));
  }

  private static String wrongSql(Page page, String kind) {
    String name = page.name().replaceAll(".*/|\\.md$", "").replace('-', '_');
    Pattern read =
        Pattern.compile(
            "DocsPage\\s*\\." + name.toUpperCase(Locale.ROOT) + "\\s*\\.statements\\(\"" + kind);
    Path tests = Page.ROOT.resolve("outbox-jdbc/src/test/java");
    try (Stream<Path> files = Files.walk(tests)) {
      boolean isRead =
          files
              .filter(file -> file.toString().endsWith("Test.java"))
              .anyMatch(file -> read.matcher(Page.read(file)).find());
      return isRead ? "" : "no test runs it: " + read;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
