package dev.outbox.brokers;

import com.rabbitmq.client.ConnectionFactory;
import dev.outbox.http.HttpPublisher;
import dev.outbox.jms.JmsPublisher;
import dev.outbox.kafka.KafkaPublisher;
import dev.outbox.nats.NatsPublisher;
import dev.outbox.publish.Publisher;
import dev.outbox.rabbitmq.RabbitPublisher;
import dev.outbox.servers.NatsServer;
import dev.outbox.servers.RabbitServer;
import dev.outbox.sqs.SqsPublisher;
import io.nats.client.Options;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** The brokers that have a ready publisher. */
public enum BrokerKind {
  KAFKA {
    @Override
    public TestBroker start(IntUnaryOperator network) throws Exception {
      return new KafkaBroker(network);
    }

    @Override
    public OwnedPublisher publisher(String address, Duration deadline) {
      KafkaPublisher kafka =
          KafkaPublisher.builder(Map.of("bootstrap.servers", address))
              .publishDeadline(deadline)
              .build();
      return new OwnedPublisher(kafka, kafka);
    }
  },
  RABBITMQ {
    @Override
    public TestBroker start(IntUnaryOperator network) throws Exception {
      return new RabbitBroker(network);
    }

    @Override
    public Optional<String> whyNot() {
      return RabbitServer.whyNot();
    }

    @Override
    public OwnedPublisher publisher(String address, Duration deadline) throws Exception {
      ConnectionFactory factory = new ConnectionFactory();
      factory.setUri(address);
      RabbitPublisher rabbit = RabbitPublisher.builder(factory).publishDeadline(deadline).build();
      return new OwnedPublisher(rabbit, rabbit);
    }
  },
  NATS {
    @Override
    public TestBroker start(IntUnaryOperator network) throws Exception {
      return new NatsBroker(network);
    }

    @Override
    public Optional<String> whyNot() {
      return NatsServer.whyNot();
    }

    @Override
    public OwnedPublisher publisher(String address, Duration deadline) {
      NatsPublisher nats =
          NatsPublisher.builder(new Options.Builder().server(address).build())
              .publishDeadline(deadline)
              .build();
      return new OwnedPublisher(nats, nats);
    }

    @Override
    boolean dropsRepeats() {
      return true;
    }
  },
  HTTP {
    @Override
    public TestBroker start(IntUnaryOperator network) {
      return new HttpEndpoint(network);
    }

    @Override
    public OwnedPublisher publisher(String address, Duration deadline) {
      HttpPublisher http =
          HttpPublisher.builder(URI.create(address)).publishDeadline(deadline).build();
      return new OwnedPublisher(http, http);
    }
  },
  JMS {
    @Override
    public TestBroker start(IntUnaryOperator network) {
      return new JmsBroker(network);
    }

    @Override
    public OwnedPublisher publisher(String address, Duration deadline) {
      ActiveMQConnectionFactory factory = JmsBroker.factory(address);
      JmsPublisher jms = JmsPublisher.builder(factory).publishDeadline(deadline).build();
      return new OwnedPublisher(jms, both(jms, factory));
    }

    @Override
    boolean dropsRepeats() {
      return true;
    }
  },
  SQS {
    @Override
    public TestBroker start(IntUnaryOperator network) {
      return new SqsBroker(network);
    }

    @Override
    public OwnedPublisher publisher(String address, Duration deadline) {
      SqsAsyncClient client = SqsBroker.client(address);
      SqsPublisher sqs =
          SqsPublisher.builder(client).queue(SqsBroker.QUEUE).publishDeadline(deadline).build();
      return new OwnedPublisher(sqs, both(sqs, client));
    }

    @Override
    boolean dropsRepeats() {
      return true;
    }
  };

  /** A publisher, and what is to be closed after it. */
  public record OwnedPublisher(Publisher publisher, AutoCloseable owned) {}

  private static AutoCloseable both(AutoCloseable first, AutoCloseable second) {
    return () -> {
      try (second) {
        first.close();
      }
    };
  }

  /** Why there is no server of it here, in words; empty if there can be one. */
  public Optional<String> whyNot() {
    return Optional.empty();
  }

  /** A server, with its destination made. */
  public TestBroker start() throws Exception {
    return start(port -> port);
  }

  /**
   * A server behind a network: {@code network} is given its port and returns the one where clients
   * find it, which may be that of a proxy.
   */
  public abstract TestBroker start(IntUnaryOperator network) throws Exception;

  /** The ready publisher to the server at this address. */
  public abstract OwnedPublisher publisher(String address, Duration deadline) throws Exception;

  /** True when the broker is to drop every repeat of a message that comes soon. */
  boolean dropsRepeats() {
    return false;
  }
}
