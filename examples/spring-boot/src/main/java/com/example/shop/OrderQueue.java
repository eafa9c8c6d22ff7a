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

  /** Spring declares queues on a connection of its own, and the relay uses another one. */
  @Bean
  ApplicationRunner declareQueues(AmqpAdmin admin) {
    return arguments -> {
      try {
        admin.initialize();
      } catch (AmqpException e) { // messages wait until somebody asks for the health
        log.warn("RabbitMQ does not answer, its queue is declared later", e);
      }
    };
  }
}
