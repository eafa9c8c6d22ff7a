package dev.outbox.brokers.consume;

import static dev.outbox.brokers.consume.Billing.bill;
import static dev.outbox.brokers.consume.Billing.putAside;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import dev.outbox.Inbox;
import dev.outbox.message.MessageId;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;

/** Receives by RabbitMQ's own client. */
final class RabbitReceiver implements Receiving {
  @Override
  public void run(String address, DataSource dataSource, Inbox inbox) throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(address);
    factory.setAutomaticRecoveryEnabled(false);
    CountDownLatch lost = new CountDownLatch(1);
    try (com.rabbitmq.client.Connection connection = factory.newConnection("billing");
        Channel channel = connection.createChannel()) {
      channel.addShutdownListener(why -> lost.countDown());
      receive(channel, dataSource, inbox);
      lost.await();
    }
  }

  private static void receive(Channel channel, DataSource dataSource, Inbox inbox)
      throws IOException {
    channel.basicQos(50);
    channel.basicConsume(
        "orders",
        false, // no acknowledgement before ours
        (tag, delivery) -> {
          handle(delivery, dataSource, inbox);
          channel.basicAck(delivery.getEnvelope().getDeliveryTag(), false);
        },
        tag -> {});
  }

  /** What is thrown closes the channel, and RabbitMQ delivers again. */
  private static void handle(Delivery delivery, DataSource dataSource, Inbox inbox)
      throws IOException {
    MessageId id = MessageId.parse(delivery.getProperties().getMessageId());
    String item = new String(delivery.getBody(), UTF_8);
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      Inbox.Answer answer =
          inbox.once(connection, "billing", id, transaction -> bill(transaction, item));
      if (answer == Inbox.Answer.TOO_OLD) {
        putAside(connection, id, item); // nothing was done: a person decides
      }
      connection.commit();
    } catch (SQLException e) {
      throw new IOException("the database failed", e);
    }
  }
}
