package dev.outbox.spring.boot.autoconfigure;

import dev.outbox.micrometer.OutboxObservations;
import dev.outbox.spring.boot.OutboxCustomizer;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/**
 * Traces through the outbox where the application has a propagator of Micrometer Tracing, unless it
 * has a bean of {@code outbox-opentelemetry}: one of both.
 */
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@AutoConfiguration(
    before = {OutboxAutoConfiguration.class, RelayAutoConfiguration.class},
    afterName = {
      "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
      "org.springframework.boot.actuate.autoconfigure.tracing.BraveAutoConfiguration",
      "org.springframework.boot.actuate.autoconfigure.tracing.OpenTelemetryTracingAutoConfiguration",
      "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
      "org.springframework.boot.micrometer.tracing.brave.autoconfigure.BraveAutoConfiguration",
      "org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration"
    })
@ConditionalOnClass(
    value = ObservationRegistry.class,
    name = "io.micrometer.tracing.propagation.Propagator")
@ConditionalOnBean(
    value = ObservationRegistry.class,
    type = "io.micrometer.tracing.propagation.Propagator")
@ConditionalOnMissingBean(type = "dev.outbox.opentelemetry.OutboxTracing")
@ConditionalOnProperty(name = "outbox.tracing.enabled", matchIfMissing = true)
public class OutboxTracingAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean
  OutboxObservations outboxObservations(
      ObservationRegistry registry,
      ObjectProvider<OutboxCustomizer<OutboxObservations.Builder>> customizers) {
    OutboxObservations.Builder builder = OutboxObservations.builder(registry);
    customizers.orderedStream().forEach(each -> each.customize(builder));
    return builder.build();
  }
}
