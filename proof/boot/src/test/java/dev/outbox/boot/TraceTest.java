package dev.outbox.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.servers.Database;
import dev.outbox.servers.KafkaServer;
import dev.outbox.servers.Sandbox;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One trace from a controller to a {@code @KafkaListener}, as Spring Boot sets up Micrometer
 * Tracing.
 */
@Tag("proof")
class TraceTest {
  private static final Path PROJECT = Path.of("src/test/resources/traced");
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String CLIENTS_OF_3 =
      """
          <dependency>
            <groupId>io.micrometer</groupId>
            <artifactId>micrometer-tracing-bridge-otel</artifactId>
          </dependency>
          <dependency>
            <groupId>org.springframework.boot</groupId>
            <artifactId>spring-boot-starter-web</artifactId>
          </dependency>
          <dependency>
            <groupId>org.springframework.kafka</groupId>
            <artifactId>spring-kafka</artifactId>
          </dependency>
      """;

  @TempDir Path home;

  @Test
  void a_trace_goes_from_the_controller_to_the_listener_on_Spring_Boot_4() throws Exception {
    assertOneTrace(pom -> pom);
  }

  @Test
  void a_trace_goes_from_the_controller_to_the_listener_on_Spring_Boot_3() throws Exception {
    assertOneTrace(
        pom ->
            pom.replace("<version>4.1.0</version>", "<version>3.5.16</version>")
                .replaceAll("(?s)<!-- of Spring Boot 4 -->.*<!-- end -->", CLIENTS_OF_3));
  }

  private void assertOneTrace(UnaryOperator<String> pom) throws Exception {
    Path jar = ShopJar.build(PROJECT, home.resolve("shop"), pom, "package");
    try (KafkaServer kafka = KafkaServer.start();
        Sandbox database = Database.POSTGRES.sandbox()) {
      Topic.create(kafka, "orders.placed");
      try (Shop shop = Shop.start(jar, database, Map.of("KAFKA", kafka.bootstrapServers()))) {
        assertThat(shop.place("order-1", 7)).isEqualTo(200);
        String placed = awaitLine(shop, "placed order-1 in trace (\\w+)").group(1);
        String billed = awaitLine(shop, "billed order-1 in trace (\\w+)").group(1);
        assertThat(billed).isEqualTo(placed);

        MatchResult server =
            awaitLine(shop, "span %s (\\w+) below \\w+: SERVER ".formatted(placed));
        String create = awaitLine(shop, below(server) + "PRODUCER create orders.placed").group(1);
        awaitLine(shop, "span \\w+ (\\w+) below %s: CLIENT send orders.placed".formatted(create));
        awaitLine(shop, "span \\w+ (\\w+) below %s: CONSUMER ".formatted(create));
      }
    }
  }

  private static String below(MatchResult span) {
    return "span \\w+ (\\w+) below %s: ".formatted(span.group(1));
  }

  private static MatchResult awaitLine(Shop shop, String pattern) throws IOException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    Pattern line = Pattern.compile(pattern);
    while (System.nanoTime() < end) {
      var found = line.matcher(shop.log());
      if (found.find()) {
        return found.toMatchResult();
      }
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
    throw new AssertionError("no line '" + pattern + "' in\n" + shop.log());
  }
}
