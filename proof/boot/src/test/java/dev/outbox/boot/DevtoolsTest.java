package dev.outbox.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A class changes while its application runs: the devtools start it again within its process. */
@Tag("proof")
class DevtoolsTest {
  private static final String DEVTOOLS =
      "<dependency><groupId>org.springframework.boot</groupId>"
          + "<artifactId>spring-boot-devtools</artifactId></dependency>";

  @ParameterizedTest
  @ValueSource(strings = {"3.5.16", "4.1.0"})
  void the_relay_closes_and_another_runs_on(String version, @TempDir Path home) throws Exception {
    Path copy = home.resolve("demo");
    ShopJar.build(
        Demo.PROJECT,
        copy,
        pom ->
            pom.replace("<version>4.1.0<", "<version>" + version + "<")
                .replace("<!-- added -->", DEVTOOLS),
        "package",
        "dependency:copy-dependencies");
    Path classes = copy.resolve("target/classes");
    String path = classes + File.pathSeparator + copy.resolve("target/dependency/*");
    try (Demo demo = Demo.start(home, "-cp", path, "com.example.demo.DemoApplication")) {
      demo.awaitArrived(1);
      demo.awaitLogged("Started DemoApplication", 1);

      Path changed = classes.resolve("com/example/demo/Orders.class");
      Files.setLastModifiedTime(changed, FileTime.fromMillis(System.currentTimeMillis() + 5000));

      demo.awaitArrived(2);
      demo.awaitLogged("RelayEngine", 1); // it tells its close, and nothing else
      demo.awaitLogged("publisher KafkaPublisher", 2);
      assertThat(demo.log()).contains("restartedMain").doesNotContain("ERROR");
    }
  }
}
