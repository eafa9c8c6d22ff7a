package dev.outbox.micrometer;

import dev.outbox.RelayStatus;
import dev.outbox.RelayStatus.Health;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

/**
 * How the relays of this process stand, in one registry. Nothing here asks the database.
 *
 * <p>Safe for use by many threads.
 */
final class RelayGauges {
  private final Gauges gauges;
  private final Relays relays;
  private final Set<String> breakers = ConcurrentHashMap.newKeySet();

  RelayGauges(Gauges gauges, Relays relays) {
    this.gauges = gauges;
    this.relays = relays;
    for (Health health : Health.values()) {
      bindHealth(health);
    }
    gauge("outbox.lanes.owned", "Lanes of the relays here", each -> Relays.lanes(each).size());
    gauge("outbox.in.flight", "Messages read and not yet settled", RelayStatus::inMemory);
    gauge("outbox.publish.stuck", "Threads stuck in a publisher", RelayStatus::stuckThreads);
    gauges.seconds(
        "outbox.lease.age",
        "Since the oldest lease of the relays here was renewed",
        relays,
        all -> all.longest(RelayStatus::leaseAge).orElse(Double.NaN));
    gauges.seconds(
        "outbox.store.down",
        "How long the database has not answered",
        relays,
        all -> all.longest(RelayStatus::storeDownFor).orElse(0.0));
    bindRepeated();
  }

  private void bindHealth(Health health) {
    gauges.number(
        "outbox.relay.health",
        "Relays here by their health",
        Tags.of("health", health.name().toLowerCase(Locale.ROOT)),
        relays,
        all -> all.count(health));
  }

  private void bindRepeated() {
    String name = "outbox.repeated";
    gauges.clear(name, gauges.tags(), Meter.Type.COUNTER);
    FunctionCounter.builder(name, relays, Relays::repeated)
        .description("Messages delivered here whose lane another relay took, to deliver them again")
        .tags(gauges.tags())
        .register(gauges.registry());
  }

  /** A topic was met: from now on it is told whether its breaker is open. */
  void met(String topic) {
    if (breakers.add(topic)) {
      Set<String> known = breakers;
      gauges.number(
          "outbox.breaker.open",
          "Relays here for which the broker of a topic is down",
          Tags.of(TopicTags.tag(topic)),
          relays,
          all -> all.sum(each -> open(each, topic, known)));
    }
  }

  private static double open(RelayStatus status, String topic, Set<String> known) {
    Set<String> down = status.brokersDown().keySet();
    return topic.equals(TopicTags.OTHERS)
        ? down.stream().filter(each -> !known.contains(each)).count()
        : down.contains(topic) ? 1 : 0;
  }

  private void gauge(String name, String description, ToDoubleFunction<RelayStatus> value) {
    gauges.number(name, description, Tags.empty(), relays, all -> all.sum(value));
  }
}
