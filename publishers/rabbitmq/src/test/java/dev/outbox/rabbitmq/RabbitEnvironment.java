package dev.outbox.rabbitmq;

import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.RabbitServer;
import dev.outbox.testkit.contract.BrokerEnvironment;
import dev.outbox.testkit.contract.Received;
import dev.outbox.testkit.network.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** A queue and their own publisher, on the broker of the JVM. */
final class RabbitEnvironment implements BrokerEnvironment {
  /** A watermark at which a node has no memory left for messages. */
  private static final String NOTHING = "0.0000001";

  private static final Destination NOWHERE = new Destination("an.exchange.that.is.not.there", "");

  private final TestBroker broker = TestBroker.get();
  private final String queue;
  private final String fullQueue;
  private final RabbitPublisher publisher;
  private boolean settled;
  private boolean withoutMemory;
  private volatile Predicate<MessageId> refused = id -> false;
  private volatile Predicate<MessageId> closing = id -> false;

  RabbitEnvironment() throws Exception {
    this.queue = broker.newQueue(Map.of());
    this.fullQueue = broker.newQueue(Map.of("x-max-length", 0, "x-overflow", "reject-publish"));
    this.publisher =
        RabbitPublisher.builder(broker.behindTheNetwork())
            .publishDeadline(deadline())
            .maxMessageSize(RabbitServer.MAX_MESSAGE_SIZE)
            .destination(this::destination)
            .build();
  }

  /** What is refused goes to a queue that takes nothing. */
  private Destination destination(Envelope envelope) {
    if (closing.test(envelope.id())) {
      return NOWHERE;
    }
    return Destination.queue(refused.test(envelope.id()) ? fullQueue : envelope.topic());
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
  public List<Received> received() throws Exception {
    return broker.messages(queue).stream().map(TestBroker::received).toList();
  }

  @Override
  public Optional<Outage> outage() {
    if (!settled) {
      broker.settle();
      settled = true;
    }
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
  public Optional<Outage> full() {
    return Optional.of(
        new Outage() {
          @Override
          public void takeDown() {
            withoutMemory = true;
            broker.server.control("set_vm_memory_high_watermark", NOTHING);
          }

          @Override
          public void bringUp() {
            restoreMemory();
          }
        });
  }

  private void restoreMemory() {
    broker.server.control("set_vm_memory_high_watermark", "0.9");
    withoutMemory = false;
  }

  @Override
  public Optional<Refusal> refusal() {
    return Optional.of(which -> refused = which);
  }

  @Override
  public Optional<Envelope> tooLarge() {
    return Optional.of(
        TestBroker.message(queue, "large", new byte[RabbitServer.MAX_MESSAGE_SIZE + 1]));
  }

  @Override
  public Optional<Envelope> unknownDestination() {
    return Optional.of(TestBroker.message("no.such.queue", "lost", new byte[0]));
  }

  @Override
  public Optional<ClosedChannel> closedChannel() {
    return Optional.of(which -> closing = which);
  }

  @Override
  public Duration deadline() {
    return Duration.ofSeconds(10);
  }

  @Override
  public void close() {
    broker.network.restore();
    broker.server.restart();
    if (withoutMemory) {
      restoreMemory();
    }
    publisher.close();
  }
}
