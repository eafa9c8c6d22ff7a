package dev.outbox.boot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The tables are made by a migration: it goes first, and the start is refused if they are wrong
 * then.
 */
@Tag("proof")
class MigrationTest {
  private static final Path DDL =
      Path.of("../../outbox-jdbc/src/main/resources/dev/outbox/jdbc/ddl/postgresql/outbox.sql");

  @ParameterizedTest
  @CsvSource({"3.5.16, flyway-core", "4.1.0, spring-boot-starter-flyway"})
  void Flyway_makes_the_tables_first_on(String version, String starter, @TempDir Path home)
      throws Exception {
    Path project = project(home);
    add(project, "db/migration/V1__outbox.sql", Files.readString(DDL));
    String flyway = starter.startsWith("spring") ? "org.springframework.boot" : "org.flywaydb";
    assertArrives(
        home,
        project,
        version,
        dependency(flyway, starter) + dependency("org.flywaydb", "flyway-database-postgresql"),
        "--spring.flyway.baseline-on-migrate=true", // the table of orders is there
        "--spring.flyway.baseline-version=0");
  }

  @ParameterizedTest
  @CsvSource({
    "3.5.16, org.liquibase, liquibase-core",
    "4.1.0, org.springframework.boot, spring-boot-starter-liquibase"
  })
  void Liquibase_makes_the_tables_first_on(
      String version, String group, String starter, @TempDir Path home) throws Exception {
    Path project = project(home);
    add(
        project,
        "db/changelog/changes.sql",
        "--liquibase formatted sql\n\n--changeset shop:1 splitStatements:true\n"
            + Files.readString(DDL));
    assertArrives(
        home,
        project,
        version,
        dependency(group, starter),
        "--spring.liquibase.change-log=classpath:db/changelog/changes.sql");
  }

  private static void assertArrives(
      Path home, Path project, String version, String dependencies, String... arguments)
      throws Exception {
    Path jar =
        ShopJar.build(
            project,
            home.resolve("demo"),
            pom ->
                pom.replace("<version>4.1.0<", "<version>" + version + "<")
                    .replace("<!-- added -->", dependencies),
            "package");
    Stream<String> words =
        Stream.concat(
            Stream.of("-jar", jar.toString(), "--outbox.schema.initialize=validate"),
            Stream.of(arguments));
    try (Demo demo = Demo.start(home, words.toArray(String[]::new))) {
      demo.awaitArrived(1);
    }
  }

  private static Path project(Path home) throws IOException {
    Path project = home.resolve("project");
    try (Stream<Path> files = Files.walk(Demo.PROJECT)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = project.resolve(Demo.PROJECT.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
      }
    }
    return project;
  }

  private static void add(Path project, String name, String text) throws IOException {
    Path file = project.resolve("src/main/resources").resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static String dependency(String group, String artifact) {
    return "<dependency><groupId>%s</groupId><artifactId>%s</artifactId></dependency>"
        .formatted(group, artifact);
  }
}
