package com.example.start;

import dev.outbox.publish.Publisher;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A broker that takes everything, in place of Kafka. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "broker", havingValue = "here")
class Broker {
  @Bean
  Publisher publisher() {
    return Publisher.blocking(envelope -> {});
  }
}
