package dev.outbox.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From what the initializer of Spring Boot gives to the first message in Kafka. */
class FirstMessageTest {
  @Test
  void it_takes_three_dependencies_five_lines_of_yml_and_three_of_Java() throws Exception {
    String pom = Files.readString(Demo.PROJECT.resolve("pom.xml"));
    String added = pom.replaceAll("(?s).*<!-- added -->(.*)<!-- as the .*", "$1");
    assertThat(added.split("<dependency>", -1)).hasSizeLessThanOrEqualTo(1 + 3);
    assertThat(Files.readAllLines(Demo.PROJECT.resolve("src/main/resources/application.yml")))
        .hasSizeLessThanOrEqualTo(5);
    List<String> code =
        Files.readAllLines(Demo.PROJECT.resolve("src/main/java/com/example/demo/Orders.java"));
    assertThat(code.stream().filter(line -> !line.startsWith("import")))
        .filteredOn(line -> line.contains("outbox"))
        .hasSizeLessThanOrEqualTo(
            1 + 3); // one is the constructor, which the JdbcTemplate needs too
  }

  @Tag("proof")
  @ParameterizedTest
  @ValueSource(strings = {"3.5.16", "4.1.0"})
  void it_arrives_on(String version, @TempDir Path home) throws Exception {
    Path jar = build(version, home, "package");
    assertArrives(home, jar);
  }

  /** As in a native image, but on a JVM: the beans are those of code that was generated. */
  @Tag("proof")
  @ParameterizedTest
  @ValueSource(strings = {"3.5.16", "4.1.0"})
  void it_arrives_when_beans_are_made_ahead_of_time_on(String version, @TempDir Path home)
      throws Exception {
    Path jar = build(version, home, "compile", "spring-boot:process-aot", "package");
    assertArrives(home, jar, "-Dspring.aot.enabled=true");
    assertThat(Files.readString(home.resolve("demo.log"))).contains("AOT-processed");
  }

  private static Path build(String version, Path home, String... goals) throws Exception {
    return ShopJar.build(
        Demo.PROJECT,
        home.resolve("demo"),
        pom -> pom.replace("<version>4.1.0<", "<version>" + version + "<"),
        goals);
  }

  private static void assertArrives(Path home, Path jar, String... options) throws Exception {
    List<String> words = new ArrayList<>(List.of(options));
    words.addAll(List.of("-jar", jar.toString()));
    try (Demo demo = Demo.start(home, words.toArray(String[]::new))) {
      demo.awaitArrived(1);
    }
  }
}
