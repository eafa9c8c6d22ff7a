package dev.outbox.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Relay;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Database;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.ref.WeakReference;
import java.net.ConnectException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process that goes on closes its relay and starts another. */
@Timeout(60)
class RestartTest {
  private static final Publisher REFUSING =
      Publisher.batch(
          all -> all.stream().map(any -> Ack.unavailable(new ConnectException("no"))).toList());

  private static Relay start(Shop shop, OutboxMetrics metrics) {
    Relay relay =
        Relay.builder(shop.store, REFUSING.observed(metrics))
            .listener(metrics)
            .owns(metrics)
            .start();
    metrics.watch(relay);
    return relay;
  }

  private static double relays(Shop shop, String health) {
    return shop.scrape().value("outbox_relay_health{health=\"" + health + "\"}");
  }

  private static void await() {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    assertThat(Thread.currentThread().isInterrupted()).as("after a minute").isFalse();
  }

  private static void tellsOfTheTables(Shop shop) {
    while (Double.isNaN(shop.scrape().value("outbox_ready"))) {
      await();
    }
  }

  @Test
  void the_next_relay_takes_the_place_of_the_closed_one() {
    try (Shop shop = Shop.on(Database.H2)) {
      start(shop, shop.metrics).close();
      assertThat(relays(shop, "down")).isEqualTo(1);

      try (Relay next = start(shop, shop.metrics)) {
        assertThat(next.status().isClosed()).isFalse();
        assertThat(relays(shop, "down")).isZero();
        assertThat(relays(shop, "up")).isEqualTo(1);
        tellsOfTheTables(shop);
      }
    }
  }

  @Test
  void so_it_does_with_meters_of_its_own_in_the_same_registry() {
    try (Shop shop = Shop.on(Database.H2)) {
      start(shop, shop.metrics).close();
      OutboxMetrics own = OutboxMetrics.create(shop.store);
      own.bindTo(shop.registry);

      try (Relay next = start(shop, own)) {
        assertThat(next.status().isClosed()).isFalse();
        assertThat(relays(shop, "down")).isZero();
        assertThat(relays(shop, "up")).isEqualTo(1);
        tellsOfTheTables(shop);
      }
    }
  }

  @Test
  void a_registry_keeps_no_closed_relay_in_memory() {
    try (Shop shop = Shop.on(Database.H2)) {
      PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
      WeakReference<Relay> closed = closed(shop, registry);
      while (closed.get() != null) {
        System.gc();
        await();
      }
      assertThat(Scrape.of(registry).has("outbox_topic_ready{topic=\"orders\"}")).isTrue();
    }
  }

  /** A relay that has told of a topic whose broker is down, and of the tables. */
  private static WeakReference<Relay> closed(Shop shop, PrometheusMeterRegistry registry) {
    OutboxMetrics metrics = OutboxMetrics.create(shop.store);
    metrics.bindTo(registry);
    shop.enqueue("orders", 1);
    Relay relay = start(shop, metrics);
    while (!Scrape.of(registry).has("outbox_breaker_open{topic=\"orders\"}")
        || !Scrape.of(registry).has("outbox_topic_ready{topic=\"orders\"}")) {
      await();
    }
    relay.close();
    return new WeakReference<>(relay);
  }
}
