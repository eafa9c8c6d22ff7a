package dev.outbox.testkit.internal.broker;

import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import dev.outbox.testkit.Arrival;
import dev.outbox.testkit.internal.tables.Monitor;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/**
 * What has arrived at an in-memory broker, in order, and who waits for more.
 *
 * <p>Safe for use by many threads.
 */
/*
 * An arrival that is held back lands behind the next one of another key or topic. It was confirmed, so it may never be
 * found missing: it lands before one of its own key, and at each look.
 */
public final class ArrivalLog {
  private final InstantSource clock;
  private final List<Arrival> arrivals = new ArrayList<>();
  private final Map<String, List<Arrival>> topics = new LinkedHashMap<>();
  private final Set<MessageId> ids = new LinkedHashSet<>();
  private final List<Envelope> heldBack = new ArrayList<>();
  private DedupeWindow window;
  private int dropped;
  private int generation;

  public ArrivalLog(InstantSource clock, DedupeWindow window) {
    this.clock = clock;
    this.window = window;
  }

  public synchronized void accept(Envelope envelope, boolean holdBack) {
    if (!window.add(envelope.id(), clock.instant())) {
      dropped++;
      return;
    }
    landThoseBefore(envelope);
    if (holdBack) {
      heldBack.add(envelope);
    } else {
      land(envelope);
      landAll();
    }
    notifyAll();
  }

  private void landThoseBefore(Envelope envelope) {
    List<Envelope> before = heldBack.stream().filter(held -> areOfOneKey(held, envelope)).toList();
    before.forEach(this::land);
    heldBack.removeAll(before);
  }

  private static boolean areOfOneKey(Envelope held, Envelope envelope) {
    return held.topic().equals(envelope.topic())
        && held.key() != null
        && Objects.equals(held.key(), envelope.key());
  }

  private void landAll() {
    heldBack.forEach(this::land);
    heldBack.clear();
  }

  private void land(Envelope envelope) {
    Arrival arrival = new Arrival(arrivals.size() + 1L, clock.instant(), envelope);
    arrivals.add(arrival);
    topics.computeIfAbsent(envelope.topic(), topic -> new ArrayList<>()).add(arrival);
    ids.add(envelope.id());
  }

  public synchronized List<Arrival> all() {
    landAll();
    return List.copyOf(arrivals);
  }

  /** The arrivals at {@code topic} from place {@code offset} on. */
  public synchronized List<Arrival> of(String topic, int offset) {
    landAll();
    List<Arrival> some = topics.getOrDefault(topic, List.of());
    return List.copyOf(some.subList(Math.min(offset, some.size()), some.size()));
  }

  /** The first arrival of each id. */
  public List<Arrival> firstArrivals() {
    Set<MessageId> seen = new LinkedHashSet<>();
    return all().stream().filter(arrival -> seen.add(arrival.id())).toList();
  }

  /** How often too often the ids arrived that did. */
  public Map<MessageId, Integer> repeats() {
    Map<MessageId, Integer> repeats = new LinkedHashMap<>();
    all().forEach(arrival -> repeats.merge(arrival.id(), 1, Integer::sum));
    repeats.replaceAll((id, times) -> times - 1);
    repeats.values().removeIf(extra -> extra == 0);
    return repeats;
  }

  public synchronized int count() {
    landAll();
    return arrivals.size();
  }

  public synchronized Set<String> topics() {
    landAll();
    return new LinkedHashSet<>(topics.keySet());
  }

  public synchronized Set<MessageId> ids() {
    landAll();
    return new LinkedHashSet<>(ids);
  }

  public synchronized int idCount() {
    landAll();
    return ids.size();
  }

  public synchronized int dropped() {
    return dropped;
  }

  /** Grows whenever the log is emptied. */
  public synchronized int generation() {
    return generation;
  }

  public synchronized void clear() {
    arrivals.clear();
    topics.clear();
    ids.clear();
    heldBack.clear();
    window = window.emptied();
    dropped = 0;
    generation++;
  }

  /**
   * Refuses to wait for nothing, which would return at once.
   *
   * @throws IllegalArgumentException when {@code count} is below 1
   */
  public static void requireSome(int count) {
    if (count < 1) {
      throw new IllegalArgumentException(
          "count is %d, the minimum is 1; for none, use assertThat(broker).hasReceivedNothing()"
              .formatted(count));
    }
  }

  /** Waits until that many have arrived; an error says how many of {@code what} were missing. */
  public void await(String what, int count, IntSupplier arrived, Duration timeout)
      throws InterruptedException {
    requireSome(count);
    if (!await(() -> arrived.getAsInt() >= count, timeout)) {
      throw new AssertionError(
          "%d of %d %s arrived within %s".formatted(arrived.getAsInt(), count, what, timeout));
    }
  }

  /** Waits until {@code reached}. False when it is not within {@code timeout}. */
  public boolean await(BooleanSupplier reached, Duration timeout) throws InterruptedException {
    return Monitor.await(this, reached, timeout);
  }
}
