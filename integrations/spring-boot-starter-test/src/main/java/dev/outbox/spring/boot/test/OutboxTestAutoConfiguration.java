package dev.outbox.spring.boot.test;

import dev.outbox.Outbox;
import dev.outbox.message.PayloadCodec;
import dev.outbox.publish.RetryPolicy;
import dev.outbox.spi.OutboxStore;
import dev.outbox.spring.boot.OutboxSettings;
import dev.outbox.spring.boot.autoconfigure.OutboxAutoConfiguration;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.Kit;
import java.util.stream.Stream;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.Ordered;
import org.springframework.core.type.AnnotationMetadata;

/** The kit, and its outbox in place of the application's, with the same settings. */
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@AutoConfiguration(before = OutboxAutoConfiguration.class)
@Import(OutboxTestAutoConfiguration.KitFirst.class)
public class OutboxTestAutoConfiguration {
  private static final String OF_KIT = "outboxOfKit";

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

  @Bean(OF_KIT)
  Outbox outboxOfKit(Kit kit) {
    return kit.outbox();
  }

  @Bean
  InMemoryBroker outboxBroker(Kit kit) {
    return kit.broker();
  }

  /** Makes the kit's outbox the only primary one, even if the application has marked its own. */
  static final class KitFirst implements ImportBeanDefinitionRegistrar {
    @Override
    public void registerBeanDefinitions(
        AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
      ListableBeanFactory beans = (ListableBeanFactory) registry;
      Stream.of(beans.getBeanNamesForType(Outbox.class, true, false))
          .filter(registry::containsBeanDefinition)
          .forEach(name -> registry.getBeanDefinition(name).setPrimary(name.equals(OF_KIT)));
    }
  }
}
