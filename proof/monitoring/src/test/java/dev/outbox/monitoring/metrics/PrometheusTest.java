package dev.outbox.monitoring.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outbox.message.Message;
import dev.outbox.micrometer.OutboxMetrics;
import dev.outbox.monitoring.metrics.Dashboard.Panel;
import dev.outbox.monitoring.metrics.Dashboard.Query;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every query of the dashboard and every alert rule, asked of a real Prometheus. */
class PrometheusTest {
  private static final Duration LOAD = Duration.ofSeconds(30);

  @TempDir private static Path home;
  private static Path rules;
  private static Sandbox sandbox;
  private static MeasuredShop shop;
  private static PrometheusServer prometheus;
  private static Instant began;

  @BeforeAll
  static void load() throws Exception {
    assumeTrue(
        PrometheusServer.isInstalled(), "prometheus is not here: install the package prometheus");
    rules = home.resolve("alerts.yml");
    try (InputStream alerts = OutboxMetrics.class.getResourceAsStream("alerts.yml")) {
      Files.copy(alerts, rules);
    }
    sandbox = Database.POSTGRES.sandbox();
    shop = new MeasuredShop(sandbox);
    prometheus = new PrometheusServer(home, shop.port(), rules);
    began = Instant.now();
    enqueueInTurns();
  }

  /**
   * Orders all the time, more in the middle; one mail, faxes and letters, after the first scrapes.
   */
  private static void enqueueInTurns() throws Exception {
    await("sum(outbox_ready)");
    shop.enqueue(messages("mails", 1));
    long end = System.nanoTime() + LOAD.toNanos();
    for (int round = 0; System.nanoTime() < end; round++) {
      shop.enqueue(messages("orders", 20 + 10 * (round % 40)));
      shop.enqueue(messages("shipments", 5));
      if (round % 20 == 0) {
        shop.enqueue(messages("faxes", 2));
        shop.enqueue(messages("letters", 3));
        shop.enqueue(
            List.of(Message.to("reports").deliverAfter(Duration.ofHours(1)).text("later")));
      }
      await("outbox_sample_age_seconds"); // a few milliseconds
    }
  }

  private static void await(String expression) throws Exception {
    while (prometheus.ask(expression).isEmpty()) {
      Thread.onSpinWait();
    }
  }

  private static List<Message> messages(String topic, int count) {
    return IntStream.range(0, count).mapToObj(i -> Message.to(topic).text("" + i)).toList();
  }

  @AfterAll
  static void close() throws Exception {
    if (prometheus != null) {
      prometheus.close();
      shop.close();
      sandbox.close();
    }
  }

  @Test
  void every_query_of_the_dashboard_has_series_and_its_panels_can_be_drawn() throws Exception {
    Panels picture = new Panels();
    List<String> empty = new ArrayList<>();
    int queries = 0;
    for (Panel panel : Dashboard.read().panels()) {
      Map<String, List<double[]>> series = new LinkedHashMap<>();
      for (Query query : panel.queries()) {
        queries++;
        JsonNode found = prometheus.ask(query.expression(), began);
        Map<String, List<double[]>> lines = lines(query, found);
        if (lines.values().stream().allMatch(List::isEmpty)) {
          empty.add(panel.title() + ": " + query.expression());
        }
        series.putAll(lines);
      }
      picture.draw(panel, series);
    }
    Files.writeString(Path.of("target", "dashboard.svg"), picture.svg());
    assertThat(queries).isGreaterThan(30);
    assertThat(empty).isEmpty();
  }

  /** The series of an answer by the names of the legend, without what is not a number. */
  private static Map<String, List<double[]>> lines(Query query, JsonNode found) {
    Map<String, List<double[]>> lines = new LinkedHashMap<>();
    for (JsonNode each : found) {
      List<double[]> points = new ArrayList<>();
      for (JsonNode value : each.path("values")) {
        double y = Double.parseDouble(value.path(1).asText().replace("Inf", "Infinity"));
        if (Double.isFinite(y)) {
          points.add(new double[] {value.path(0).asDouble() - began.getEpochSecond(), y});
        }
      }
      lines.put(name(query.legend(), each.path("metric")), points);
    }
    return lines;
  }

  private static String name(String legend, JsonNode labels) {
    String name = legend;
    for (Map.Entry<String, JsonNode> label : labels.properties()) {
      name = name.replace("{{" + label.getKey() + "}}", label.getValue().asText());
    }
    return name;
  }

  @Test
  void every_alert_rule_is_evaluated_and_what_it_compares_exists() throws Exception {
    List<JsonNode> evaluated = prometheus.rules();
    assertThat(evaluated).hasSizeGreaterThan(10);
    for (JsonNode rule : evaluated) {
      assertThat(rule.path("health").asText()).as("%s", rule).isEqualTo("ok");
      String compared =
          rule.path("query")
              .asText()
              .replaceFirst("^absent\\(", "")
              .replaceFirst(" [<>]=? \\d+.*$", "");
      assertThat(prometheus.ask(compared)).as(compared).isNotEmpty();
    }
  }

  @Test
  void one_dead_letter_alerts() throws Exception {
    assertThat(prometheus.ask("ALERTS{alertname=\"OutboxDeadLetters\",alertstate=\"firing\"}"))
        .isNotEmpty();
  }

  @Test
  void each_alert_fires_when_it_must_and_not_before() throws Exception {
    assertThat(promtool("check", "rules", rules.toString())).contains("SUCCESS: 12 rules found");
    Path cases = home.resolve("alerts-test.yml");
    Files.copy(Path.of("src/test/resources/alerts-test.yml"), cases);
    assertThat(promtool("test", "rules", cases.toString())).contains("SUCCESS");
  }

  private static String promtool(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("/usr/bin/promtool"));
    command.addAll(List.of(words));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).directory(home.toFile()).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }
}
