package dev.outbox.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lines of docs/transactions for frameworks that have no module of ours. */
@Tag("proof")
class OtherFrameworksTest {
  @Test
  void on_Quarkus_a_message_is_committed_with_its_transaction_or_refused(@TempDir Path home)
      throws Exception {
    Path jar = build("quarkus", home, "-Dquarkus.package.jar.type=uber-jar");
    Path runner = jar.resolveSibling("shop-1-runner.jar");

    assertThat(run(home, "-jar", runner.toString()))
        .contains(
            "refused: an order of 0 cents",
            "refused: transaction is an autocommit connection",
            "enqueued: 1",
            "enqueued: 4",
            "enqueued: 5")
        .doesNotContain("enqueued: 2", "enqueued: 3", "acquisition timeout");
  }

  @Test
  void on_Micronaut_a_message_is_committed_with_its_transaction_or_refused(@TempDir Path home)
      throws Exception {
    Path target = build("micronaut", home, "dependency:copy-dependencies").getParent();
    String path = target.resolve("classes") + ":" + target.resolve("dependency") + "/*";

    assertThat(run(home, "-cp", path, "com.example.shop.Shop"))
        .contains(
            "refused: an order of 0 cents",
            "refused: Expected an existing connection",
            "enqueued: 1")
        .doesNotContain("enqueued: 2", "enqueued: 3");
  }

  private static Path build(String project, Path home, String more) throws Exception {
    return ShopJar.build(
        Path.of("src/test/resources", project),
        home.resolve(project),
        UnaryOperator.identity(),
        "package",
        more);
  }

  private static String run(Path home, String... words) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>();
    all.add(ProcessHandle.current().info().command().orElse("java"));
    all.addAll(List.of(words));
    Path log = home.resolve("shop.log");
    Process shop =
        new ProcessBuilder(all).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      assertThat(shop.waitFor(60, TimeUnit.SECONDS)).as(Files.readString(log)).isTrue();
    } finally {
      shop.destroyForcibly();
    }
    return Files.readString(log);
  }
}
