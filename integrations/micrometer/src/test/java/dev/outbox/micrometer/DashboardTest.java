package dev.outbox.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Relay;
import dev.outbox.json.JacksonCodec;
import dev.outbox.message.Envelope;
import dev.outbox.message.Payload;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Database;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The dashboard, the alert rules and the page name metrics that exist, and the page all of them.
 */
class DashboardTest {
  private static final Pattern NAME = Pattern.compile("\\boutbox_[a-z_]+\\b");
  private static final Pattern METER = Pattern.compile("`(outbox\\.[a-z.]+)`");
  private static final Set<String> EXPRESSIONS = Set.of("expr", "query");

  private static Scrape scrape;
  private static Set<String> meters;

  /** A relay that meets one of each. */
  @BeforeAll
  static void scrape() {
    try (Shop shop = Shop.on(Database.H2);
        Relay relay =
            Relay.builder(
                    shop.store, Publisher.batch(DashboardTest::answers).observed(shop.metrics))
                .listener(shop.metrics)
                .start()) {
      shop.metrics.watch(relay);
      List.of("orders", "mails", "letters", "faxes").forEach(topic -> shop.enqueue(topic, 1));
      Set<String> awaited =
          Set.of(
              "outbox_delivery_delay_seconds_count",
              "outbox_died_total",
              "outbox_broker_outages_total",
              "outbox_retried_total");
      while (!shop.scrape().names().containsAll(awaited)) {
        Thread.onSpinWait();
      }
      shop.metrics.sampler().turn(System.nanoTime() + Duration.ofHours(1).toNanos());
      scrape = shop.scrape();
      meters =
          shop.registry.getMeters().stream()
              .map(meter -> meter.getId().getName())
              .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static List<Ack> answers(List<Envelope> envelopes) {
    return envelopes.stream().map(DashboardTest::answer).toList();
  }

  private static Ack answer(Envelope envelope) {
    return switch (envelope.topic()) {
      case "mails" -> Ack.rejected("no such address");
      case "faxes" -> Ack.failed(new IllegalStateException("busy"));
      case "letters" -> Ack.unavailable(new ConnectException("refused"));
      default -> Ack.delivered();
    };
  }

  @Test
  void every_metric_of_the_dashboard_exists() {
    List<String> expressions = new ArrayList<>();
    collect(dashboard(), expressions);
    assertThat(expressions).hasSizeGreaterThan(30);
    assertThat(names(String.join("\n", expressions))).hasSizeGreaterThan(25);
    assertThat(scrape.names()).containsAll(names(String.join("\n", expressions)));
  }

  @Test
  void every_metric_of_the_alert_rules_exists() {
    String rules = resource("alerts.yml");
    String expressions =
        rules.lines().filter(line -> line.contains("expr:")).collect(Collectors.joining("\n"));
    assertThat(names(expressions)).hasSizeGreaterThan(8);
    assertThat(scrape.names()).containsAll(names(expressions));
  }

  @Test
  void every_alert_says_what_it_means_and_what_to_do() {
    String[] rules = resource("alerts.yml").split("- alert: ", -1);
    assertThat(rules.length).isGreaterThan(10);
    for (int i = 1; i < rules.length; i++) {
      assertThat(rules[i]).contains("expr:", "severity:", "summary:", "description:");
    }
  }

  @Test
  void panels_have_titles_and_places_of_their_own() {
    List<Map<String, Object>> panels = panels();
    assertThat(panels).extracting(panel -> panel.get("title")).doesNotContainNull();
    assertThat(panels).extracting(panel -> panel.get("id")).doesNotHaveDuplicates();
    for (Map<String, Object> one : panels) {
      for (Map<String, Object> other : panels) {
        assertThat(one == other || !overlap(place(one), place(other)))
            .as("%s over %s", one.get("title"), other.get("title"))
            .isTrue();
      }
    }
  }

  @Test
  void the_page_names_every_meter_and_no_other() throws IOException {
    String page = Files.readString(Path.of("../../docs/metrics.md"));
    Set<String> named =
        METER
            .matcher(page)
            .results()
            .map(result -> result.group(1))
            .filter(name -> !name.startsWith("outbox.metrics."))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(named).isEqualTo(meters);
  }

  private static boolean overlap(Map<String, Integer> one, Map<String, Integer> other) {
    return one.get("x") < other.get("x") + other.get("w")
        && other.get("x") < one.get("x") + one.get("w")
        && one.get("y") < other.get("y") + other.get("h")
        && other.get("y") < one.get("y") + one.get("h");
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Integer> place(Map<String, Object> panel) {
    return (Map<String, Integer>) panel.get("gridPos");
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> panels() {
    return (List<Map<String, Object>>) ((Map<String, Object>) dashboard()).get("panels");
  }

  private static Object dashboard() {
    byte[] json = resource("dashboard.json").getBytes(StandardCharsets.UTF_8);
    return JacksonCodec.create().decode(new Payload("application/json", json), Map.class);
  }

  private static void collect(Object node, List<String> expressions) {
    if (node instanceof Map<?, ?> object) {
      object.forEach(
          (key, value) -> {
            if (EXPRESSIONS.contains(key) && value instanceof String expression) {
              expressions.add(expression);
            }
            collect(value, expressions);
          });
    } else if (node instanceof List<?> list) {
      list.forEach(each -> collect(each, expressions));
    }
  }

  private static Set<String> names(String text) {
    return NAME.matcher(text).results().map(MatchResult::group).collect(Collectors.toSet());
  }

  private static String resource(String name) {
    try (InputStream in = OutboxMetrics.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
