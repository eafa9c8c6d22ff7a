package dev.outbox.sqs;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Publisher;
import dev.outbox.testkit.contract.AwkwardMessage;
import dev.outbox.testkit.contract.BrokerEnvironment;
import dev.outbox.testkit.contract.Received;
import dev.outbox.testkit.network.TcpProxy;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** A queue and their own publisher, on the server of the JVM. */
final class SqsEnvironment implements BrokerEnvironment {
  private static final int LARGE = 256 * 1024;

  private final TestQueues queues = TestQueues.get();
  private final String queue = queues.newQueue(true);
  private final Inbox inbox = new Inbox(queues.client, queue);
  private final SqsAsyncClient client = queues.behindTheNetwork();
  private final Duration deadline;
  private final SqsPublisher publisher;

  SqsEnvironment(Duration deadline) {
    this.deadline = deadline;
    this.publisher =
        SqsPublisher.builder(client).maxMessageSize(LARGE).publishDeadline(deadline).build();
  }

  @Override
  public Publisher publisher() {
    return publisher;
  }

  @Override
  public TcpProxy network() {
    return queues.network;
  }

  @Override
  public String topic() {
    return queue;
  }

  @Override
  public List<Received> received() throws IOException {
    return inbox.received();
  }

  @Override
  public Optional<Outage> outage() {
    return Optional.of(
        new Outage() {
          @Override
          public void takeDown() {
            queues.server.kill();
          }

          @Override
          public void bringUp() {
            queues.server.restart();
            queues.make(queue, true); // the server stores its queues by and by
          }
        });
  }

  @Override
  public Optional<Envelope> tooLarge() {
    return Optional.of(TestQueues.message(queue, "large", new byte[LARGE]));
  }

  @Override
  public Optional<Envelope> unknownDestination() {
    return Optional.of(TestQueues.message("no-such-queue", "lost", new byte[1]));
  }

  /** 1 MiB of bytes is more in Base64. */
  @Override
  public Set<AwkwardMessage> cannotCarry() {
    return Set.of(AwkwardMessage.LARGE_PAYLOAD);
  }

  @Override
  public Duration deadline() {
    return deadline;
  }

  @Override
  public void close() {
    queues.network.restore();
    queues.server.restart();
    publisher.close();
    client.close();
  }
}
