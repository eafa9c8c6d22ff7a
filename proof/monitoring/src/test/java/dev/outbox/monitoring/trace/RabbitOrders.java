package dev.outbox.monitoring.trace;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import dev.outbox.brokers.TestBroker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;

/** By RabbitMQ's client. */
record RabbitOrders(Connection connection) implements Orders {
  static RabbitOrders receive(String address, Handler handler) throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(address);
    Connection connection = factory.newConnection("billing");
    connection
        .createChannel()
        .basicConsume(
            TestBroker.TOPIC,
            true,
            (tag, delivery) ->
                handler.handle(
                    delivery.getEnvelope().getRoutingKey(),
                    headers(delivery),
                    new String(delivery.getBody(), UTF_8)),
            tag -> {});
    return new RabbitOrders(connection);
  }

  private static Map<String, String> headers(Delivery delivery) {
    Map<String, String> headers = new HashMap<>();
    delivery.getProperties().getHeaders().forEach((name, value) -> headers.put(name, "" + value));
    return headers;
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
