package com.example.shop;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.amqp.core.Queue;
import org.springframework.boot.ApplicationRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

@Configuration
@Profile("rabbitmq")
public class OrderQueue {
  private static final Logger log = LoggerFactory.getLogger(OrderQueue.class);

  @Bean
  Queue ordersPlaced() {
    return new Queue("orders.placed");
  }

  /** Spring declares queues when it first connects; the relay has its own connection. */
  @Bean
  ApplicationRunner declareQueues(AmqpAdmin admin) {
    return arguments -> {
      try {
        admin.initialize();
      } catch (AmqpException e) { // Spring declares it when it connects; messages wait until then
        log.warn("RabbitMQ does not answer; its queue is declared when Spring connects", e);
      }
    };
  }
}
