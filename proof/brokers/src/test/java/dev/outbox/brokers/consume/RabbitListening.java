package dev.outbox.brokers.consume;

import static dev.outbox.brokers.consume.Billing.bill;
import static dev.outbox.brokers.consume.Billing.putAside;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.outbox.Inbox;
import dev.outbox.message.MessageId;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.EnableRabbit;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.annotation.Transactional;

/** Receives by {@code @RabbitListener}. */
final class RabbitListening implements Receiving {
  @Override
  public void run(String address, DataSource dataSource, Inbox inbox) throws Exception {
    SpringProcess.run(address, dataSource, inbox, Settings.class, Listener.class);
  }

  /** The listener: a transaction around it, and the acknowledgement after its end. */
  public static class Listener {
    private final DataSource dataSource;
    private final Inbox inbox;

    public Listener(DataSource dataSource, Inbox inbox) {
      this.dataSource = dataSource;
      this.inbox = inbox;
    }

    @Transactional
    @RabbitListener(queues = "orders")
    public void receive(Message message) throws SQLException {
      MessageId id = MessageId.parse(message.getMessageProperties().getMessageId());
      String item = new String(message.getBody(), UTF_8);
      Connection connection = DataSourceUtils.getConnection(dataSource); // the transaction's
      Inbox.Answer answer =
          inbox.once(connection, "billing", id, transaction -> bill(transaction, item));
      if (answer == Inbox.Answer.TOO_OLD) {
        putAside(connection, id, item); // nothing was done: a person decides
      }
    }
  }

  /** What Spring Boot makes of {@code spring.rabbitmq} properties. */
  @Configuration
  @EnableRabbit
  public static class Settings {
    @Bean
    public CachingConnectionFactory connectionFactory(String address) {
      return new CachingConnectionFactory(URI.create(address));
    }

    @Bean
    public SimpleRabbitListenerContainerFactory rabbitListenerContainerFactory(
        CachingConnectionFactory connectionFactory) {
      SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
      factory.setConnectionFactory(connectionFactory);
      factory.setMissingQueuesFatal(false);
      factory.setRecoveryInterval(1000L);
      return factory;
    }
  }
}
