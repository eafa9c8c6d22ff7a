package dev.outbox.spring.modulith;

import dev.outbox.Outbox;
import dev.outbox.spring.boot.autoconfigure.OutboxAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.ExternalizationMode;
import org.springframework.modulith.events.config.EventExternalizationAutoConfiguration;

/** Events go to the outbox where {@code spring.modulith.events.externalization.mode=outbox}. */
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@AutoConfiguration(
    after = {OutboxAutoConfiguration.class, EventExternalizationAutoConfiguration.class})
public class ModulithAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnProperty(name = ExternalizationMode.PROPERTY, havingValue = "outbox")
  @ConditionalOnProperty(name = "outbox.enabled", matchIfMissing = true)
  @ConditionalOnBean(EventExternalizationConfiguration.class)
  EventRecorder outboxEventRecorder(
      ObjectProvider<Outbox.Joined> outbox, EventExternalizationConfiguration configuration) {
    return new EventRecorder(outbox.getIfAvailable(ModulithAutoConfiguration::none), configuration);
  }

  @Bean
  @ConditionalOnProperty(name = ExternalizationMode.PROPERTY, havingValue = "outbox")
  static MonitorRemoval outboxMonitorRemoval() {
    return new MonitorRemoval();
  }

  private static Outbox.Joined none() {
    throw new IllegalStateException(
        "%s is 'outbox', but there is no Outbox.Joined, so events would go nowhere. The outbox needs a DataSource; with several, mark one with @OutboxDataSource or as @Primary, and of several Outbox beans mark one as @Primary. To publish no events at all, set outbox.enabled=false"
            .formatted(ExternalizationMode.PROPERTY));
  }
}
