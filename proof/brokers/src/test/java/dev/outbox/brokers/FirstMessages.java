package dev.outbox.brokers;

import com.rabbitmq.client.ConnectionFactory;
import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.Transactions;
import dev.outbox.http.HttpPublisher;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.jms.JmsPublisher;
import dev.outbox.kafka.KafkaPublisher;
import dev.outbox.message.Message;
import dev.outbox.nats.NatsPublisher;
import dev.outbox.rabbitmq.RabbitPublisher;
import dev.outbox.sqs.SqsPublisher;
import io.nats.client.Options;
import java.net.URI;
import java.util.Map;
import javax.sql.DataSource;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/**
 * All that a user writes between an empty project, whose settings of connections are the
 * parameters, and the first message in the broker: the body of a method without its return.
 */
final class FirstMessages {
  private FirstMessages() {}

  static Relay kafka(DataSource database, String servers) throws Exception {
    Schema.builder(database).create();
    JdbcStore store = JdbcStore.create(database);
    KafkaPublisher kafka = KafkaPublisher.create(Map.of("bootstrap.servers", servers));
    Relay relay = Relay.builder(store, kafka).owns(kafka).start();
    Outbox outbox = Outbox.builder(store).limits(KafkaPublisher.limits()).build();
    Message message = Message.to("orders").key("42").text("placed");
    Transactions.run(database, outbox, transaction -> outbox.enqueue(transaction, message));
    return relay;
  }

  static Relay rabbitmq(DataSource database, String uri) throws Exception {
    Schema.builder(database).create();
    JdbcStore store = JdbcStore.create(database);
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(uri);
    RabbitPublisher rabbit = RabbitPublisher.create(factory);
    Relay relay = Relay.builder(store, rabbit).owns(rabbit).start();
    Outbox outbox = Outbox.builder(store).limits(RabbitPublisher.limits()).build();
    Message message = Message.to("orders").key("42").text("placed");
    Transactions.run(database, outbox, transaction -> outbox.enqueue(transaction, message));
    return relay;
  }

  static Relay nats(DataSource database, String server) throws Exception {
    Schema.builder(database).create();
    JdbcStore store = JdbcStore.create(database);
    Options options = new Options.Builder().server(server).build();
    NatsPublisher nats = NatsPublisher.create(options);
    Relay relay = Relay.builder(store, nats).owns(nats).start();
    Outbox outbox = Outbox.builder(store).limits(NatsPublisher.limits()).build();
    Message message = Message.to("orders").key("42").text("placed");
    Transactions.run(database, outbox, transaction -> outbox.enqueue(transaction, message));
    return relay;
  }

  static Relay http(DataSource database, String endpoint) throws Exception {
    Schema.builder(database).create();
    JdbcStore store = JdbcStore.create(database);
    HttpPublisher http = HttpPublisher.create(URI.create(endpoint));
    Relay relay = Relay.builder(store, http).owns(http).start();
    Outbox outbox = Outbox.builder(store).limits(HttpPublisher.limits()).build();
    Message message = Message.to("orders").key("42").text("placed");
    Transactions.run(database, outbox, transaction -> outbox.enqueue(transaction, message));
    return relay;
  }

  static Relay jms(DataSource database, jakarta.jms.ConnectionFactory artemis) throws Exception {
    Schema.builder(database).create();
    JdbcStore store = JdbcStore.create(database);
    JmsPublisher jms = JmsPublisher.create(artemis);
    Relay relay = Relay.builder(store, jms).owns(jms).start();
    Outbox outbox = Outbox.builder(store).limits(JmsPublisher.limits()).build();
    Message message = Message.to("orders").key("42").text("placed");
    Transactions.run(database, outbox, transaction -> outbox.enqueue(transaction, message));
    return relay;
  }

  static Relay sqs(DataSource database, SqsAsyncClient client) throws Exception {
    Schema.builder(database).create();
    JdbcStore store = JdbcStore.create(database);
    SqsPublisher sqs = SqsPublisher.builder(client).queue("orders.fifo").build();
    Relay relay = Relay.builder(store, sqs).owns(client).owns(sqs).start();
    Outbox outbox = Outbox.builder(store).limits(SqsPublisher.limits()).build();
    Message message = Message.to("orders").key("42").text("placed");
    Transactions.run(database, outbox, transaction -> outbox.enqueue(transaction, message));
    return relay;
  }
}
