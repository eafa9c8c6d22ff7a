package dev.outbox.spring.boot.autoconfigure;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.ConnectionFactory;
import dev.outbox.message.MessageLimits;
import dev.outbox.publish.Publisher;
import dev.outbox.rabbitmq.RabbitPublisher;
import dev.outbox.spring.boot.OutboxCustomizer;
import dev.outbox.spring.boot.OutboxProperties;
import java.util.List;
import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/** A publisher to RabbitMQ, where its module and Boot's connection factory are. */
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@AutoConfiguration(
    after = OutboxAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration",
      "org.springframework.boot.autoconfigure.amqp.RabbitAutoConfiguration"
    })
@ConditionalOnClass({RabbitPublisher.class, AbstractConnectionFactory.class})
@ConditionalOnOutbox
@ConditionalOnMissingBean(value = Publisher.class, ignoredType = "dev.outbox.kafka.KafkaPublisher")
@ConditionalOnProperty(name = "outbox.broker", havingValue = "rabbitmq", matchIfMissing = true)
public class RabbitPublisherAutoConfiguration {

  /** The settings of Boot's client, of which the publisher makes its own connection. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnSingleCandidate(AbstractConnectionFactory.class)
  static class BesideSpringAmqp {
    @Bean
    RabbitPublisher.Builder outboxRabbitSettings(
        AbstractConnectionFactory factory,
        Environment environment,
        OutboxProperties properties,
        ObjectProvider<OutboxCustomizer<RabbitPublisher.Builder>> customizers) {
      ConnectionFactory client = factory.getRabbitConnectionFactory();
      RabbitPublisher.Builder builder =
          RabbitPublisher.builder(client).addresses(addresses(environment, client));
      if (properties.rabbitmq().exchange() != null) {
        builder.exchange(properties.rabbitmq().exchange());
      }
      if (properties.relay().publishDeadline() != null) {
        builder.publishDeadline(properties.relay().publishDeadline());
      }
      customizers.orderedStream().forEach(each -> each.customize(builder));
      return builder;
    }
  }

  @Bean
  @ConditionalOnBean(RabbitPublisher.Builder.class)
  @ConditionalOnProperty(name = "outbox.relay.enabled", matchIfMissing = true)
  RabbitPublisher rabbitPublisher(RabbitPublisher.Builder outboxRabbitSettings) {
    return outboxRabbitSettings.build();
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnBean(RabbitPublisher.Builder.class)
  MessageLimits outboxMessageLimitsOfRabbit(RabbitPublisher.Builder outboxRabbitSettings) {
    return outboxRabbitSettings.limits();
  }

  /**
   * Boot's connection factory keeps the nodes of a cluster to itself, but for the first. Where the
   * first of the properties is another one, the application connects by other settings.
   */
  private static List<Address> addresses(Environment environment, ConnectionFactory client) {
    List<Address> nodes =
        Binder.get(environment)
            .bind("spring.rabbitmq.addresses", Bindable.listOf(String.class))
            .orElse(List.of())
            .stream()
            .map(node -> Address.parseAddress(hostAndPort(node)))
            .toList();
    return nodes.size() > 1 && isFirst(nodes.get(0), client) ? nodes : List.of();
  }

  private static boolean isFirst(Address node, ConnectionFactory client) {
    int port = ConnectionFactory.portOrDefault(node.getPort(), client.isSSL());
    return node.getHost().equals(client.getHost()) && port == client.getPort();
  }

  /** As in {@code amqp://user:password@host:port/virtual-host}. */
  private static String hostAndPort(String node) {
    return node.strip().replaceFirst("^([a-z]+://)?(.*@)?", "").replaceFirst("/.*$", "");
  }
}
