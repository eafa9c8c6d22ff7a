package dev.outbox.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The poms that users meet agree with those that we build with. */
class PomsTest {
  private static final String PARENT = read("pom.xml");
  private static final String BOM = read("bom/pom.xml");
  private static final List<String> OF_SPRING_BOOT =
      List.of(
          "spring-aop",
          "spring-beans",
          "spring-boot",
          "spring-boot-autoconfigure",
          "spring-context",
          "spring-core",
          "spring-expression");

  @Test
  void the_bom_lists_every_published_module_and_nothing_else() {
    Set<String> published = new TreeSet<>();
    for (String module : all(PARENT, "module")) {
      String pom = read(module + "/pom.xml");
      if (pom.contains("<maven.deploy.skip>false") && !pom.contains("<packaging>pom")) {
        published.add(all(pom.substring(pom.indexOf("</parent>")), "artifactId").get(0));
      }
    }
    String managed = between(BOM, "<dependencyManagement>", "</dependencyManagement>");
    assertThat(published).contains("outbox-core", "outbox-jdbc", "outbox-tck", "outbox-testkit");
    assertThat(all(managed, "artifactId")).containsExactlyElementsOf(published);
    assertThat(all(managed, "groupId")).containsOnly("dev.outbox");
    assertThat(all(managed, "version")).containsOnly(version());
  }

  @Test
  void the_bom_is_of_this_version_and_says_where_the_project_is_as_its_parent_would() {
    assertThat(BOM).doesNotContain("<parent>");
    assertThat(all(BOM, "version").get(0)).isEqualTo(version());
    assertThat(all(BOM, "url")).isEqualTo(all(PARENT, "url"));
    assertThat(all(BOM, "connection")).isEqualTo(all(PARENT, "connection"));
  }

  @Test
  void hello_asks_for_the_versions_of_this_build() {
    List<String> asked =
        all(
            between(read("examples/hello/pom.xml"), "<dependencies>", "</dependencies>"),
            "version");
    assertThat(asked)
        .containsExactly(
            version(),
            all(PARENT, "hikari.version").get(0),
            all(PARENT, "h2.version").get(0),
            all(PARENT, "postgresql-driver.version").get(0),
            all(PARENT, "slf4j.version").get(0));
  }

  @Test
  void the_readme_shows_this_version() {
    String readme = read("README.md");
    assertThat(all(readme, "version").get(0)).isEqualTo(version());
    assertThat(readme).contains("\"dev.outbox:outbox-bom:" + version() + "\"");
  }

  /**
   * Maven would move it to the end of an application's class path, and the start would take longer.
   */
  @Test
  void what_builds_on_the_starter_names_no_jar_that_spring_boot_brings() {
    assertThat(brought("spring-boot-starter")).contains("spring-boot-starter-jdbc");
    for (String module :
        List.of("spring-boot-starter", "spring-boot-starter-test", "spring-modulith")) {
      assertThat(brought(module)).isNotEmpty().doesNotContainAnyElementsOf(OF_SPRING_BOOT);
    }
  }

  /** What an application gets with it. */
  private static List<String> brought(String module) {
    String pom = read("integrations/" + module + "/pom.xml");
    String own = pom.substring(pom.indexOf("</dependencyManagement>"), pom.indexOf("<build>"));
    return Pattern.compile("(?s)<dependency>.*?</dependency>")
        .matcher(own)
        .results()
        .map(MatchResult::group)
        .filter(each -> !each.contains("<scope>") && !each.contains("<optional>"))
        .map(each -> all(each, "artifactId").get(0))
        .toList();
  }

  private static String version() {
    return all(PARENT, "version").get(0);
  }

  private static List<String> all(String text, String element) {
    return Pattern.compile("<" + element + ">(.*?)</" + element + ">")
        .matcher(text)
        .results()
        .map((MatchResult found) -> found.group(1))
        .toList();
  }

  private static String between(String text, String start, String end) {
    return text.substring(text.indexOf(start), text.indexOf(end));
  }

  private static String read(String file) {
    try {
      return Files.readString(Path.of("..", file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
