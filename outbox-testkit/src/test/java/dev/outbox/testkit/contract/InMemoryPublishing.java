package dev.outbox.testkit.contract;

import dev.outbox.publish.Publisher;
import dev.outbox.testkit.BrokerFault;
import dev.outbox.testkit.InMemoryBroker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiFunction;

/** A publisher to an in-memory broker that can do all that the contract asks for. */
final class InMemoryPublishing implements PublisherEnvironment {
  private final InMemoryBroker broker = InMemoryBroker.create();
  private final ExecutorService threads = Executors.newFixedThreadPool(4);
  private final Publisher publisher;
  private final Duration deadline;

  InMemoryPublishing(Duration deadline, BiFunction<InMemoryBroker, ExecutorService, Publisher> of) {
    this.publisher = of.apply(broker, threads);
    this.deadline = deadline;
  }

  InMemoryPublishing(BiFunction<InMemoryBroker, ExecutorService, Publisher> of) {
    this(Duration.ofSeconds(10), of);
  }

  @Override
  public Publisher publisher() {
    return publisher;
  }

  @Override
  public List<Received> received() {
    return broker.messages().stream().map(arrival -> Received.of(arrival.envelope())).toList();
  }

  @Override
  public Optional<Outage> outage() {
    return Optional.of(
        new Outage() {
          @Override
          public void takeDown() {
            broker.down();
          }

          @Override
          public void bringUp() {
            broker.up();
          }
        });
  }

  @Override
  public Optional<Refusal> refusal() {
    return Optional.of(
        which -> broker.when(envelope -> which.test(envelope.id()), BrokerFault.refuse()));
  }

  @Override
  public Optional<ClosedChannel> closedChannel() {
    return Optional.of(
        which ->
            broker.when(envelope -> which.test(envelope.id()), BrokerFault.disconnectAfter(0)));
  }

  @Override
  public Optional<Slowness> slowness() {
    return Optional.of(each -> broker.when(envelope -> true, BrokerFault.slow(each)));
  }

  @Override
  public Duration deadline() {
    return deadline;
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
