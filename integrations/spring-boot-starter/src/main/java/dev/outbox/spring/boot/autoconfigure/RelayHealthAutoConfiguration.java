package dev.outbox.spring.boot.autoconfigure;

import dev.outbox.spring.boot.RelayLifecycle;
import dev.outbox.spring.boot.actuate.Boot3HealthIndicator;
import dev.outbox.spring.boot.actuate.Boot4HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The relay in {@code /actuator/health}. Spring Boot 4 has moved the classes. */
@AutoConfiguration(after = RelayAutoConfiguration.class)
@ConditionalOnSingleCandidate(RelayLifecycle.class)
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
    Boot3HealthIndicator outboxHealthIndicator(RelayLifecycle lifecycle) {
      return new Boot3HealthIndicator(lifecycle);
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
    Boot4HealthIndicator outboxHealthIndicator(RelayLifecycle lifecycle) {
      return new Boot4HealthIndicator(lifecycle);
    }
  }
}
