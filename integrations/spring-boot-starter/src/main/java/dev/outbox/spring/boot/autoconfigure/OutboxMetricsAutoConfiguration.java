package dev.outbox.spring.boot.autoconfigure;

import dev.outbox.Relay;
import dev.outbox.micrometer.OutboxMetrics;
import dev.outbox.spi.OutboxStore;
import dev.outbox.spring.boot.OutboxCustomizer;
import dev.outbox.spring.boot.OutboxProperties;
import dev.outbox.spring.boot.RelayLifecycle;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/** The outbox in Micrometer, where the actuator has a registry. Spring Boot binds the meters. */
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@AutoConfiguration(
    after = OutboxAutoConfiguration.class,
    before = RelayAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
    })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnOutbox
@ConditionalOnBean(MeterRegistry.class)
@ConditionalOnSingleCandidate(OutboxStore.class)
@ConditionalOnProperty(name = "outbox.metrics.enabled", matchIfMissing = true)
public class OutboxMetricsAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean
  OutboxMetrics outboxMetrics(
      OutboxStore store,
      OutboxProperties properties,
      ObjectProvider<RelayLifecycle> lifecycle,
      ObjectProvider<OutboxCustomizer<OutboxMetrics.Builder>> customizers) {
    OutboxMetrics.Builder builder =
        StarterSettings.of(OutboxMetrics.builder(store), properties.metrics());
    customizers.orderedStream().forEach(each -> each.customize(builder));
    OutboxMetrics metrics = builder.build();
    metrics.watch(() -> running(lifecycle));
    return metrics;
  }

  private static Optional<Relay> running(ObjectProvider<RelayLifecycle> lifecycle) {
    RelayLifecycle relay = lifecycle.getIfUnique();
    return relay == null ? Optional.empty() : relay.relay();
  }
}
