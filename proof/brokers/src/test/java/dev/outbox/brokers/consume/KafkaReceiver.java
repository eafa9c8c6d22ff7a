package dev.outbox.brokers.consume;

import static dev.outbox.brokers.consume.Billing.bill;
import static dev.outbox.brokers.consume.Billing.putAside;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.outbox.Inbox;
import dev.outbox.message.MessageId;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Receives by Kafka's own consumer. */
final class KafkaReceiver implements Receiving {
  @Override
  public void run(String address, DataSource dataSource, Inbox inbox) throws Exception {
    Map<String, Object> config =
        Map.of(
            "bootstrap.servers",
            address,
            "group.id",
            Billing.CONSUMER,
            "enable.auto.commit",
            false,
            "auto.offset.reset",
            "earliest",
            "session.timeout.ms",
            6000);
    try (Consumer<String, String> consumer =
        new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
      receive(consumer, dataSource, inbox);
    }
  }

  private static void receive(Consumer<String, String> consumer, DataSource dataSource, Inbox inbox)
      throws Exception {
    consumer.subscribe(List.of("orders"));
    while (!Thread.currentThread().isInterrupted()) {
      for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofSeconds(1))) {
        byte[] header = record.headers().lastHeader("message-id").value();
        MessageId id = MessageId.parse(new String(header, UTF_8));
        try (Connection connection = dataSource.getConnection()) {
          connection.setAutoCommit(false);
          Inbox.Answer answer =
              inbox.once(
                  connection, "billing", id, transaction -> bill(transaction, record.value()));
          if (answer == Inbox.Answer.TOO_OLD) {
            putAside(connection, id, record.value()); // nothing was done: a person decides
          }
          connection.commit();
        }
      }
      consumer.commitSync(); // after the database: what is not committed here comes again
    }
  }
}
