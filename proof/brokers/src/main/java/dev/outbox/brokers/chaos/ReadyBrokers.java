package dev.outbox.brokers.chaos;

import dev.outbox.brokers.BrokerKind;
import dev.outbox.brokers.TestBroker;
import dev.outbox.examples.chaos.BrokerSource;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.IntUnaryOperator;

/** Those that have a ready publisher. */
public final class ReadyBrokers implements BrokerSource {
  private static BrokerKind kind(String name) {
    return BrokerKind.valueOf(name.toUpperCase(Locale.ROOT));
  }

  @Override
  public Server start(String broker, IntUnaryOperator network) throws Exception {
    return new RealServer(kind(broker).start(network));
  }

  @Override
  public Opened publisher(String broker, String address, Duration deadline) throws Exception {
    BrokerKind.OwnedPublisher owned = kind(broker).publisher(address, deadline);
    return new Opened(owned.publisher(), owned.owned());
  }

  private record RealServer(TestBroker broker) implements Server {
    @Override
    public String topic() {
      return TestBroker.TOPIC;
    }

    @Override
    public String address() {
      return broker.address();
    }

    @Override
    public void kill() {
      broker.kill();
    }

    @Override
    public void restart() {
      broker.restart();
    }

    @Override
    public List<Received> received() throws Exception {
      return broker.arrived().stream()
          .map(each -> new Received(each.id(), each.key(), each.text()))
          .toList();
    }

    @Override
    public void close() {
      broker.close();
    }
  }
}
