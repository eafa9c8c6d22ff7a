package dev.outbox.http;

import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.HttpReceiver;
import dev.outbox.testkit.contract.AwkwardMessage;
import dev.outbox.testkit.contract.BrokerEnvironment;
import dev.outbox.testkit.contract.Received;
import dev.outbox.testkit.network.TcpProxy;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** A path and their own publisher, on the endpoint of the JVM. */
final class HttpEnvironment implements BrokerEnvironment {
  /** A topic that is like the host: of an endpoint the answer names no more. */
  private static final String NOWHERE = "127.0.0.1";

  private final TestEndpoint endpoint = TestEndpoint.get();
  private final String path = TestEndpoint.newPath();
  private final Duration deadline;
  private final HttpPublisher publisher;
  private volatile Predicate<MessageId> refused = id -> false;
  private volatile Predicate<MessageId> closing = id -> false;

  HttpEnvironment(Duration deadline) {
    this.deadline = deadline;
    this.publisher =
        HttpPublisher.builder(this::destination).publishDeadline(deadline).atOnce(200).build();
  }

  private URI destination(Envelope envelope) {
    String there = envelope.topic().equals(NOWHERE) ? "/" + NOWHERE : path;
    if (closing.test(envelope.id())) {
      there = "/close";
    }
    return endpoint.behindTheNetwork(refused.test(envelope.id()) ? "/status/422" : there);
  }

  @Override
  public Publisher publisher() {
    return publisher;
  }

  @Override
  public TcpProxy network() {
    return endpoint.network;
  }

  @Override
  public List<Received> received() {
    return endpoint.received(path);
  }

  @Override
  public Optional<Outage> outage() {
    return Optional.of(
        new Outage() {
          @Override
          public void takeDown() {
            endpoint.server.kill();
          }

          @Override
          public void bringUp() {
            endpoint.server.restart();
          }
        });
  }

  @Override
  public Optional<Outage> full() {
    return Optional.of(
        new Outage() {
          @Override
          public void takeDown() {
            endpoint.server.refuseAll(true);
          }

          @Override
          public void bringUp() {
            endpoint.server.refuseAll(false);
          }
        });
  }

  @Override
  public Optional<Refusal> refusal() {
    return Optional.of(which -> refused = which);
  }

  @Override
  public Optional<ClosedChannel> closedChannel() {
    return Optional.of(which -> closing = which);
  }

  @Override
  public Optional<Envelope> tooLarge() {
    return Optional.of(TestEndpoint.message(topic(), "large", new byte[HttpReceiver.MAX_BODY + 1]));
  }

  @Override
  public Optional<Envelope> unknownDestination() {
    return Optional.of(TestEndpoint.message(NOWHERE, "lost", new byte[0]));
  }

  /** HTTP carries printable ASCII, and names of headers in any case. */
  @Override
  public Set<AwkwardMessage> cannotCarry() {
    return Set.of(
        AwkwardMessage.UNICODE_HEADER,
        AwkwardMessage.SIGNS_IN_HEADER,
        AwkwardMessage.HEADERS_ALIKE);
  }

  @Override
  public Duration deadline() {
    return deadline;
  }

  @Override
  public void close() {
    endpoint.network.restore();
    endpoint.server.restart();
    endpoint.server.refuseAll(false);
    publisher.close();
  }
}
