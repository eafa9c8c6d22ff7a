package dev.outbox.spring.boot.relay;

import dev.outbox.publish.Publisher;
import dev.outbox.spring.boot.OutboxPublisher;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.HierarchicalBeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;

/** The publisher of the relay, made of all publisher beans. */
public final class Publishers {
  private Publishers() {}

  /**
   * The one bean, or a route of the beans that name their topics; empty without any.
   *
   * @throws IllegalStateException when it is not clear which bean has which topics
   */
  public static Optional<Publisher> of(ListableBeanFactory beans) {
    Map<String, Publisher> publishers = new LinkedHashMap<>();
    for (String name :
        BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, Publisher.class)) {
      if (!ScopedProxyUtils.isScopedTarget(name)) {
        publishers.put(name, beans.getBean(name, Publisher.class));
      }
    }
    Map<String, Publisher> byTopic = new LinkedHashMap<>();
    Map<String, Publisher> unmarked = new LinkedHashMap<>();
    publishers.forEach(
        (name, publisher) -> {
          OutboxPublisher mark = mark(beans, name);
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
          "publisher beans %s: say which topics %s is for, with @OutboxPublisher(\"topic\"), or choose a broker with outbox.broker"
              .formatted(publishers.keySet(), unmarked.keySet()));
    }
    return unmarked.values().stream().findFirst();
  }

  /** Seen by the factory that has the bean; behind a scoped proxy it is on the target. */
  private static @Nullable OutboxPublisher mark(ListableBeanFactory beans, String name) {
    if (beans instanceof HierarchicalBeanFactory own
        && !own.containsLocalBean(name)
        && own.getParentBeanFactory() instanceof ListableBeanFactory parent) {
      return mark(parent, name);
    }
    String target = ScopedProxyUtils.getTargetBeanName(name);
    return beans.findAnnotationOnBean(
        beans.containsBean(target) ? target : name, OutboxPublisher.class);
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
