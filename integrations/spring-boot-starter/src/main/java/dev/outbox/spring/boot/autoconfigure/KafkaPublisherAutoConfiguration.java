package dev.outbox.spring.boot.autoconfigure;

import dev.outbox.kafka.KafkaPublisher;
import dev.outbox.message.MessageLimits;
import dev.outbox.publish.Publisher;
import dev.outbox.spring.boot.OutboxCustomizer;
import dev.outbox.spring.boot.OutboxProperties;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.OnPropertyListCondition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.kafka.core.ProducerFactory;

/** A publisher to Kafka, where its module is there and it is known where Kafka is. */
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@AutoConfiguration(
    after = OutboxAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.autoconfigure.kafka.KafkaAutoConfiguration",
      "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration"
    })
@ConditionalOnClass(KafkaPublisher.class)
@ConditionalOnOutbox
@ConditionalOnMissingBean(Publisher.class)
@ConditionalOnProperty(name = "outbox.broker", havingValue = "kafka", matchIfMissing = true)
public class KafkaPublisherAutoConfiguration {
  /** Where Boot's client for Kafka is, its settings hold here too. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(ProducerFactory.class)
  @ConditionalOnBean(ProducerFactory.class)
  static class BesideSpringKafka {
    @Bean
    KafkaPublisher.Builder outboxKafkaSettings(
        ObjectProvider<ProducerFactory<?, ?>> factories,
        OutboxProperties properties,
        ObjectProvider<OutboxCustomizer<KafkaPublisher.Builder>> customizers) {
      return settings(ofBoot(factories, properties), properties, customizers);
    }

    private static Map<String, Object> ofBoot(
        ObjectProvider<ProducerFactory<?, ?>> factories, OutboxProperties properties) {
      ProducerFactory<?, ?> factory = factories.getIfUnique();
      if (factory != null) {
        return factory.getConfigurationProperties();
      }
      if (properties.kafka().bootstrapServers() == null) {
        throw new IllegalStateException(
            "there are several ProducerFactory beans: mark the one whose settings the outbox takes as @Primary, or set outbox.kafka.bootstrap-servers, and what else is needed under outbox.kafka.properties");
      }
      return Map.of();
    }
  }

  /** Without Boot's client the settings are all the application's. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnMissingBean(type = "org.springframework.kafka.core.ProducerFactory")
  @Conditional(OnServers.class)
  static class Alone {
    @Bean
    KafkaPublisher.Builder outboxKafkaSettings(
        OutboxProperties properties,
        ObjectProvider<OutboxCustomizer<KafkaPublisher.Builder>> customizers) {
      return settings(Map.of(), properties, customizers);
    }
  }

  /** It is known where Kafka is. */
  static final class OnServers extends OnPropertyListCondition {
    OnServers() {
      super(
          "outbox.kafka.bootstrap-servers",
          () -> ConditionMessage.forCondition("servers of Kafka"));
    }
  }

  @Bean
  @ConditionalOnBean(KafkaPublisher.Builder.class)
  @ConditionalOnProperty(name = "outbox.relay.enabled", matchIfMissing = true)
  KafkaPublisher kafkaPublisher(KafkaPublisher.Builder outboxKafkaSettings) {
    return outboxKafkaSettings.build();
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnBean(KafkaPublisher.Builder.class)
  MessageLimits outboxMessageLimits(KafkaPublisher.Builder outboxKafkaSettings, BeanFactory beans) {
    if (beans.containsBean("outboxRabbitSettings")) {
      throw new IllegalStateException(
          "both Kafka and RabbitMQ have limits for messages: choose a broker with outbox.broker, or declare a MessageLimits bean");
    }
    return outboxKafkaSettings.limits();
  }

  private static KafkaPublisher.Builder settings(
      Map<String, Object> ofBoot,
      OutboxProperties properties,
      ObjectProvider<OutboxCustomizer<KafkaPublisher.Builder>> customizers) {
    Map<String, Object> config = new HashMap<>(ofBoot);
    List<String> servers = properties.kafka().bootstrapServers();
    if (servers != null) {
      config.put("bootstrap.servers", String.join(",", servers));
    }
    config.putAll(properties.kafka().properties());
    KafkaPublisher.Builder builder = KafkaPublisher.builder(config);
    if (properties.relay().publishDeadline() != null) {
      builder.publishDeadline(properties.relay().publishDeadline());
    }
    customizers.orderedStream().forEach(each -> each.customize(builder));
    return builder;
  }
}
