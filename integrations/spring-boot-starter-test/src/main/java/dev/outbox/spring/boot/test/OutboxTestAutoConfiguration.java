package dev.outbox.spring.boot.test;

import dev.outbox.Outbox;
import dev.outbox.message.PayloadCodec;
import dev.outbox.publish.RetryPolicy;
import dev.outbox.spi.OutboxStore;
import dev.outbox.spring.boot.OutboxSettings;
import dev.outbox.spring.boot.autoconfigure.OutboxAutoConfiguration;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.Kit;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.core.Ordered;

/** The kit, and its outbox in place of the application's, with the same settings. */
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@AutoConfiguration(before = OutboxAutoConfiguration.class)
public class OutboxTestAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean
  Kit outboxKit(
      OutboxStore store,
      OutboxSettings settings,
      ObjectProvider<PayloadCodec> codec,
      ObjectProvider<RetryPolicy> retry) {
    Kit.Builder builder = Kit.builder().over(store).outbox(settings::applyTo);
    codec.ifAvailable(builder::codec);
    retry.ifAvailable(builder::retry);
    return builder.build();
  }

  /** Before one that the application declares itself, which may have the name outbox. */
  @Bean
  @Primary
  Outbox outboxOfKit(Kit kit) {
    return kit.outbox();
  }

  @Bean
  InMemoryBroker outboxBroker(Kit kit) {
    return kit.broker();
  }
}
