package dev.outbox.testkit;

import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import java.net.ConnectException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.Predicate;

/**
 * A broker in memory: it keeps what arrives, tells it back topic by topic and key by key, and fails
 * as it is told.
 *
 * <p>Safe for use by many threads.
 */
public final class InMemoryBroker {
  private final InstantSource clock;
  private final List<Arrival> arrivals = new ArrayList<>();
  private final List<BrokerFault> faults = new CopyOnWriteArrayList<>();
  private volatile boolean down;

  private InMemoryBroker(InstantSource clock) {
    this.clock = clock;
  }

  /** A broker with the system's clock. */
  public static InMemoryBroker create() {
    return withClock(InstantSource.system());
  }

  /** A broker with a clock of the test's own. */
  public static InMemoryBroker withClock(InstantSource clock) {
    return new InMemoryBroker(clock);
  }

  /**
   * Publishes to this broker one envelope after the other, pipelined: what it rejects or refuses is
   * told as such.
   */
  public Publisher publisher() {
    return Publisher.blocking(this::receive).classify(InMemoryBroker::ack);
  }

  /**
   * Publishes to this broker on {@code executor}, one task for each envelope, without a promise of
   * order.
   */
  public Publisher asyncPublisher(Executor executor) {
    return Publisher.async(envelope -> receiveOn(executor, envelope)).classify(InMemoryBroker::ack);
  }

  private CompletionStage<?> receiveOn(Executor executor, Envelope envelope) {
    CompletableFuture<Envelope> sent = new CompletableFuture<>();
    executor.execute(
        () -> {
          try {
            receive(envelope);
            sent.complete(envelope);
          } catch (Exception e) {
            sent.completeExceptionally(e);
          }
        });
    return sent;
  }

  private static Ack ack(Throwable cause) {
    return cause instanceof Refusal refusal ? Ack.rejected(refusal.reason) : Ack.of(cause);
  }

  /**
   * Takes one envelope, as a broker's client would send it: returning is the confirmation.
   *
   * @throws Exception when the broker is down or told to fail
   */
  public void receive(Envelope envelope) throws Exception {
    if (down) {
      throw new ConnectException("the in-memory broker is down");
    }
    for (BrokerFault fault : faults) {
      fault.beforeAccept(envelope);
    }
    accept(envelope);
    for (BrokerFault fault : faults) {
      fault.afterAccept(envelope);
    }
  }

  private synchronized void accept(Envelope envelope) {
    arrivals.add(new Arrival(arrivals.size() + 1L, clock.instant(), envelope));
    notifyAll();
  }

  /** All arrivals, in order, repeats included. */
  public synchronized List<Arrival> messages() {
    return List.copyOf(arrivals);
  }

  /** The arrivals at {@code topic}, in order. */
  public List<Arrival> messages(String topic) {
    return messages().stream().filter(arrival -> arrival.topic().equals(topic)).toList();
  }

  /** The arrivals at {@code topic} with {@code key}, in order. */
  public List<Arrival> messages(String topic, String key) {
    return messages().stream().filter(arrival -> arrival.isOf(topic, key)).toList();
  }

  /** The payloads of {@link #messages(String, String)}, read as UTF-8. */
  public List<String> texts(String topic, String key) {
    return messages(topic, key).stream().map(Arrival::text).toList();
  }

  /** How many arrived, repeats included. */
  public synchronized int count() {
    return arrivals.size();
  }

  /** The topics at which something arrived, in the order of their first arrival. */
  public Set<String> topics() {
    Set<String> topics = new LinkedHashSet<>();
    messages().forEach(arrival -> topics.add(arrival.topic()));
    return topics;
  }

  /** The distinct ids, in the order of their first arrival. */
  public Set<MessageId> ids() {
    Set<MessageId> ids = new LinkedHashSet<>();
    messages().forEach(arrival -> ids.add(arrival.id()));
    return ids;
  }

  /** The arrivals that a consumer would keep which drops every id it has seen. */
  public List<Arrival> firstArrivals() {
    Set<MessageId> seen = new LinkedHashSet<>();
    return messages().stream().filter(arrival -> seen.add(arrival.id())).toList();
  }

  /** The ids that arrived more than once, with how often too often. */
  public Map<MessageId, Integer> repeats() {
    Map<MessageId, Integer> repeats = new LinkedHashMap<>();
    messages().forEach(arrival -> repeats.merge(arrival.id(), 1, Integer::sum));
    repeats.replaceAll((id, times) -> times - 1);
    repeats.values().removeIf(extra -> extra == 0);
    return repeats;
  }

  /**
   * Waits until {@code count} envelopes have arrived, repeats included.
   *
   * @throws AssertionError when they have not within {@code timeout}
   */
  public void await(int count, Duration timeout) throws InterruptedException {
    await("envelopes", count, this::count, timeout);
  }

  /**
   * Waits until {@code count} distinct messages have arrived.
   *
   * @throws AssertionError when they have not within {@code timeout}
   */
  public void awaitIds(int count, Duration timeout) throws InterruptedException {
    await("messages", count, () -> ids().size(), timeout);
  }

  private synchronized void await(String what, int count, IntSupplier arrived, Duration timeout)
      throws InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (arrived.getAsInt() < count) {
      long left = (deadline - System.nanoTime() + 999_999) / 1_000_000;
      if (left <= 0) {
        throw new AssertionError(
            "%d of %d %s arrived within %s".formatted(arrived.getAsInt(), count, what, timeout));
      }
      wait(left);
    }
  }

  /** Refuses every envelope, as a broker that cannot be reached, until {@link #up}. */
  public void down() {
    down = true;
  }

  /** Ends {@link #down}. */
  public void up() {
    down = false;
  }

  /** Fails the next {@code times} envelopes with {@code cause}. */
  public void failNext(int times, Exception cause) {
    AtomicInteger left = new AtomicInteger(times);
    fail(envelope -> left.getAndUpdate(count -> Math.max(0, count - 1)) > 0, cause);
  }

  /** Fails every envelope that {@code which} accepts, with {@code cause}, until {@link #heal}. */
  public void fail(Predicate<Envelope> which, Exception cause) {
    faults.add(
        envelope -> {
          if (which.test(envelope)) {
            throw cause;
          }
        });
  }

  /** Rejects for good every envelope that {@code which} accepts, until {@link #heal}. */
  public void rejectIf(Predicate<Envelope> which, String reason) {
    fail(which, new Refusal(reason));
  }

  /** Forgets all scripted faults and is up. */
  public void heal() {
    faults.clear();
    up();
  }

  /** Forgets what arrived. Faults stay. */
  public synchronized void clear() {
    arrivals.clear();
  }

  /** How much arrived, and where. */
  @Override
  public String toString() {
    return "InMemoryBroker[%d messages at %s]".formatted(count(), topics());
  }

  /** How a send says that its envelope can never be delivered. */
  private static final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;

    private final String reason;

    private Refusal(String reason) {
      super(reason);
      this.reason = reason;
    }
  }
}
