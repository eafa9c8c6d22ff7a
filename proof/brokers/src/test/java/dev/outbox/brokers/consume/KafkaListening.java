package dev.outbox.brokers.consume;

import static dev.outbox.brokers.consume.Billing.bill;
import static dev.outbox.brokers.consume.Billing.putAside;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.outbox.Inbox;
import dev.outbox.message.MessageId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.kafka.annotation.EnableKafka;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.ContainerProperties.AckMode;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.util.backoff.FixedBackOff;

/** Receives by {@code @KafkaListener}. */
final class KafkaListening implements Receiving {
  @Override
  public void run(String address, DataSource dataSource, Inbox inbox) throws Exception {
    SpringProcess.run(address, dataSource, inbox, Settings.class, Listener.class);
  }

  /** The listener: a transaction around it, and the offset after its end. */
  public static class Listener {
    private final DataSource dataSource;
    private final Inbox inbox;

    public Listener(DataSource dataSource, Inbox inbox) {
      this.dataSource = dataSource;
      this.inbox = inbox;
    }

    @Transactional
    @KafkaListener(topics = "orders", groupId = "billing")
    public void receive(ConsumerRecord<String, String> record) throws SQLException {
      byte[] header = record.headers().lastHeader("message-id").value();
      MessageId id = MessageId.parse(new String(header, UTF_8));
      Connection connection = DataSourceUtils.getConnection(dataSource); // the transaction's
      Inbox.Answer answer =
          inbox.once(connection, "billing", id, transaction -> bill(transaction, record.value()));
      if (answer == Inbox.Answer.TOO_OLD) {
        putAside(connection, id, record.value()); // nothing was done: a person decides
      }
    }
  }

  /** The error handler, and what Spring Boot makes of {@code spring.kafka} properties. */
  @Configuration
  @EnableKafka
  public static class Settings {
    @Bean
    public DefaultErrorHandler errorHandler() {
      return new DefaultErrorHandler(new FixedBackOff(1000, FixedBackOff.UNLIMITED_ATTEMPTS));
    }

    @Bean
    public ConcurrentKafkaListenerContainerFactory<String, String> kafkaListenerContainerFactory(
        String address, DefaultErrorHandler errorHandler) {
      Map<String, Object> config =
          Map.of(
              "bootstrap.servers",
              address,
              "enable.auto.commit",
              false,
              "auto.offset.reset",
              "earliest",
              "session.timeout.ms",
              6000);
      ConcurrentKafkaListenerContainerFactory<String, String> factory =
          new ConcurrentKafkaListenerContainerFactory<>();
      factory.setConsumerFactory(
          new DefaultKafkaConsumerFactory<>(
              config, new StringDeserializer(), new StringDeserializer()));
      factory.getContainerProperties().setAckMode(AckMode.RECORD);
      factory.setCommonErrorHandler(errorHandler);
      return factory;
    }
  }
}
