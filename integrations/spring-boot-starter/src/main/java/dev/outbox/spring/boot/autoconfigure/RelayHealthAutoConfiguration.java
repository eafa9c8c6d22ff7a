package dev.outbox.spring.boot.autoconfigure;

import dev.outbox.spring.boot.RelayLifecycle;
import dev.outbox.spring.boot.actuate.Boot3HealthIndicator;
import dev.outbox.spring.boot.actuate.Boot4HealthIndicator;
import java.util.Collection;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Each relay in {@code /actuator/health}. Spring Boot 4 has moved the classes. */
@AutoConfiguration(after = RelayAutoConfiguration.class)
@ConditionalOnBean(RelayLifecycle.class)
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

  /** Also those that are no default candidates, as those of a second database. */
  private static Collection<RelayLifecycle> relays(ListableBeanFactory beans) {
    return beans.getBeansOfType(RelayLifecycle.class, false, true).values();
  }
}
