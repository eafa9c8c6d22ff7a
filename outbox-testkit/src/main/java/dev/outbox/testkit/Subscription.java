package dev.outbox.testkit;

import dev.outbox.testkit.internal.broker.ArrivalLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * A consumer group's place at a topic of an in-memory broker: polls, commits, hands back.
 *
 * <p>What was polled and neither committed nor handed back is in the consumer's hands; it comes
 * again after {@link #redeliver} and when the group subscribes again, as after the consumer's
 * crash.
 *
 * <p>Safe for use by many threads.
 *
 * <pre>{@code
 * Subscription billing = broker.subscribe("orders.placed", "billing");
 * for (Arrival arrival : billing.poll(10)) {
 *   if (arrival.text().isEmpty()) {
 *     billing.nack(arrival); // comes again
 *   }
 * }
 * billing.commit();
 * billing.redeliver(); // all since the last commit, as after a crash
 * System.out.println(billing.offset() + " read, " + billing.lag() + " left");
 * }</pre>
 */
public final class Subscription {
  private final ArrivalLog log;
  private final String topic;
  private final String group;
  private final Place place;
  private final int turn;

  /** How far a group is at a topic; kept by the broker. */
  static final class Place {
    private final TreeMap<Long, Arrival> inHands = new TreeMap<>();
    private final TreeMap<Long, Arrival> again = new TreeMap<>();
    private int next;
    private int turn;
    private int generation;

    /** Ends the subscription before, whose consumer is taken for dead. */
    private int takeOver() {
      takeBack();
      return ++turn;
    }

    private void takeBack() {
      again.putAll(inHands);
      inHands.clear();
    }

    /** Begins again with a log that was emptied. */
    private void follow(int present) {
      if (generation != present) {
        generation = present;
        inHands.clear();
        again.clear();
        next = 0;
      }
    }
  }

  Subscription(ArrivalLog log, String topic, String group, Place place) {
    this.log = log;
    this.topic = topic;
    this.group = group;
    this.place = place;
    synchronized (log) {
      place.follow(log.generation());
      this.turn = place.takeOver();
    }
  }

  /**
   * At most {@code most} arrivals: first those that come again, then new ones. Empty when there is
   * nothing.
   *
   * @throws IllegalStateException when the group has subscribed again since
   */
  public List<Arrival> poll(int most) {
    synchronized (log) {
      requireCurrent();
      List<Arrival> polled = new ArrayList<>();
      while (polled.size() < most && !place.again.isEmpty()) {
        polled.add(place.again.pollFirstEntry().getValue());
      }
      List<Arrival> fresh = log.of(topic, place.next);
      int some = Math.min(fresh.size(), most - polled.size());
      polled.addAll(fresh.subList(0, some));
      place.next += some;
      polled.forEach(arrival -> place.inHands.put(arrival.number(), arrival));
      return List.copyOf(polled);
    }
  }

  /** As {@link #poll(int)}, but waits for the first for as long as {@code timeout}. */
  public List<Arrival> poll(int most, Duration timeout) throws InterruptedException {
    log.await(this::hasMore, timeout);
    return poll(most);
  }

  private boolean hasMore() {
    synchronized (log) {
      requireCurrent();
      return !place.again.isEmpty() || !log.of(topic, place.next).isEmpty();
    }
  }

  /** Commits all that is in the consumer's hands: it never comes again. */
  public void commit() {
    synchronized (log) {
      requireCurrent();
      place.inHands.clear();
    }
  }

  /** Commits what is in the consumer's hands up to and with {@code last}. */
  public void commit(Arrival last) {
    synchronized (log) {
      requireCurrent();
      place.inHands.headMap(last.number(), true).clear();
    }
  }

  /** Hands one back: it comes again with the next poll. The others are not touched. */
  public void nack(Arrival arrival) {
    synchronized (log) {
      requireCurrent();
      if (place.inHands.remove(arrival.number()) != null) {
        place.again.put(arrival.number(), arrival);
        log.notifyAll();
      }
    }
  }

  /** Hands all back that is not committed, as a consumer does that starts again. */
  public void redeliver() {
    synchronized (log) {
      requireCurrent();
      place.takeBack();
      log.notifyAll();
    }
  }

  /** How many arrivals at the topic are not committed. */
  public int lag() {
    synchronized (log) {
      requireCurrent();
      return log.of(topic, place.next).size() + place.again.size() + place.inHands.size();
    }
  }

  /** How many arrivals at the topic lie before the first that is not committed. */
  public int offset() {
    synchronized (log) {
      requireCurrent();
      List<Arrival> all = log.of(topic, 0);
      int offset = 0;
      while (offset < place.next && !isOpen(all.get(offset))) {
        offset++;
      }
      return offset;
    }
  }

  private boolean isOpen(Arrival arrival) {
    return place.inHands.containsKey(arrival.number()) || place.again.containsKey(arrival.number());
  }

  private void requireCurrent() {
    if (turn != place.turn) {
      throw new IllegalStateException(
          "group %s has subscribed to %s again; this subscription is over".formatted(group, topic));
    }
    place.follow(log.generation());
  }

  /** The topic, the group and its lag. */
  @Override
  public String toString() {
    return "Subscription[%s by %s, lag %d]".formatted(topic, group, lag());
  }
}
