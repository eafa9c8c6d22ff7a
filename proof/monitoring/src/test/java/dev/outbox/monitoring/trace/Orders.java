package dev.outbox.monitoring.trace;

import dev.outbox.brokers.BrokerKind;
import java.util.Map;

/** Receives orders by a broker's own client, with none of our code. */
interface Orders extends AutoCloseable {
  /** What is done with an order. */
  @FunctionalInterface
  interface Handler {
    void handle(String topic, Map<String, String> headers, String order);
  }

  /** Receives until it is closed. */
  static Orders receive(BrokerKind kind, String address, Handler handler) throws Exception {
    return switch (kind) {
      case KAFKA -> new KafkaOrders(address, handler);
      case RABBITMQ -> RabbitOrders.receive(address, handler);
      default -> throw new IllegalArgumentException("kind is " + kind);
    };
  }

  @Override
  void close();
}
