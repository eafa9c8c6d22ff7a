package dev.outbox.brokers;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import dev.outbox.servers.RabbitServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;

/** RabbitMQ with one quorum queue, as the page recommends it. */
final class RabbitBroker implements TestBroker {
  private static final int PERSISTENT = 2;

  private final RabbitServer server = RabbitServer.start();
  private final int port;

  RabbitBroker(IntUnaryOperator network) throws Exception {
    this.port = network.applyAsInt(server.port());
    renew();
  }

  @Override
  public String address() {
    return address(port);
  }

  private static String address(int port) {
    return "amqp://guest:guest@127.0.0.1:" + port;
  }

  private Connection connection() throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(address(server.port()));
    return factory.newConnection("test");
  }

  @Override
  public void kill() {
    server.kill();
  }

  @Override
  public void restart() {
    server.restart();
  }

  /** A node that is killed has forgotten the queues of the last moments, if nobody insists. */
  @Override
  public void renew() throws Exception {
    try (Connection connection = connection();
        Channel channel = connection.createChannel()) {
      channel.queueDelete(TOPIC);
      channel.queueDeclare(TOPIC, true, false, false, Map.of("x-queue-type", "quorum"));
    }
    server.control("eval", "mnesia:sync_log().");
  }

  @Override
  public long size() throws Exception {
    try (Connection connection = connection();
        Channel channel = connection.createChannel()) {
      return channel.messageCount(TOPIC);
    }
  }

  @Override
  public List<Arrived> arrived() throws Exception {
    BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();
    List<Arrived> arrived = new ArrayList<>();
    try (Connection connection = connection();
        Channel channel = connection.createChannel()) {
      channel.basicConsume(TOPIC, true, (tag, each) -> deliveries.add(each), tag -> {});
      Delivery next = deliveries.poll(10, TimeUnit.SECONDS);
      while (next != null) {
        arrived.add(arrived(next));
        next = deliveries.poll(2, TimeUnit.SECONDS);
      }
    }
    return arrived;
  }

  private static Arrived arrived(Delivery delivery) {
    AMQP.BasicProperties properties = delivery.getProperties();
    Map<String, Object> headers = properties.getHeaders();
    Object key = headers == null ? null : headers.get("message-key");
    return new Arrived(
        properties.getMessageId(),
        key == null ? null : key.toString(),
        new String(delivery.getBody(), StandardCharsets.UTF_8));
  }

  @Override
  public HandSender handSender() throws Exception {
    Connection connection = connection();
    Channel channel = connection.createChannel();
    channel.confirmSelect();
    return new Sender(connection, channel);
  }

  private record Sender(Connection connection, Channel channel) implements HandSender {
    @Override
    public void send(HandSender.Row row) throws Exception {
      Map<String, Object> headers = new HashMap<>();
      if (row.key() != null) {
        headers.put("message-key", row.key());
      }
      AMQP.BasicProperties properties =
          new AMQP.BasicProperties.Builder()
              .deliveryMode(PERSISTENT)
              .messageId(row.id().toString())
              .type(row.topic())
              .contentType(row.contentType())
              .headers(headers)
              .build();
      channel.basicPublish("", row.topic(), true, properties, row.payload());
    }

    @Override
    public void await() throws Exception {
      channel.waitForConfirmsOrDie();
    }

    @Override
    public void close() throws IOException {
      connection.close();
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
