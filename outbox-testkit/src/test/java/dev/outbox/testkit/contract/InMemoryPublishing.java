package dev.outbox.testkit.contract;

import dev.outbox.publish.Publisher;
import dev.outbox.testkit.BrokerFault;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.network.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiFunction;

/** A publisher to an in-memory broker that can do all that the contract asks for. */
class InMemoryPublishing implements BrokerEnvironment {
  private static final Duration TIME_OUT = Duration.ofSeconds(1);

  private final InMemoryBroker broker = InMemoryBroker.create();
  private final ExecutorService threads = Executors.newFixedThreadPool(4);
  private final TcpProxy network = TcpProxy.to("localhost", 1);
  private final Publisher publisher;
  private final Duration deadline;
  private final Duration timeOut;

  /** Its client gives up a send after {@code timeOut}. */
  InMemoryPublishing(
      Duration deadline,
      Duration timeOut,
      BiFunction<InMemoryBroker, ExecutorService, Publisher> of) {
    this.publisher = of.apply(broker, threads);
    this.deadline = deadline;
    this.timeOut = timeOut;
  }

  InMemoryPublishing(BiFunction<InMemoryBroker, ExecutorService, Publisher> of) {
    this(Duration.ofSeconds(10), TIME_OUT, of);
  }

  /** No message goes through it. */
  @Override
  public TcpProxy network() {
    return network;
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
    return Optional.of(each -> broker.when(envelope -> true, slow(each)));
  }

  private BrokerFault slow(Duration each) {
    return each.compareTo(timeOut) < 0
        ? BrokerFault.slow(each)
        : BrokerFault.slow(timeOut).and(BrokerFault.timeOut());
  }

  @Override
  public Duration deadline() {
    return deadline;
  }

  @Override
  public void close() {
    threads.shutdownNow();
    network.close();
  }
}
