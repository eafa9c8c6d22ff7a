package dev.outbox.nats;

import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.NatsServer;
import dev.outbox.testkit.contract.BrokerEnvironment;
import dev.outbox.testkit.contract.Received;
import dev.outbox.testkit.network.TcpProxy;
import io.nats.client.api.DiscardPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** A stream and their own publisher, on the server of the JVM. */
final class NatsEnvironment implements BrokerEnvironment {
  private final TestBroker broker = TestBroker.get();
  private final String subject;
  private final String refusing;
  private final NatsPublisher publisher;
  private volatile Predicate<MessageId> refused = id -> false;

  NatsEnvironment() throws Exception {
    this.subject = broker.newSubject();
    this.refusing = broker.newSubject(stream -> stream.maximumMessageSize(1));
    this.publisher =
        NatsPublisher.builder(broker.behindTheNetwork())
            .publishDeadline(deadline())
            .maxPayload(NatsServer.MAX_PAYLOAD)
            .subject(envelope -> refused.test(envelope.id()) ? refusing : envelope.topic())
            .build();
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
    return subject;
  }

  @Override
  public List<Received> received() throws Exception {
    return broker.messages(subject).stream().map(TestBroker::received).toList();
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

  /** A stream at its limit, which refuses what is new. */
  @Override
  public Optional<Outage> full() {
    return Optional.of(
        new Outage() {
          @Override
          public void takeDown() throws Exception {
            broker.change(subject, stream -> stream.maxBytes(1).discardPolicy(DiscardPolicy.New));
          }

          @Override
          public void bringUp() throws Exception {
            broker.change(subject, stream -> stream.maxBytes(-1));
          }
        });
  }

  @Override
  public Optional<Refusal> refusal() {
    return Optional.of(which -> refused = which);
  }

  @Override
  public Optional<Envelope> tooLarge() {
    return Optional.of(TestBroker.message(subject, "large", new byte[NatsServer.MAX_PAYLOAD]));
  }

  @Override
  public Optional<Envelope> unknownDestination() {
    return Optional.of(TestBroker.message("no.such.stream", "lost", new byte[0]));
  }

  @Override
  public Duration deadline() {
    return Duration.ofSeconds(10);
  }

  @Override
  public void close() {
    broker.network.restore();
    broker.server.restart();
    publisher.close();
  }
}
