package dev.outbox.spring.boot.autoconfigure;

import dev.outbox.spi.OutboxStore;
import dev.outbox.spring.boot.RelayLifecycle;
import dev.outbox.spring.boot.actuate.OutboxEndpoint;
import dev.outbox.spring.boot.actuate.OutboxWebExtension;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/** {@code /actuator/outbox}, where the actuator is. */
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@AutoConfiguration(after = RelayAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnOutbox
@ConditionalOnSingleCandidate(OutboxStore.class)
public class OutboxEndpointAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnAvailableEndpoint
  OutboxEndpoint outboxEndpoint(OutboxStore store, ObjectProvider<RelayLifecycle> lifecycle) {
    return new OutboxEndpoint(store, lifecycle.getIfUnique());
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnBean(OutboxEndpoint.class)
  OutboxWebExtension outboxWebExtension(OutboxEndpoint endpoint) {
    return new OutboxWebExtension(endpoint);
  }
}
