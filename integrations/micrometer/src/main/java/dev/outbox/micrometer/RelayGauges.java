package dev.outbox.micrometer;

import dev.outbox.RelayStatus;
import dev.outbox.RelayStatus.Counts;
import dev.outbox.RelayStatus.Health;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * How the relays of this process stand, in one registry. Nothing here asks the database.
 *
 * <p>Safe for use by many threads.
 */
final class RelayGauges {
  private final MeterRegistry registry;
  private final Tags tags;
  private final Relays relays;
  private final Set<String> breakers = ConcurrentHashMap.newKeySet();

  RelayGauges(MeterRegistry registry, Tags tags, Relays relays) {
    this.registry = registry;
    this.tags = tags;
    this.relays = relays;
    for (Health health : Health.values()) {
      bindHealth(health);
    }
    gauge("outbox.lanes.owned", "Lanes of the relays here", each -> Relays.lanes(each).size());
    gauge("outbox.in.flight", "Messages read and not yet settled", RelayStatus::inMemory);
    gauge("outbox.publish.stuck", "Threads stuck in a publisher", RelayStatus::stuckThreads);
    seconds(
        "outbox.lease.age",
        "Since the oldest lease of the relays here was renewed",
        all -> all.longest(RelayStatus::leaseAge).orElse(Double.NaN));
    seconds(
        "outbox.store.down",
        "How long the database has not answered",
        all -> all.longest(RelayStatus::storeDownFor).orElse(0.0));
    bindRepeated();
  }

  private void bindHealth(Health health) {
    Gauge.builder("outbox.relay.health", relays, all -> all.count(health))
        .description("Relays here by their health")
        .tags(tags.and(Tag.of("health", health.name().toLowerCase(Locale.ROOT))))
        .register(registry);
  }

  private void bindRepeated() {
    FunctionCounter.builder(
            "outbox.repeated", relays, all -> all.sum(each -> repeated(each.counts())))
        .description("Messages delivered here whose lane another relay took, to deliver them again")
        .tags(tags)
        .register(registry);
  }

  private static double repeated(Counts counts) {
    return counts.repeated();
  }

  /** A topic was met: from now on it is told whether its breaker is open. */
  void met(String topic) {
    if (breakers.add(topic)) {
      Gauge.builder("outbox.breaker.open", relays, all -> all.sum(each -> isOpen(each, topic)))
          .description("Relays here for which the broker of a topic is down")
          .tags(tags.and(TopicTags.tag(topic)))
          .register(registry);
    }
  }

  private double isOpen(RelayStatus status, String topic) {
    Set<String> down = status.brokersDown().keySet();
    return topic.equals(TopicTags.OTHERS)
        ? down.stream().filter(each -> !breakers.contains(each)).count()
        : down.contains(topic) ? 1 : 0;
  }

  private void gauge(String name, String description, ToDoubleFunction<RelayStatus> value) {
    Gauge.builder(name, relays, all -> all.sum(value))
        .description(description)
        .tags(tags)
        .register(registry);
  }

  private void seconds(String name, String description, ToDoubleFunction<Relays> value) {
    TimeGauge.builder(name, relays, TimeUnit.SECONDS, value)
        .description(description)
        .tags(tags)
        .register(registry);
  }
}
