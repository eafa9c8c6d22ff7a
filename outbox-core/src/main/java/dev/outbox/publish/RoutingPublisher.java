package dev.outbox.publish;

import dev.outbox.message.Envelope;
import java.sql.Connection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Splits a flight by topic. */
final class RoutingPublisher implements Publisher {
  private final Map<String, Publisher> byTopic;
  private final boolean transactional;

  RoutingPublisher(Map<String, Publisher> byTopic) {
    if (byTopic.isEmpty()) {
      throw new IllegalArgumentException("route has no topics; name at least one");
    }
    this.byTopic = Map.copyOf(byTopic);
    this.transactional = byTopic.values().stream().anyMatch(Publisher::isTransactional);
    if (transactional && !byTopic.values().stream().allMatch(Publisher::isTransactional)) {
      throw new IllegalArgumentException(
          "route mixes transactional publishers with others; a relay is of one kind, so build two routes");
    }
  }

  @Override
  public void publish(Flight flight) {
    Map<String, List<Envelope>> parts = new LinkedHashMap<>();
    for (Envelope envelope : flight.envelopes()) {
      parts.computeIfAbsent(envelope.topic(), topic -> new ArrayList<>()).add(envelope);
    }
    parts.forEach((topic, envelopes) -> publish(new Part(flight, List.copyOf(envelopes)), topic));
  }

  private void publish(Flight part, String topic) {
    Publisher publisher = byTopic.get(topic);
    if (publisher == null) {
      answerAll(part, Ack.unavailable(new IllegalStateException(unknown(topic))));
      return;
    }
    try {
      publisher.publish(part);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      answerAll(part, Ack.failed(e));
    } catch (Exception e) {
      answerAll(part, Ack.of(e));
    }
  }

  /** Reaches those without an answer only: the engine ignores a second one. */
  private static void answerAll(Flight part, Ack ack) {
    part.envelopes().forEach(envelope -> part.ack(envelope, ack));
  }

  private String unknown(String topic) {
    return "no publisher for topic '%s'; the route knows %s"
        .formatted(topic, new TreeSet<>(byTopic.keySet()));
  }

  @Override
  public Ordering ordering() {
    boolean pipelined = byTopic.values().stream().allMatch(p -> p.ordering() == Ordering.PIPELINED);
    return pipelined ? Ordering.PIPELINED : Ordering.ONE_PER_KEY;
  }

  @Override
  public boolean isTransactional() {
    return transactional;
  }

  private record Part(Flight flight, List<Envelope> envelopes) implements Flight {
    @Override
    public Instant deadline() {
      return flight.deadline();
    }

    @Override
    public void ack(Envelope envelope, Ack ack) {
      flight.ack(envelope, ack);
    }

    @Override
    public Connection transaction() {
      return flight.transaction();
    }
  }
}
