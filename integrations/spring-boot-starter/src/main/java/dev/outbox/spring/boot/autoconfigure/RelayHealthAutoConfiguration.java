package dev.outbox.spring.boot.autoconfigure;

import static java.util.Objects.requireNonNull;

import dev.outbox.spring.boot.RelayLifecycle;
import dev.outbox.spring.boot.actuate.Boot3HealthIndicator;
import dev.outbox.spring.boot.actuate.Boot4HealthIndicator;
import java.util.Collection;
import java.util.List;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.Ordered;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Each relay in {@code /actuator/health}. Spring Boot 4 has moved the classes. */
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@AutoConfiguration(after = RelayAutoConfiguration.class)
@Conditional(RelayHealthAutoConfiguration.OnAnyRelay.class)
public class RelayHealthAutoConfiguration {

  /** Spring Boot 3. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(
      name = {
        "org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator",
        "org.springframework.boot.actuate.health.HealthIndicator"
      })
  static class Boot3 {
    @Bean
    @ConditionalOnMissingBean(name = "outboxHealthIndicator")
    @org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator(
        "outbox")
    Boot3HealthIndicator outboxHealthIndicator(ListableBeanFactory beans) {
      return new Boot3HealthIndicator(() -> relays(beans));
    }
  }

  /** Spring Boot 4. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(
      name = {
        "org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator",
        "org.springframework.boot.health.contributor.HealthIndicator"
      })
  static class Boot4 {
    @Bean
    @ConditionalOnMissingBean(name = "outboxHealthIndicator")
    @org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator(
        "outbox")
    Boot4HealthIndicator outboxHealthIndicator(ListableBeanFactory beans) {
      return new Boot4HealthIndicator(() -> relays(beans));
    }
  }

  /** Also those of parent contexts, and those that are no default candidates. */
  private static Collection<RelayLifecycle> relays(ListableBeanFactory beans) {
    return BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, RelayLifecycle.class, false, true)
        .values();
  }

  /** There is a relay. {@code @ConditionalOnBean} overlooks one that is no default candidate. */
  static final class OnAnyRelay extends SpringBootCondition implements ConfigurationCondition {
    @Override
    public ConfigurationPhase getConfigurationPhase() {
      return ConfigurationPhase.REGISTER_BEAN;
    }

    @Override
    public ConditionOutcome getMatchOutcome(
        ConditionContext context, AnnotatedTypeMetadata metadata) {
      ListableBeanFactory beans = requireNonNull(context.getBeanFactory());
      String[] relays =
          BeanFactoryUtils.beanNamesForTypeIncludingAncestors(
              beans, RelayLifecycle.class, true, false);
      return new ConditionOutcome(relays.length > 0, "relays: " + List.of(relays));
    }
  }
}
