package dev.outbox.internal.publish;

import dev.outbox.internal.text.StorableText;
import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.publish.Ack;
import dev.outbox.publish.BrokerGuarantees;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Publisher.Ordering;
import dev.outbox.publish.Resolver;
import dev.outbox.publish.SendObserver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Splits a flight by topic. */
public final class RoutingPublisher implements Publisher {
  private final Map<String, Publisher> byTopic;
  private final boolean transactional;

  public RoutingPublisher(Map<String, Publisher> byTopic) {
    if (Objects.requireNonNull(byTopic, "byTopic").isEmpty()) {
      throw new IllegalArgumentException("route has no topics; name at least one");
    }
    byTopic.forEach(
        (topic, publisher) -> {
          StorableText.checkName("topic", topic, Message.MAX_TOPIC_LENGTH);
          Objects.requireNonNull(publisher, () -> "publisher of topic '%s'".formatted(topic));
        });
    this.byTopic =
        byTopic.entrySet().stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    Map.Entry::getKey, entry -> guarding(entry.getValue())));
    this.transactional = byTopic.values().stream().anyMatch(Publisher::isTransactional);
    if (transactional && !byTopic.values().stream().allMatch(Publisher::isTransactional)) {
      throw new IllegalArgumentException(
          "route mixes transactional publishers with others; a relay is of one kind, so build two routes");
    }
  }

  /** The publisher, or one that keeps references away from it when it cannot load them. */
  private static Publisher guarding(Publisher publisher) {
    return publisher.resolvesReferences() ? publisher : publisher.resolving(Resolver.none());
  }

  @Override
  public void publish(Flight flight) throws Exception {
    Map<String, List<Envelope>> parts = new LinkedHashMap<>();
    for (Envelope envelope : flight.envelopes()) {
      parts.computeIfAbsent(envelope.topic(), topic -> new ArrayList<>()).add(envelope);
    }
    for (Map.Entry<String, List<Envelope>> part : parts.entrySet()) {
      publish(flight, part.getKey(), part.getValue());
    }
  }

  private void publish(Flight flight, String topic, List<Envelope> envelopes) throws Exception {
    SubFlight part = new SubFlight(flight, envelopes, (envelope, ack) -> ack);
    Publisher publisher = byTopic.get(topic);
    if (publisher == null) {
      part.answerOpen(Ack.unavailable(new IllegalStateException(unknown(topic))));
    } else {
      part.handTo(publisher);
    }
  }

  /** Every part for itself, so that a topic without a publisher stays Unavailable. */
  @Override
  public Publisher classify(Function<Throwable, Ack> classifier) {
    return withParts(publisher -> publisher.classify(classifier));
  }

  @Override
  public Publisher observed(SendObserver observer) {
    return withParts(publisher -> publisher.observed(observer));
  }

  private Publisher withParts(UnaryOperator<Publisher> change) {
    Map<String, Publisher> changed = new HashMap<>();
    byTopic.forEach((topic, publisher) -> changed.put(topic, change.apply(publisher)));
    return new RoutingPublisher(changed);
  }

  private String unknown(String topic) {
    return "no publisher for topic '%s'; add it to the route, which knows %s"
        .formatted(topic, new TreeSet<>(byTopic.keySet()));
  }

  @Override
  public Ack unanswered(Envelope envelope, TimeoutException silence) {
    Publisher publisher = byTopic.get(envelope.topic());
    return publisher == null ? Ack.failed(silence) : publisher.unanswered(envelope, silence);
  }

  @Override
  public Ordering ordering() {
    boolean pipelined = byTopic.values().stream().allMatch(p -> p.ordering() == Ordering.PIPELINED);
    return pipelined ? Ordering.PIPELINED : Ordering.ONE_PER_KEY;
  }

  /** The weakest of its parts. */
  @Override
  public BrokerGuarantees brokerGuarantees() {
    return byTopic.values().stream()
        .map(Publisher::brokerGuarantees)
        .reduce(BrokerGuarantees::weakest)
        .orElse(BrokerGuarantees.nothing());
  }

  @Override
  public boolean isTransactional() {
    return transactional;
  }

  /** Each part for itself. */
  @Override
  public boolean resolvesReferences() {
    return true;
  }
}
