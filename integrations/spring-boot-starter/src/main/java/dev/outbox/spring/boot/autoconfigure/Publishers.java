package dev.outbox.spring.boot.autoconfigure;

import dev.outbox.publish.Publisher;
import dev.outbox.spring.boot.OutboxPublisher;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;

/** The publisher of the relay, made of all publisher beans. */
final class Publishers {
  private Publishers() {}

  /**
   * The one bean, or a route of the beans that name their topics; empty without any.
   *
   * @throws IllegalStateException when it is not clear which bean has which topics
   */
  static Optional<Publisher> of(ListableBeanFactory beans) {
    Map<String, Publisher> publishers = beans.getBeansOfType(Publisher.class);
    Map<String, Publisher> byTopic = new LinkedHashMap<>();
    Map<String, Publisher> unmarked = new LinkedHashMap<>();
    publishers.forEach(
        (name, publisher) -> {
          OutboxPublisher mark = beans.findAnnotationOnBean(name, OutboxPublisher.class);
          if (mark == null) {
            unmarked.put(name, publisher);
          } else {
            add(byTopic, name, publisher, mark);
          }
        });
    if (unmarked.isEmpty()) {
      return byTopic.isEmpty() ? Optional.empty() : Optional.of(Publisher.route(byTopic));
    }
    if (publishers.size() > 1) {
      throw new IllegalStateException(
          "publisher beans %s: say which topics %s is for by @OutboxPublisher(\"topic\"), or choose a broker by outbox.broker"
              .formatted(publishers.keySet(), unmarked.keySet()));
    }
    return unmarked.values().stream().findFirst();
  }

  private static void add(
      Map<String, Publisher> byTopic, String name, Publisher publisher, OutboxPublisher mark) {
    for (String topic : mark.value()) {
      @Nullable Publisher other = byTopic.putIfAbsent(topic, publisher);
      if (other != null) {
        throw new IllegalStateException(
            "publisher bean '%s' is marked @OutboxPublisher(\"%s\"), and so is another; a topic has one publisher"
                .formatted(name, topic));
      }
    }
  }
}
