package dev.outbox.micrometer;

import dev.outbox.DeadLetter;
import dev.outbox.Relay;
import dev.outbox.message.EnqueueObserver;
import dev.outbox.message.Envelope;
import dev.outbox.micrometer.Sampler.SamplePlan;
import dev.outbox.publish.Ack;
import dev.outbox.publish.RelayListener;
import dev.outbox.publish.SendObserver;
import dev.outbox.spi.OutboxStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The meters of one store: it listens to the outbox, to the sends and to the relays of this
 * process, and one process of all looks at the tables once in an interval.
 *
 * <p>Safe for use by many threads. Bind it before the relay starts: what happens before is not
 * counted.
 */
public final class OutboxMetrics
    implements MeterBinder, EnqueueObserver, SendObserver, RelayListener, AutoCloseable {
  private final Tags tags;
  private final TopicTags topics;
  private final Relays relays = new Relays();
  private final Sampler sampler;
  private final List<EventMeters> events = new CopyOnWriteArrayList<>();
  private final List<RelayGauges> relayGauges = new CopyOnWriteArrayList<>();
  private final Set<MeterRegistry> bound = ConcurrentHashMap.newKeySet();
  private final Scope answers = new Answers();

  private OutboxMetrics(Builder builder) {
    this.tags = builder.tags;
    this.topics = new TopicTags(builder.topics);
    this.sampler =
        new Sampler(
            builder.store, relays, new SamplePlan(builder.interval, builder.bound, builder.always));
  }

  /** Meters with every setting at its default. */
  public static OutboxMetrics create(OutboxStore store) {
    return builder(store).build();
  }

  public static Builder builder(OutboxStore store) {
    return new Builder(store);
  }

  /**
   * Registers the meters, and begins to look at the tables. Gauges take the place of those that
   * other meters with these tags have left in the registry. A second call with the same registry
   * changes nothing: Spring Boot binds every bean that can be bound, also one that was bound by
   * hand.
   */
  @Override
  public void bindTo(MeterRegistry registry) {
    if (!bound.add(registry)) {
      return;
    }
    Gauges gauges = new Gauges(registry, tags);
    new StoreGauges(gauges, sampler, topics);
    relayGauges.add(new RelayGauges(gauges, relays));
    events.add(new EventMeters(registry, tags, topics));
    sampler.start();
  }

  /**
   * Tells how this relay stands, beside those that are watched already and were not closed; looks
   * at the tables again, if this was closed with one that was.
   */
  public void watch(Relay relay) {
    Objects.requireNonNull(relay, "relay");
    watch(() -> Optional.of(relay));
  }

  /** As {@link #watch(Relay)}, for the relay that {@code relay} says runs now, if one does. */
  public void watch(Supplier<Optional<Relay>> relay) {
    relays.watch(Objects.requireNonNull(relay, "relay"));
    if (!bound.isEmpty()) {
      sampler.start();
    }
  }

  /** Looks at the tables no more, until another relay is watched. The meters stay registered. */
  @Override
  public void close() {
    sampler.close();
  }

  Sampler sampler() {
    return sampler;
  }

  private void each(Consumer<EventMeters> happened) {
    events.forEach(happened);
  }

  @Override
  public void written(List<Envelope> envelopes) {
    each(meters -> meters.enqueued(envelopes));
  }

  @Override
  public Scope sending(List<Envelope> envelopes) {
    return answers;
  }

  private final class Answers implements Scope {
    @Override
    public void answered(Envelope envelope, Ack ack) {
      if (ack instanceof Ack.Delivered) {
        envelope
            .id()
            .madeAt()
            .ifPresent(made -> acknowledged(envelope.topic(), made.toEpochMilli()));
      }
    }

    @Override
    public void close() {}
  }

  /** Clocks of two machines may differ: nothing is delivered before it was written. */
  private void acknowledged(String topic, long enqueuedAt) {
    Duration delay = Duration.ofMillis(Math.max(0, System.currentTimeMillis() - enqueuedAt));
    each(meters -> meters.acknowledged(topic, delay));
  }

  @Override
  public void publishing(String topic, int count) {
    String named = topics.of(topic);
    relayGauges.forEach(each -> each.met(named));
  }

  @Override
  public void published(Published published) {
    each(meters -> meters.published(published));
  }

  @Override
  public void failed(Envelope envelope, int attempt, Duration rest, String error) {
    each(meters -> meters.retried(envelope.topic()));
  }

  @Override
  public void brokerDown(String topic) {
    each(meters -> meters.brokerDown(topic));
  }

  @Override
  public void settled(Settled settled) {
    each(meters -> meters.settled(settled));
  }

  @Override
  public void deadLettered(Envelope envelope, DeadLetter.Reason reason, String error) {
    each(meters -> meters.died(envelope.topic(), reason));
  }

  @Override
  public void foundLate(int lane, int count) {
    each(meters -> meters.foundLate(count));
  }

  @Override
  public void claimed(Set<Integer> lanes) {
    each(meters -> meters.claimed(lanes.size()));
  }

  @Override
  public void fenced(int lane) {
    each(EventMeters::fenced);
  }

  @Override
  public void storeFailed(Throwable cause, Duration rest) {
    each(EventMeters::storeFailed);
  }

  @Override
  public void ignoredAnswers(int count) {
    each(meters -> meters.ignoredAnswers(count));
  }

  @Override
  public void tookOver(int cluster, int count) {
    each(meters -> meters.tookOver(count));
  }

  /**
   * Settings of the meters.
   *
   * <ul>
   *   <li>{@link #interval}: 1 minute
   *   <li>{@link #bound}: 10,000
   *   <li>{@link #topics}: 100
   *   <li>{@link #tag}: none
   *   <li>{@link #always}: only the process whose relay owns the first lane
   * </ul>
   *
   * <p>Used by one thread.
   */
  public static final class Builder {
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    private final OutboxStore store;
    private Duration interval = Duration.ofMinutes(1);
    private long bound = 10_000;
    private int topics = 100;
    private Tags tags = Tags.empty();
    private boolean always;

    private Builder(OutboxStore store) {
      this.store = Objects.requireNonNull(store, "store");
    }

    /**
     * How long between two looks at the tables. Default: 1 minute.
     *
     * @throws IllegalArgumentException when it is shorter than a second
     */
    public Builder interval(Duration interval) {
      if (interval.compareTo(SHORTEST) < 0) {
        throw new IllegalArgumentException(
            "interval is %s, the minimum is %s: each look costs the database a few statements"
                .formatted(interval, SHORTEST));
      }
      this.interval = interval;
      return this;
    }

    /**
     * How far a look counts in each table: a gauge that stands at it means so many or more.
     * Default: 10,000.
     *
     * @throws IllegalArgumentException when it is below 1
     */
    public Builder bound(long bound) {
      this.bound = atLeastOne("bound", bound);
      return this;
    }

    /**
     * The most topics that are named in meters; all others are counted together under {@code
     * (others)}. Default: 100.
     *
     * @throws IllegalArgumentException when it is below 1
     */
    public Builder topics(int most) {
      this.topics = (int) atLeastOne("topics", most);
      return this;
    }

    /** A tag of every meter, as to tell two stores of a process apart. Default: none. */
    public Builder tag(String key, String value) {
      this.tags =
          tags.and(Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value"));
      return this;
    }

    /**
     * Looks at the tables here whoever else does: for a process without a relay. Default: the
     * process looks whose relay owns the first lane.
     */
    public Builder always() {
      this.always = true;
      return this;
    }

    public OutboxMetrics build() {
      return new OutboxMetrics(this);
    }

    private static long atLeastOne(String name, long value) {
      if (value < 1) {
        throw new IllegalArgumentException(name + " is " + value + ", the minimum is 1");
      }
      return value;
    }
  }
}
