package dev.outbox.spring.modulith;

import dev.outbox.Outbox;
import dev.outbox.spring.boot.autoconfigure.OutboxAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.ExternalizationMode;
import org.springframework.modulith.events.config.EventExternalizationAutoConfiguration;

/** Events go to the outbox where {@code spring.modulith.events.externalization.mode=outbox}. */
@AutoConfiguration(
    after = {OutboxAutoConfiguration.class, EventExternalizationAutoConfiguration.class})
@ConditionalOnProperty(name = ExternalizationMode.PROPERTY, havingValue = "outbox")
@ConditionalOnBean({Outbox.Joined.class, EventExternalizationConfiguration.class})
public class ModulithAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean
  EventRecorder outboxEventRecorder(
      Outbox.Joined outbox, EventExternalizationConfiguration configuration) {
    return new EventRecorder(outbox, configuration);
  }
}
