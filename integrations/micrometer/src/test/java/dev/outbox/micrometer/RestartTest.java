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
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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

  /** Prometheus takes a count that falls for one that begins again, and adds all of it. */
  @Test
  void what_a_closed_relay_repeated_stays_counted() {
    try (Shop shop = Shop.on(Database.H2)) {
      Relay first = startThatRepeats(shop);
      try (Relay second = startThatRepeats(shop)) {
        first.close();
        double before = shop.scrape().value("outbox_repeated_total");
        assertThat(before).isGreaterThan(repeated(first));

        try (Relay third = start(shop, shop.metrics)) {
          double after = shop.scrape().value("outbox_repeated_total");
          assertThat(after).isBetween(before, repeated(first) + repeated(second) + repeated(third));
        }
      }
    }
  }

  /** A relay that loses its lanes while it sends something for the first time. */
  private static Relay startThatRepeats(Shop shop) {
    AtomicBoolean lost = new AtomicBoolean();
    Publisher publisher =
        Publisher.blocking(
            any -> {
              if (lost.compareAndSet(false, true)) {
                shop.freeLanes();
              }
            });
    Relay relay =
        Relay.builder(shop.store, publisher)
            .lease(Duration.ofSeconds(2), Duration.ofMillis(500))
            .poll(Duration.ofMillis(250))
            .start();
    shop.metrics.watch(relay);
    while (relay.status().lanes().isEmpty()) {
      await();
    }
    shop.enqueue("orders", 100);
    while (repeated(relay) == 0) {
      await();
    }
    return relay;
  }

  private static double repeated(Relay relay) {
    return relay.status().counts().repeated();
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
