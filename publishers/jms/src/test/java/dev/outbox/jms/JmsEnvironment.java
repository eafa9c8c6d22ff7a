package dev.outbox.jms;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Publisher;
import dev.outbox.testkit.contract.BrokerEnvironment;
import dev.outbox.testkit.contract.Received;
import dev.outbox.testkit.network.TcpProxy;
import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/** A queue and their own publisher, on the broker of the JVM. */
final class JmsEnvironment implements BrokerEnvironment {
  private static final int LARGE = 2 * 1024 * 1024;

  private final TestBroker broker = TestBroker.get();
  private final String queue = TestBroker.newQueue();
  private final ActiveMQConnectionFactory factory = broker.behindTheNetwork();
  private final Duration deadline;
  private final JmsPublisher publisher;

  JmsEnvironment(Duration deadline) {
    this.deadline = deadline;
    this.publisher =
        JmsPublisher.builder(factory).publishDeadline(deadline).maxMessageSize(LARGE).build();
  }

  @Override
  public Publisher publisher() {
    return publisher;
  }

  @Override
  public TcpProxy network() {
    return broker.network;
  }

  @Override
  public String topic() {
    return queue;
  }

  @Override
  public List<Received> received() throws JMSException {
    return broker.received(queue);
  }

  @Override
  public Optional<Outage> outage() {
    return Optional.of(
        new Outage() {
          @Override
          public void takeDown() {
            broker.server.kill();
          }

          @Override
          public void bringUp() {
            broker.server.restart();
          }
        });
  }

  @Override
  public Optional<Envelope> tooLarge() {
    return Optional.of(TestBroker.message(queue, "large", new byte[LARGE + 1]));
  }

  @Override
  public Optional<Envelope> unknownDestination() {
    return Optional.of(TestBroker.message("no.such.queue", "lost", new byte[0]));
  }

  @Override
  public Duration deadline() {
    return deadline;
  }

  @Override
  public void close() {
    broker.network.restore();
    broker.server.restart();
    publisher.close();
    factory.close();
  }
}
