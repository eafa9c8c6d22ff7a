package dev.outbox.rabbitmq;

import com.rabbitmq.client.ConnectionFactory;
import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.spi.OutboxStore;
import javax.net.ssl.SSLContext;

/** The code of docs/brokers/rabbitmq.md. */
final class RabbitPage {
  private RabbitPage() {}

  /** Five lines to start. */
  static Outbox start(OutboxStore store) throws Exception {
    // tag::start[]
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri("amqp://guest:guest@localhost:5672");
    RabbitPublisher rabbit = RabbitPublisher.create(factory);
    Relay relay = Relay.builder(store, rabbit).owns(rabbit).start();
    Outbox outbox = Outbox.builder(store).limits(RabbitPublisher.limits()).build();
    // end::start[]
    relay.close();
    return outbox;
  }

  /** An exchange, and the key as routing key. */
  static RabbitPublisher mapped(ConnectionFactory factory) {
    // tag::mapped[]
    RabbitPublisher toExchange = RabbitPublisher.builder(factory).exchange("shop").build();
    RabbitPublisher byKey =
        RabbitPublisher.builder(factory)
            .destination(
                envelope ->
                    envelope.key() == null
                        ? new Destination("shop", envelope.topic())
                        : new Destination("shop.by-key", envelope.key().value()))
            .build();
    // end::mapped[]
    toExchange.close();
    return byKey;
  }

  /** A queue that is full by its own limit is no fault of the message. */
  static Publisher patient(RabbitPublisher rabbit) {
    // tag::patient[]
    Publisher patient =
        rabbit.classify(thrown -> thrown instanceof NackException ? Ack.unavailable(thrown) : null);
    // end::patient[]
    return patient;
  }

  /** TLS with a login. */
  static ConnectionFactory secured(String uri, SSLContext trusting) throws Exception {
    // tag::secured[]
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(uri); // amqps://app:password@rabbit.example:5671
    factory.useSslProtocol(trusting); // or SSLContext.getDefault()
    factory.enableHostnameVerification();
    // end::secured[]
    return factory;
  }
}
