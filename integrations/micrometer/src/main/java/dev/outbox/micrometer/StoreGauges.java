package dev.outbox.micrometer;

import dev.outbox.Snapshot;
import dev.outbox.Snapshot.Depth;
import dev.outbox.micrometer.Sampler.Sample;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What was last seen in the tables, in one registry. Without a value in a process that does not
 * look.
 *
 * <p>Safe for use by many threads.
 */
final class StoreGauges {
  private final Gauges gauges;
  private final Sampler sampler;
  private final TopicTags topics;
  private final Set<String> seen = ConcurrentHashMap.newKeySet();

  StoreGauges(Gauges gauges, Sampler sampler, TopicTags topics) {
    this.gauges = gauges;
    this.sampler = sampler;
    this.topics = topics;
    count("outbox.ready", "Messages that wait", Snapshot::ready);
    count("outbox.parked", "Messages that wait after a failure or behind one", Snapshot::parked);
    count("outbox.delayed", "Messages that are not due yet", Snapshot::delayed);
    count("outbox.dead", "Dead letters", Snapshot::dead);
    count("outbox.relays", "Relays that live, of all processes", each -> each.relays().size());
    count("outbox.lanes.free", "Lanes that no relay owns", StoreGauges::freeLanes);
    age("outbox.ready.age", "Since the oldest ready message was written", Snapshot::oldestReady);
    age("outbox.due.age", "Since the oldest parked message fell due", Snapshot::oldestDue);
    gauges.seconds(
        "outbox.sample.age",
        "Since the tables were looked at",
        sampler,
        StoreGauges::secondsSinceLook);
    sampler.onSample(this::bindTopics);
  }

  private static long freeLanes(Snapshot snapshot) {
    return snapshot.lanes().stream().filter(lane -> lane.owner() == null).count();
  }

  private static double secondsSinceLook(Sampler sampler) {
    Sample sample = sampler.sample();
    return sample == null ? Double.NaN : Relays.seconds(sample.age());
  }

  private void count(String name, String description, ToLongFunction<Snapshot> count) {
    gauges.number(name, description, Tags.empty(), sampler, of(count::applyAsLong));
  }

  private void age(String name, String description, Function<Snapshot, @Nullable Duration> age) {
    gauges.seconds(name, description, sampler, of(snapshot -> seconds(age.apply(snapshot))));
  }

  private static double seconds(@Nullable Duration age) {
    return age == null ? 0 : Relays.seconds(age);
  }

  private static ToDoubleFunction<Sampler> of(ToDoubleFunction<Snapshot> value) {
    return sampler -> {
      Sample sample = sampler.sample();
      return sample == null ? Double.NaN : value.applyAsDouble(sample.snapshot());
    };
  }

  private void bindTopics(Snapshot snapshot) {
    Stream.concat(snapshot.topics().keySet().stream(), snapshot.pausedTopics().stream())
        .map(topics::of)
        .filter(seen::add)
        .forEach(this::bindTopic);
  }

  private void bindTopic(String topic) {
    depth("outbox.topic.ready", "Messages of a topic that wait", topic, Depth::ready);
    depth("outbox.topic.parked", "Parked messages of a topic", topic, Depth::parked);
    depth("outbox.topic.delayed", "Messages of a topic, not due yet", topic, Depth::delayed);
    depth("outbox.topic.dead", "Dead letters of a topic", topic, Depth::dead);
    TopicTags all = topics;
    byTopic(
        "outbox.topic.paused",
        "1 while a topic is paused",
        topic,
        snapshot -> paused(snapshot, topic, all));
  }

  private static double paused(Snapshot snapshot, String topic, TopicTags topics) {
    return snapshot.pausedTopics().stream().filter(each -> topics.of(each).equals(topic)).count();
  }

  private void depth(String name, String description, String topic, ToLongFunction<Depth> count) {
    TopicTags all = topics;
    byTopic(name, description, topic, snapshot -> depth(snapshot, topic, count, all));
  }

  /** The value knows nothing of this object, so that a registry does not keep its sampler. */
  private void byTopic(
      String name, String description, String topic, ToDoubleFunction<Snapshot> value) {
    gauges.number(name, description, Tags.of(TopicTags.tag(topic)), sampler, of(value));
  }

  /** A look may have seen 40,000 topics, and each of 100 that are named has four gauges. */
  private static double depth(
      Snapshot snapshot, String topic, ToLongFunction<Depth> count, TopicTags topics) {
    if (!topic.equals(TopicTags.OTHERS)) {
      Depth depth = snapshot.topics().get(topic);
      return depth == null ? 0 : count.applyAsLong(depth);
    }
    return snapshot.topics().entrySet().stream()
        .filter(each -> topics.of(each.getKey()).equals(topic))
        .mapToLong(each -> count.applyAsLong(each.getValue()))
        .sum();
  }
}
