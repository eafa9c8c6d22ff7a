package dev.outbox.spring.boot.diagnostics;

import dev.outbox.spi.OutboxStore;
import dev.outbox.spring.boot.autoconfigure.ConditionalOnOutbox;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.Ordered;

/**
 * Logs what the starter does not make, because there are several stores and none is primary, and
 * the application has not made itself.
 */
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@AutoConfiguration(afterName = "dev.outbox.spring.boot.autoconfigure.OutboxAutoConfiguration")
@ConditionalOnOutbox
@Conditional(SeveralStoresAutoConfiguration.NoSingleStore.class)
public class SeveralStoresAutoConfiguration implements SmartInitializingSingleton {
  private static final Logger log = LoggerFactory.getLogger(SeveralStoresAutoConfiguration.class);

  private static final List<Part> PARTS =
      List.of(
          new Part("endpoint", "dev.outbox.spring.boot.actuate.OutboxEndpoint"),
          new Part("metrics", "dev.outbox.micrometer.OutboxMetrics"),
          new Part("console", "dev.outbox.console.OutboxConsole"));

  private final ListableBeanFactory beans;

  SeveralStoresAutoConfiguration(ListableBeanFactory beans) {
    this.beans = beans;
  }

  /** What shows an outbox, and the name of its class, which not every application can load. */
  private record Part(String name, String type) {}

  @Override
  public void afterSingletonsInstantiated() {
    Set<String> made =
        Stream.of(beans.getBeanDefinitionNames())
            .map(name -> beans.getType(name, false))
            .filter(Objects::nonNull)
            .map(Class::getName)
            .collect(Collectors.toSet());
    List<String> missing =
        PARTS.stream().filter(part -> !made.contains(part.type())).map(Part::name).toList();
    if (!missing.isEmpty()) {
      log.info(
          "the starter makes no {}, because no store of {} is primary: mark one as @Primary",
          String.join(", no ", missing),
          List.of(beans.getBeanNamesForType(OutboxStore.class, true, false)));
    }
  }

  /** None is the only one or the primary one. */
  static final class NoSingleStore extends NoneNestedConditions {
    NoSingleStore() {
      super(ConfigurationPhase.REGISTER_BEAN);
    }

    @ConditionalOnSingleCandidate(OutboxStore.class)
    static class Single {}
  }
}
