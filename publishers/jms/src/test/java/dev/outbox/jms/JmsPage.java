package dev.outbox.jms;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.publish.CloudEvents;
import dev.outbox.spi.OutboxStore;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import java.net.URI;
import java.nio.file.Path;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/** The code of docs/brokers/jms.md. */
final class JmsPage {
  private JmsPage() {}

  /** Five lines to start. */
  static Outbox start(OutboxStore store) throws JMSException {
    // tag::start[]
    ConnectionFactory artemis =
        new ActiveMQConnectionFactory(
            "tcp://localhost:61616?confirmationWindowSize=1048576&callTimeout=5000");
    JmsPublisher jms = JmsPublisher.create(artemis);
    Relay relay = Relay.builder(store, jms).owns(jms).start();
    Outbox outbox = Outbox.builder(store).limits(JmsPublisher.limits()).build();
    // end::start[]
    relay.close();
    return outbox;
  }

  /** A topic, a login and CloudEvents. */
  static JmsPublisher mapped(ConnectionFactory artemis, String password) {
    // tag::mapped[]
    JmsPublisher jms =
        JmsPublisher.builder(artemis)
            .destination(envelope -> JmsDestination.topic("shop." + envelope.topic()))
            .login("shop", password)
            .cloudEvents(CloudEvents.binary(URI.create("https://shop.example/orders")))
            .build();
    // end::mapped[]
    return jms;
  }

  /** TLS with a login. */
  static JmsPublisher secured(String host, Path trustStore, String password) {
    // tag::secured[]
    String tls =
        "sslEnabled=true&trustStorePath=%s&trustStorePassword=secret".formatted(trustStore);
    String safe = "confirmationWindowSize=1048576&callTimeout=5000";
    ConnectionFactory artemis =
        new ActiveMQConnectionFactory("tcp://%s?%s&%s".formatted(host, tls, safe));
    JmsPublisher jms = JmsPublisher.builder(artemis).login("app", password).build();
    // end::secured[]
    return jms;
  }
}
