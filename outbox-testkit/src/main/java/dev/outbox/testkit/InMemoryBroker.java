package dev.outbox.testkit;

import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Publisher;
import dev.outbox.testkit.internal.broker.ArrivalLog;
import dev.outbox.testkit.internal.broker.Availability;
import dev.outbox.testkit.internal.broker.DedupeWindow;
import dev.outbox.testkit.internal.broker.FaultScript;
import dev.outbox.testkit.internal.broker.OrderCheck;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A broker in memory: topics that keep what arrives, consumer groups that read it, and faults as
 * scripted or at random.
 *
 * <p>Safe for use by many threads. With a {@link SettableClock} it never waits in real time.
 */
public final class InMemoryBroker {
  private final ArrivalLog log;
  private final FaultScript script = new FaultScript();
  private final Availability availability;
  private final Map<List<String>, Subscription.Place> places = new ConcurrentHashMap<>();

  private InMemoryBroker(Builder builder) {
    this.log = new ArrivalLog(builder.clock, builder.window.emptied());
    this.availability = new Availability(builder.clock);
  }

  /** A broker with the builder's defaults. */
  public static InMemoryBroker create() {
    return builder().build();
  }

  /** A broker with a clock of the test's own. */
  public static InMemoryBroker withClock(InstantSource clock) {
    return builder().clock(clock).build();
  }

  /** Begins a broker with another clock or a dedupe window. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Publishes to this broker one envelope after the other, pipelined, each flight over its own
   * connection: what it rejects or refuses is answered as such.
   */
  public Publisher publisher() {
    return BrokerPublisher.blocking(this::link);
  }

  /**
   * Publishes to this broker on {@code executor}, one task for each envelope, without a promise of
   * order; each flight over its own connection.
   */
  public Publisher asyncPublisher(Executor executor) {
    return BrokerPublisher.async(this::link, executor);
  }

  private BrokerLink link() {
    return new BrokerLink(availability, script, log);
  }

  /**
   * Takes one envelope over its own connection; returning is the confirmation.
   *
   * @throws Exception when the broker is down or has a fault set
   */
  public void receive(Envelope envelope) throws Exception {
    link().send(envelope);
  }

  /** All arrivals, in order, repeats included. */
  public List<Arrival> messages() {
    return log.all();
  }

  /** The arrivals at {@code topic}, in order. */
  public List<Arrival> messages(String topic) {
    return log.of(topic, 0);
  }

  /** The arrivals at {@code topic} with {@code key}, in order. */
  public List<Arrival> messages(String topic, String key) {
    Key wanted = new Key(key);
    return messages(topic).stream().filter(arrival -> wanted.equals(arrival.key())).toList();
  }

  /** The payloads of {@link #messages(String, String)}, read as UTF-8. */
  public List<String> texts(String topic, String key) {
    return messages(topic, key).stream().map(Arrival::text).toList();
  }

  /** How many arrived, repeats included. */
  public int count() {
    return log.count();
  }

  /** How many repeats the dedupe window has dropped. */
  public int dropped() {
    return log.dropped();
  }

  /** The topics at which something arrived, in the order of their first arrival. */
  public Set<String> topics() {
    return log.topics();
  }

  /** The distinct ids, in the order of their first arrival. */
  public Set<MessageId> ids() {
    return log.ids();
  }

  /** The arrivals that a consumer would keep which drops every id it has seen. */
  public List<Arrival> firstArrivals() {
    return log.firstArrivals();
  }

  /** The ids that arrived more than once, with how often too often. */
  public Map<MessageId, Integer> repeats() {
    return log.repeats();
  }

  /**
   * What overtook what of the same topic and key, if they should have arrived in the order of
   * {@code enqueued}; others are passed over, and so are repeats and what has not arrived.
   */
  public List<Overtaking> overtakings(List<MessageId> enqueued) {
    return OrderCheck.overtakings(firstArrivals(), enqueued);
  }

  /**
   * What overtook what of the same topic and key, if they should have arrived in the order of a
   * number or text that they carry.
   */
  public <T extends Comparable<T>> List<Overtaking> overtakingsBy(Function<Arrival, T> position) {
    return OrderCheck.overtakings(firstArrivals(), position);
  }

  /**
   * Waits until {@code count} envelopes have arrived since the broker was created or cleared,
   * repeats included.
   *
   * @throws IllegalArgumentException when the count is below 1
   * @throws AssertionError when they have not within {@code timeout}
   */
  public void await(int count, Duration timeout) throws InterruptedException {
    log.await("envelopes", count, log::count, timeout);
  }

  /**
   * Waits until {@code count} distinct messages have arrived since the broker was created or
   * cleared.
   *
   * @throws IllegalArgumentException when the count is below 1
   * @throws AssertionError when they have not within {@code timeout}
   */
  public void awaitIds(int count, Duration timeout) throws InterruptedException {
    log.await("messages", count, log::idCount, timeout);
  }

  /**
   * A consumer of {@code topic} under the name of its group, from the group's first uncommitted
   * message on; a new group begins at the beginning. An earlier subscription of the group is over.
   */
  public Subscription subscribe(String topic, String group) {
    List<String> name = List.of(topic, group);
    return new Subscription(
        log, topic, group, places.computeIfAbsent(name, any -> new Subscription.Place()));
  }

  /** The next envelopes meet these faults, one each, in turn, after those that are waiting. */
  public void next(BrokerFault... faults) {
    script.next(Arrays.asList(faults));
  }

  /** The next {@code times} envelopes meet this fault, after those that are waiting. */
  public void next(int times, BrokerFault fault) {
    script.next(Collections.nCopies(times, fault));
  }

  /** Every envelope that {@code which} accepts meets this fault, until {@link #heal}. */
  public void when(Predicate<Envelope> which, BrokerFault fault) {
    script.when(which, fault);
  }

  /**
   * Every envelope meets at most one of these faults with its probability, until {@link #heal} or
   * another call. The seed repeats them if the envelopes come in the same order.
   *
   * @throws IllegalArgumentException when a probability is negative or their sum above 1
   */
  public void randomly(long seed, Map<BrokerFault, Double> probabilities) {
    script.randomly(seed, probabilities);
  }

  /** Refuses every envelope, as a broker that cannot be reached, until {@link #up}. */
  public void down() {
    availability.down();
  }

  /** Is {@link #down} and comes back after that time by its clock. */
  public void downFor(Duration time) {
    availability.downFor(time);
  }

  /** Ends {@link #down}. */
  public void up() {
    availability.up();
  }

  /** Fails the next {@code times} envelopes with {@code cause}. */
  public void failNext(int times, Exception cause) {
    next(times, BrokerFault.refuse(cause));
  }

  /** Fails every envelope that {@code which} accepts, with {@code cause}, until {@link #heal}. */
  public void fail(Predicate<Envelope> which, Exception cause) {
    when(which, BrokerFault.refuse(cause));
  }

  /** Rejects for good every envelope that {@code which} accepts, until {@link #heal}. */
  public void rejectIf(Predicate<Envelope> which, String reason) {
    when(which, BrokerFault.reject(reason));
  }

  /** Forgets all faults and is up. */
  public void heal() {
    script.clear();
    up();
  }

  /** Forgets what arrived, and how far its consumers are. Faults stay. */
  public void clear() {
    log.clear();
  }

  @Override
  public String toString() {
    return "InMemoryBroker[%d messages at %s]".formatted(count(), topics());
  }

  /**
   * A broker that is not built yet. Used by one thread. Defaults:
   *
   * <ul>
   *   <li>{@link #clock}: the system's
   *   <li>{@link #dedupe(int)}: no window, every repeat arrives
   * </ul>
   */
  public static final class Builder {
    private InstantSource clock = InstantSource.system();
    private DedupeWindow window = DedupeWindow.none();

    private Builder() {}

    /** Usually a {@link SettableClock}. Default: the system's clock. */
    public Builder clock(InstantSource clock) {
      this.clock = clock;
      return this;
    }

    /**
     * Confirms and drops what repeats one of the last {@code ids} message ids. Default: no window.
     *
     * @throws IllegalArgumentException when it is below 1
     */
    public Builder dedupe(int ids) {
      this.window = DedupeWindow.ofIds(ids);
      return this;
    }

    /**
     * Confirms and drops what repeats a message id that arrived less than {@code window} ago, by
     * the broker's clock. Default: no window.
     *
     * @throws IllegalArgumentException when it is not positive
     */
    public Builder dedupe(Duration window) {
      this.window = DedupeWindow.ofTime(window);
      return this;
    }

    public InMemoryBroker build() {
      return new InMemoryBroker(this);
    }
  }
}
