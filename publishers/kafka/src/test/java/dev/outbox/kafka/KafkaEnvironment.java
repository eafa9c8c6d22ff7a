package dev.outbox.kafka;

import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import dev.outbox.publish.Publisher;
import dev.outbox.testkit.contract.AwkwardMessage;
import dev.outbox.testkit.contract.BrokerEnvironment;
import dev.outbox.testkit.contract.Received;
import dev.outbox.testkit.network.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A topic and their own publisher, on the broker of the JVM. */
final class KafkaEnvironment implements BrokerEnvironment {
  private static final int LARGE = 2 * 1024 * 1024;

  private final TestBroker broker = TestBroker.get();
  private final String topic;
  private final String narrow;
  private final KafkaPublisher publisher;
  private volatile Predicate<MessageId> refused = id -> false;

  KafkaEnvironment() throws Exception {
    this.topic = broker.newTopic(Map.of("max.message.bytes", String.valueOf(LARGE)));
    this.narrow = broker.newTopic(Map.of("max.message.bytes", "100"));
    this.publisher =
        KafkaPublisher.builder(
                Map.of(
                    "bootstrap.servers",
                    broker.server.behindTheNetwork(),
                    "max.request.size",
                    LARGE))
            .publishDeadline(deadline())
            .topic(this::destination)
            .build();
  }

  /** What is refused goes to a topic of the broker that takes no message of this size. */
  private String destination(Envelope envelope) {
    return refused.test(envelope.id()) ? narrow : envelope.topic();
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
    return topic;
  }

  @Override
  public List<Received> received() {
    return broker.records(topic).stream().map(TestBroker::received).toList();
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
  public Optional<Refusal> refusal() {
    return Optional.of(which -> refused = which);
  }

  @Override
  public Optional<Envelope> tooLarge() {
    return Optional.of(message(topic, "large", new byte[LARGE]));
  }

  @Override
  public Optional<Envelope> unknownDestination() {
    return Optional.of(message("no.such.topic", "lost", new byte[0]));
  }

  static Envelope message(String topic, @Nullable String key, byte[] payload) {
    return new Envelope(
        MessageId.next(),
        topic,
        key == null ? null : new Key(key),
        Map.of("tenant", "acme"),
        new Payload("application/octet-stream", payload),
        null);
  }

  /** Everything: keys and headers are bytes in Kafka. */
  @Override
  public Set<AwkwardMessage> cannotCarry() {
    return Set.of();
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
