package dev.outbox.testkit.internal.broker;

import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import dev.outbox.testkit.Arrival;
import dev.outbox.testkit.Overtaking;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Finds the first arrivals of a topic and key that came before one which should precede them. A
 * later arrival of the same id is a repeat and breaks no order.
 */
public final class OrderCheck {
  private OrderCheck() {}

  private record TopicAndKey(String topic, Key key) {}

  /** Each late one with the farthest that overtook it. */
  public static <T extends Comparable<T>> List<Overtaking> overtakings(
      List<Arrival> firstArrivals, Function<Arrival, T> position) {
    Map<TopicAndKey, Arrival> farthest = new HashMap<>();
    List<Overtaking> overtakings = new ArrayList<>();
    for (Arrival arrival : firstArrivals) {
      Key key = arrival.key();
      if (key != null) {
        TopicAndKey line = new TopicAndKey(arrival.topic(), key);
        Arrival early = farthest.putIfAbsent(line, arrival);
        if (early == null || position.apply(early).compareTo(position.apply(arrival)) <= 0) {
          farthest.put(line, arrival);
        } else {
          overtakings.add(new Overtaking(early, arrival));
        }
      }
    }
    return overtakings;
  }

  /** By the order in which ids were enqueued; arrivals of other ids are passed over. */
  public static List<Overtaking> overtakings(
      List<Arrival> firstArrivals, List<MessageId> enqueued) {
    Map<MessageId, Integer> places = new HashMap<>();
    enqueued.forEach(id -> places.putIfAbsent(id, places.size()));
    List<Arrival> known =
        firstArrivals.stream().filter(arrival -> places.containsKey(arrival.id())).toList();
    return overtakings(known, arrival -> places.getOrDefault(arrival.id(), 0));
  }
}
