package dev.outbox.spring.boot.relay;

import dev.outbox.publish.Publisher;
import dev.outbox.spring.boot.OutboxPublisher;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.HierarchicalBeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;

/** The publisher of the relay, made of all publisher beans. */
public final class Publishers {
  private Publishers() {}

  /**
   * The one bean, or a route of the beans that name their topics; empty without any.
   *
   * @throws IllegalStateException when it is not clear which bean has which topics
   */
  public static Optional<Publisher> of(ListableBeanFactory beans) {
    Map<String, Publisher> byTopic = new LinkedHashMap<>();
    Map<String, Publisher> unmarked = new LinkedHashMap<>();
    List<String> all = new ArrayList<>();
    for (String name :
        BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, Publisher.class)) {
      ListableBeanFactory owner = owner(beans, name);
      OutboxPublisher mark = mark(owner, name);
      if (ScopedProxyUtils.isScopedTarget(name) || (mark == null && !isCandidate(owner, name))) {
        continue;
      }
      all.add(name);
      Publisher publisher = beans.getBean(name, Publisher.class);
      if (mark == null) {
        unmarked.put(name, publisher);
      } else {
        add(byTopic, name, publisher, mark);
      }
    }
    if (unmarked.isEmpty()) {
      return byTopic.isEmpty() ? Optional.empty() : Optional.of(Publisher.route(byTopic));
    }
    if (all.size() > 1) {
      throw new IllegalStateException(
          "publisher beans %s: say which topics %s is for, with @OutboxPublisher(\"topic\"), or choose a broker with outbox.broker"
              .formatted(all, unmarked.keySet()));
    }
    return unmarked.values().stream().findFirst();
  }

  /** The factory that has the bean. */
  private static ListableBeanFactory owner(ListableBeanFactory beans, String name) {
    return beans instanceof HierarchicalBeanFactory own
            && !own.containsLocalBean(name)
            && own.getParentBeanFactory() instanceof ListableBeanFactory parent
        ? owner(parent, name)
        : beans;
  }

  /** Behind a scoped proxy it is on the target. */
  private static @Nullable OutboxPublisher mark(ListableBeanFactory owner, String name) {
    String target = ScopedProxyUtils.getTargetBeanName(name);
    return owner.findAnnotationOnBean(
        owner.containsBean(target) ? target : name, OutboxPublisher.class);
  }

  /** False of one that others name by a qualifier, as the relay of a second database does. */
  private static boolean isCandidate(ListableBeanFactory owner, String name) {
    if (!(owner instanceof ConfigurableListableBeanFactory defined)
        || !defined.containsBeanDefinition(name)) {
      return true;
    }
    BeanDefinition definition = defined.getMergedBeanDefinition(name);
    return definition.isAutowireCandidate()
        && (!(definition instanceof AbstractBeanDefinition made) || made.isDefaultCandidate());
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
