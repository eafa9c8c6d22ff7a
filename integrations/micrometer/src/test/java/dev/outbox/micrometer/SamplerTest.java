package dev.outbox.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Relay;
import dev.outbox.Snapshot;
import dev.outbox.Topics;
import dev.outbox.micrometer.Sampler.SamplePlan;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Database;
import dev.outbox.testkit.InMemoryStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.ConnectException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who looks at the tables, how often, and what is told of a look and of relays. */
class SamplerTest {
  private static final Publisher REFUSING =
      Publisher.batch(
          all -> all.stream().map(any -> Ack.unavailable(new ConnectException("no"))).toList());

  /** A process with a relay and meters of its own. */
  private static final class Node implements AutoCloseable {
    final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    final BlockingQueue<Snapshot> looks = new LinkedBlockingQueue<>();
    final OutboxMetrics metrics;
    final Relay relay;

    Node(Shop shop, String name) {
      metrics = OutboxMetrics.builder(shop.store).tag("outbox", "shop").build();
      metrics.bindTo(registry);
      metrics.sampler().onSample(looks::add); // after the gauges, which are there then
      relay =
          Relay.builder(shop.store, REFUSING.observed(metrics))
              .name(name)
              .lease(Duration.ofSeconds(2), Duration.ofMillis(500))
              .poll(Duration.ofMillis(250))
              .listener(metrics)
              .owns(metrics)
              .start();
      metrics.watch(relay);
    }

    Scrape scrape() {
      return Scrape.of(registry);
    }

    @Override
    public void close() {
      relay.close();
    }
  }

  private static Snapshot next(Node process) throws InterruptedException {
    Snapshot look = process.looks.poll(30, TimeUnit.SECONDS);
    assertThat(look).as("a look within 30 s").isNotNull();
    return look;
  }

  @ParameterizedTest
  @EnumSource(names = {"H2", "POSTGRES"})
  void what_waits_is_told_by_the_relay_that_owns_the_first_lane(Database database)
      throws Exception {
    try (Shop shop = Shop.on(database)) {
      shop.enqueue("orders", 3);
      shop.enqueue("mails", 1);
      try (Node process = new Node(shop, "a")) {
        next(process);

        Scrape scrape = process.scrape();
        double waiting = scrape.value("outbox_ready{outbox=\"shop\"}");
        double parked = scrape.value("outbox_parked{outbox=\"shop\"}");
        assertThat(waiting + parked).isEqualTo(4);
        assertThat(scrape.value("outbox_dead{outbox=\"shop\"}")).isZero();
        assertThat(scrape.value("outbox_delayed{outbox=\"shop\"}")).isZero();
        assertThat(scrape.value("outbox_relays{outbox=\"shop\"}")).isEqualTo(1);
        assertThat(scrape.value("outbox_lanes_free{outbox=\"shop\"}")).isZero();
        assertThat(scrape.value("outbox_sample_age_seconds{outbox=\"shop\"}")).isBetween(0.0, 30.0);
        assertThat(scrape.value("outbox_lanes_owned{outbox=\"shop\"}")).isEqualTo(32);
        assertThat(scrape.value("outbox_lease_age_seconds{outbox=\"shop\"}")).isBetween(0.0, 2.0);
        assertThat(
                scrape.value("outbox_topic_ready{outbox=\"shop\",topic=\"orders\"}")
                    + scrape.value("outbox_topic_parked{outbox=\"shop\",topic=\"orders\"}"))
            .isEqualTo(3);
      }
    }
  }

  @Test
  void the_breaker_of_a_topic_and_the_health_of_the_relay_are_told() {
    try (Shop shop = Shop.on(Database.H2);
        Node process = new Node(shop, "a")) {
      assertThat(process.scrape().value("outbox_relay_health{health=\"up\",outbox=\"shop\"}"))
          .isEqualTo(1);
      shop.enqueue("orders", 1);
      String breaker = "outbox_breaker_open{outbox=\"shop\",topic=\"orders\"}";
      while (!process.scrape().has(breaker) || process.scrape().value(breaker) == 0) {
        Thread.onSpinWait();
      }
      assertThat(process.scrape().value("outbox_relay_health{health=\"degraded\",outbox=\"shop\"}"))
          .isEqualTo(1);
      process.relay.close();
      while (process.scrape().value("outbox_relay_health{health=\"down\",outbox=\"shop\"}") == 0) {
        Thread.onSpinWait(); // a scrape may be half a second old
      }
      assertThat(process.scrape().value("outbox_lease_age_seconds{outbox=\"shop\"}")).isNaN();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"H2", "POSTGRES"})
  void of_two_processes_one_looks_and_the_other_takes_over_when_it_has_gone(Database database)
      throws Exception {
    try (Shop shop = Shop.on(database);
        Node first = new Node(shop, "a")) {
      next(first);
      try (Node second = new Node(shop, "b")) {
        while (first.relay.status().lanes().size() + second.relay.status().lanes().size() != 32
            || second.relay.status().lanes().isEmpty()) {
          Thread.onSpinWait();
        }
        List<Node> both = List.of(first, second);
        Node looking = first.relay.status().lanes().contains(0) ? first : second;
        Node idle = looking == first ? second : first;
        assertThat(both)
            .extracting(each -> each.relay.status().lanes().contains(0))
            .contains(false);
        idle.metrics.sampler().turn(System.nanoTime()); // it may have had the first lane before
        assertThat(idle.scrape().value("outbox_ready{outbox=\"shop\"}")).isNaN();
        idle.looks.clear();

        looking.close();

        assertThat(next(idle).relays()).isNotEmpty();
        assertThat(idle.scrape().value("outbox_ready{outbox=\"shop\"}")).isZero();
      }
    }
  }

  @Test
  void where_rows_are_claimed_the_relay_with_the_first_name_goes_on_looking() throws Exception {
    try (Shop shop = Shop.byRows(Database.H2);
        Node first = new Node(shop, "a");
        Node second = new Node(shop, "b")) {
      assertThat(next(first).relays()).isNotEmpty();
      while (shop.store.registry().live().size() < 2) {
        Thread.onSpinWait();
      }
      second.metrics.sampler().turn(System.nanoTime() + Duration.ofHours(1).toNanos());
      assertThat(second.scrape().value("outbox_ready{outbox=\"shop\"}")).isNaN();
    }
  }

  @Test
  void a_scrape_asks_the_database_nothing_and_a_turn_within_the_interval_neither()
      throws Exception {
    try (Shop shop = Shop.on(Database.H2);
        OutboxMetrics always = OutboxMetrics.builder(shop.store).always().build()) {
      BlockingQueue<Snapshot> looks = new LinkedBlockingQueue<>();
      always.sampler().onSample(looks::add);
      always.bindTo(shop.registry);
      assertThat(looks.poll(30, TimeUnit.SECONDS)).isNotNull();
      double before = shop.scrape().value("outbox_pool_wait_seconds_count");
      assertThat(before).isPositive();

      for (int i = 0; i < 100; i++) {
        shop.scrape();
        always.sampler().turn(System.nanoTime());
      }
      assertThat(shop.scrape().value("outbox_pool_wait_seconds_count")).isEqualTo(before);

      always.sampler().turn(System.nanoTime() + Duration.ofMinutes(1).toNanos());
      assertThat(shop.scrape().value("outbox_pool_wait_seconds_count")).isEqualTo(before + 1);
    }
  }

  @Test
  void a_paused_topic_is_told_though_nothing_of_it_waits_until_it_is_resumed() {
    try (Shop shop = Shop.on(Database.H2);
        OutboxMetrics always = OutboxMetrics.builder(shop.store).always().build()) {
      PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
      String mails = "outbox_topic_paused{topic=\"mails\"}";
      shop.enqueue("orders", 1);
      Topics topics = Topics.create(shop.store);
      topics.pause("mails");
      always.bindTo(registry);

      always.sampler().turn(System.nanoTime() + Duration.ofHours(1).toNanos());
      assertThat(Scrape.of(registry).value(mails)).isEqualTo(1);
      assertThat(Scrape.of(registry).value("outbox_topic_paused{topic=\"orders\"}")).isZero();

      topics.resume("mails");
      always.sampler().turn(System.nanoTime() + Duration.ofHours(2).toNanos());
      assertThat(Scrape.of(registry).value(mails)).isZero();
    }
  }

  @Test
  void while_the_database_does_not_answer_gauges_have_no_value_and_then_they_have_one_again()
      throws Exception {
    try (Shop shop = Shop.on(Database.H2);
        OutboxMetrics always = OutboxMetrics.builder(shop.store).always().build()) {
      always.bindTo(new SimpleMeterRegistry());
      PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
      always.bindTo(registry);
      always.sampler().turn(later(1));
      assertThat(Scrape.of(registry).value("outbox_ready")).isZero();

      shop.rename("outbox_dead", "outbox_gone");
      always.sampler().turn(later(2));
      assertThat(Scrape.of(registry).value("outbox_ready")).isNaN();

      shop.rename("outbox_gone", "outbox_dead");
      always.sampler().turn(later(3));
      assertThat(Scrape.of(registry).value("outbox_ready")).isZero();
    }
  }

  /** Else the gauges of a process that goes on would show for ever what was seen last. */
  @Test
  void a_look_that_ends_after_the_close_leaves_no_value() {
    AtomicBoolean asked = new AtomicBoolean();
    AtomicBoolean silent = new AtomicBoolean();
    InMemoryStore slow =
        InMemoryStore.builder()
            .clock(
                () -> {
                  asked.set(true);
                  while (silent.get()) { // no interrupt ends it, as with a driver
                    Thread.onSpinWait();
                  }
                  return Instant.now();
                })
            .build();
    asked.set(false);
    silent.set(true);
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    OutboxMetrics always = OutboxMetrics.builder(slow).always().build();
    always.bindTo(registry);
    while (!asked.get()) {
      Thread.onSpinWait();
    }

    always.close();
    silent.set(false);
    always.sampler().turn(System.nanoTime()); // waits for the look

    assertThat(Scrape.of(registry).value("outbox_ready")).isNaN();
  }

  @Test
  void a_start_that_finds_no_thread_is_made_up_for_by_the_next() throws Exception {
    BlockingQueue<Snapshot> looks = new LinkedBlockingQueue<>();
    AtomicBoolean crowded = new AtomicBoolean(true);
    SamplePlan always = new SamplePlan(Duration.ofMinutes(1), 10, true);
    try (Sampler sampler =
        new Sampler(
            InMemoryStore.create(),
            new Relays(),
            always,
            work -> crowded.get() ? unstartable(work) : new Thread(work))) {
      sampler.onSample(looks::add);
      assertThatThrownBy(sampler::start).isInstanceOf(OutOfMemoryError.class);

      crowded.set(false);
      sampler.start();

      assertThat(looks.poll(10, TimeUnit.SECONDS)).isNotNull();
    }
  }

  private static Thread unstartable(Runnable work) {
    return new Thread(work) {
      @Override
      public synchronized void start() {
        throw new OutOfMemoryError("unable to create native thread");
      }
    };
  }

  private static long later(int hours) {
    return System.nanoTime() + Duration.ofHours(hours).toNanos();
  }

  @Test
  void a_process_without_a_relay_does_not_look_unless_it_is_told_to() {
    try (Shop shop = Shop.on(Database.H2)) {
      shop.metrics.sampler().turn(later(1));
      assertThat(shop.scrape().value("outbox_ready")).isNaN();
      assertThat(shop.scrape().value("outbox_lanes_owned")).isZero();
    }
  }
}
