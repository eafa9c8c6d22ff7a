package dev.outbox.micrometer;

import dev.outbox.DeadLetter;
import dev.outbox.message.Envelope;
import dev.outbox.publish.RelayListener.Outcome;
import dev.outbox.publish.RelayListener.Published;
import dev.outbox.publish.RelayListener.Settled;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * What happens, counted and timed in one registry.
 *
 * <p>Safe for use by many threads.
 */
final class EventMeters {
  private static final Duration[] PUBLISH_BUCKETS =
      millis(1, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000);
  private static final Duration[] DELAY_BUCKETS =
      millis(10, 25, 50, 100, 250, 500, 1_000, 5_000, 15_000, 60_000, 300_000, 3_600_000);

  private final MeterRegistry registry;
  private final Tags tags;
  private final TopicTags topics;
  private final Counter delivered;
  private final Counter missing;
  private final Counter claimed;
  private final Counter fenced;
  private final Counter storeFailures;
  private final Counter late;
  private final Counter ignoredAnswers;
  private final Counter takenOver;
  private final Map<String, Counter> enqueued = new ConcurrentHashMap<>();
  private final Map<Result, Counter> published = new ConcurrentHashMap<>();
  private final Map<String, Timer> publish = new ConcurrentHashMap<>();
  private final Map<String, Timer> delay = new ConcurrentHashMap<>();
  private final Map<String, Counter> retried = new ConcurrentHashMap<>();
  private final Map<String, Counter> outages = new ConcurrentHashMap<>();

  private record Result(String topic, Outcome outcome) {}

  EventMeters(MeterRegistry registry, Tags tags, TopicTags topics) {
    this.registry = registry;
    this.tags = tags;
    this.topics = topics;
    this.delivered = plain("outbox.delivered", "Messages whose delivery was written");
    this.missing =
        plain("outbox.missing", "Messages that were gone before their result was written");
    this.claimed = plain("outbox.lanes.claimed", "Lanes that a relay here leased");
    this.fenced = plain("outbox.lanes.fenced", "Lanes that another relay took from one here");
    this.storeFailures = plain("outbox.store.failures", "Calls that the database did not answer");
    this.late = plain("outbox.late", "Messages that were found below the floor of their lane");
    this.ignoredAnswers = plain("outbox.answers.ignored", "Answers that came late or twice");
    this.takenOver = plain("outbox.taken.over", "Messages of other clusters that were taken over");
  }

  void enqueued(List<Envelope> envelopes) {
    for (Envelope envelope : envelopes) {
      cached(enqueued, envelope.topic(), this::enqueuedOf).increment();
    }
  }

  private Counter enqueuedOf(String topic) {
    return byTopic("outbox.enqueued", "Messages that were written, rolled back or not", topic);
  }

  void published(Published sends) {
    String topic = topics.of(sends.topic());
    published
        .computeIfAbsent(new Result(topic, sends.outcome()), this::publishedOf)
        .increment(sends.count());
    if (sends.outcome() != Outcome.NOT_SENT) {
      publish.computeIfAbsent(topic, this::publishOf).record(sends.time());
    }
  }

  private Counter publishedOf(Result result) {
    return Counter.builder("outbox.published")
        .description("Messages that the publisher answered, by its answer")
        .tags(tags.and(TopicTags.tag(result.topic()), Tag.of("outcome", name(result.outcome()))))
        .register(registry);
  }

  private Timer publishOf(String topic) {
    return timer("outbox.publish", "From handing messages out to their last answer", topic)
        .serviceLevelObjectives(PUBLISH_BUCKETS)
        .register(registry);
  }

  void acknowledged(String topic, Duration sinceEnqueue) {
    cached(delay, topic, this::delayOf).record(sinceEnqueue);
  }

  private Timer delayOf(String topic) {
    return timer("outbox.delivery.delay", "From the enqueue of a message to its delivery", topic)
        .serviceLevelObjectives(DELAY_BUCKETS)
        .register(registry);
  }

  void retried(String topic) {
    cached(
            retried,
            topic,
            of -> byTopic("outbox.retried", "Failures after which a message is tried again", of))
        .increment();
  }

  void died(String topic, DeadLetter.Reason reason) {
    Counter.builder("outbox.died")
        .description("Messages that became dead letters")
        .tags(tags.and(TopicTags.tag(topics.of(topic)), Tag.of("reason", name(reason))))
        .register(registry)
        .increment();
  }

  void brokerDown(String topic) {
    cached(
            outages,
            topic,
            of -> byTopic("outbox.broker.outages", "How often the broker went down", of))
        .increment();
  }

  void settled(Settled settled) {
    delivered.increment(settled.delivered());
    missing.increment(settled.missing());
  }

  void claimed(int lanes) {
    claimed.increment(lanes);
  }

  void fenced() {
    fenced.increment();
  }

  void storeFailed() {
    storeFailures.increment();
  }

  void foundLate(int messages) {
    late.increment(messages);
  }

  void ignoredAnswers(int answers) {
    ignoredAnswers.increment(answers);
  }

  void tookOver(int messages) {
    takenOver.increment(messages);
  }

  private <M> M cached(Map<String, M> meters, String topic, Function<String, M> make) {
    M known = meters.get(topic);
    return known == null ? meters.computeIfAbsent(topics.of(topic), make) : known;
  }

  private Counter plain(String name, String description) {
    return Counter.builder(name).description(description).tags(tags).register(registry);
  }

  private Counter byTopic(String name, String description, String topic) {
    return Counter.builder(name)
        .description(description)
        .tags(tags.and(TopicTags.tag(topic)))
        .register(registry);
  }

  private Timer.Builder timer(String name, String description, String topic) {
    return Timer.builder(name).description(description).tags(tags.and(TopicTags.tag(topic)));
  }

  private static String name(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static Duration[] millis(long... millis) {
    Duration[] durations = new Duration[millis.length];
    for (int i = 0; i < millis.length; i++) {
      durations[i] = Duration.ofMillis(millis[i]);
    }
    return durations;
  }
}
