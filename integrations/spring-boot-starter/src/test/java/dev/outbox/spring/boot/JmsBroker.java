package dev.outbox.spring.boot;

import dev.outbox.jms.JmsPublisher;
import jakarta.jms.ConnectionFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The bean of docs/brokers/jms.md. */
@Configuration(proxyBeanMethods = false)
class JmsBroker {
  @Bean
  JmsPublisher jms(ConnectionFactory factory) {
    return JmsPublisher.create(factory);
  }
}
