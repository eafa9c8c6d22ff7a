package dev.outbox.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RetryPolicy;
import dev.outbox.servers.Database;
import dev.outbox.testkit.ManualRelay;
import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What happens to messages, as Prometheus reads it. */
class OutboxMetricsTest {
  private static final Duration AT_ONCE = Duration.ofMillis(1);

  private static Publisher answering(Function<Envelope, Ack> answers) {
    return Publisher.batch(envelopes -> envelopes.stream().map(answers).toList());
  }

  private static ManualRelay relay(Shop shop, Publisher publisher) {
    return ManualRelay.builder(shop.store, publisher.observed(shop.metrics))
        .listener(shop.metrics)
        .grace(AT_ONCE)
        .retry(RetryPolicy.exponential(AT_ONCE, AT_ONCE, Duration.ofHours(1)))
        .build();
  }

  @ParameterizedTest
  @EnumSource(names = {"H2", "POSTGRES"})
  void messages_are_counted_from_enqueue_to_delivery(Database database) {
    try (Shop shop = Shop.on(database);
        ManualRelay relay = relay(shop, answering(any -> Ack.delivered()))) {
      shop.enqueue("orders", 5);
      shop.enqueue("mails", 2);
      relay.drainNow();

      Scrape scrape = shop.scrape();
      assertThat(scrape.value("outbox_enqueued_total{topic=\"orders\"}")).isEqualTo(5);
      assertThat(scrape.value("outbox_enqueued_total{topic=\"mails\"}")).isEqualTo(2);
      assertThat(scrape.value("outbox_published_total{outcome=\"delivered\",topic=\"orders\"}"))
          .isEqualTo(5);
      assertThat(scrape.value("outbox_delivered_total")).isEqualTo(7);
      assertThat(scrape.value("outbox_missing_total")).isZero();
      assertThat(scrape.value("outbox_delivery_delay_seconds_count{topic=\"orders\"}"))
          .isEqualTo(5);
      assertThat(scrape.value("outbox_delivery_delay_seconds_sum{topic=\"orders\"}")).isPositive();
      assertThat(
              scrape.value("outbox_delivery_delay_seconds_bucket{topic=\"orders\",le=\"3600.0\"}"))
          .isEqualTo(5);
      assertThat(scrape.value("outbox_publish_seconds_count{topic=\"orders\"}")).isPositive();
      assertThat(scrape.value("outbox_publish_seconds_bucket{topic=\"orders\",le=\"30.0\"}"))
          .isEqualTo(scrape.value("outbox_publish_seconds_count{topic=\"orders\"}"));
      assertThat(scrape.value("outbox_lanes_claimed_total")).isEqualTo(32);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"H2", "POSTGRES"})
  void what_fails_and_what_dies_is_told_with_its_reason(Database database) {
    AtomicInteger sends = new AtomicInteger();
    Publisher publisher =
        answering(
            envelope ->
                envelope.topic().equals("mails")
                    ? Ack.rejected("no such address")
                    : sends.incrementAndGet() == 1
                        ? Ack.failed(new IllegalStateException("once"))
                        : Ack.delivered());
    try (Shop shop = Shop.on(database);
        ManualRelay relay = relay(shop, publisher)) {
      shop.enqueue("orders", 1);
      shop.enqueue("mails", 2);
      while (sends.get() < 2) {
        relay.drainNow();
      }

      Scrape scrape = shop.scrape();
      assertThat(scrape.value("outbox_retried_total{topic=\"orders\"}")).isEqualTo(1);
      assertThat(scrape.has("outbox_retried_total{topic=\"mails\"}")).isFalse();
      assertThat(scrape.value("outbox_died_total{reason=\"rejected\",topic=\"mails\"}"))
          .isEqualTo(2);
      assertThat(scrape.value("outbox_published_total{outcome=\"failed\",topic=\"orders\"}"))
          .isEqualTo(1);
      assertThat(scrape.value("outbox_published_total{outcome=\"rejected\",topic=\"mails\"}"))
          .isEqualTo(2);
      assertThat(scrape.has("outbox_delivery_delay_seconds_count{topic=\"mails\"}")).isFalse();
      assertThat(scrape.value("outbox_delivered_total")).isEqualTo(1);
    }
  }

  @Test
  void an_outage_of_a_broker_is_counted() {
    Ack down = Ack.unavailable(new ConnectException("refused"));
    try (Shop shop = Shop.on(Database.H2);
        ManualRelay relay = relay(shop, answering(any -> down))) {
      shop.enqueue("orders", 1);
      while (!shop.scrape().has("outbox_broker_outages_total{topic=\"orders\"}")) {
        relay.drainNow(); // how it stands is told ten times a second
      }
      assertThat(shop.scrape().value("outbox_broker_outages_total{topic=\"orders\"}")).isEqualTo(1);
    }
  }

  /** As Spring Boot does with a bean that was bound by hand. */
  @Test
  void what_is_bound_twice_to_a_registry_is_counted_once() {
    try (Shop shop = Shop.on(Database.H2);
        ManualRelay relay = relay(shop, answering(any -> Ack.delivered()))) {
      shop.metrics.bindTo(shop.registry);
      shop.enqueue("orders", 5);
      relay.drainNow();

      Scrape scrape = shop.scrape();
      assertThat(scrape.value("outbox_enqueued_total{topic=\"orders\"}")).isEqualTo(5);
      assertThat(scrape.value("outbox_delivered_total")).isEqualTo(5);
    }
  }

  @Test
  void topics_beyond_the_bound_share_a_name_and_none_is_lost() {
    try (Shop shop = Shop.on(Database.H2);
        ManualRelay relay = relay(shop, answering(any -> Ack.delivered()))) {
      for (int i = 0; i < 20; i++) {
        shop.enqueue("user-" + i, 1);
      }
      relay.drainNow();

      Scrape scrape = shop.scrape();
      assertThat(scrape.value("outbox_enqueued_total{topic=\"user-0\"}")).isEqualTo(1);
      assertThat(scrape.value("outbox_enqueued_total{topic=\"(others)\"}")).isEqualTo(17);
      assertThat(scrape.lines().stream().filter(line -> line.startsWith("outbox_enqueued_total{")))
          .hasSize(4);
      assertThat(scrape.value("outbox_delivery_delay_seconds_count{topic=\"(others)\"}"))
          .isEqualTo(17);
    }
  }

  @Test
  void a_setting_out_of_range_is_refused_with_its_limit() {
    try (Shop shop = Shop.on(Database.H2)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> OutboxMetrics.builder(shop.store).interval(Duration.ofMillis(999)))
          .withMessage(
              "interval is PT0.999S, the minimum is PT1S: each look costs the database a few statements");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> OutboxMetrics.builder(shop.store).topics(0))
          .withMessage("topics is 0, the minimum is 1");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> OutboxMetrics.builder(shop.store).bound(0))
          .withMessage("bound is 0, the minimum is 1");
    }
  }
}
