package dev.outbox.testkit.contract;

import org.junit.jupiter.api.Nested;

/**
 * What a publisher must do with a real server of its broker, beyond {@link PublisherContract}: the
 * server is killed, cut off, silent, slow and full, and messages are too large, without a
 * destination, or of one key. An outage counts no attempt against a message, nothing is lost, and a
 * key keeps its order. Extend it, say how to open the publisher with an empty broker, and run it as
 * a JUnit test.
 */
public abstract class BrokerContract extends PublisherContract {
  /** For subclasses. */
  protected BrokerContract() {}

  @Override
  protected abstract BrokerEnvironment open() throws Exception;

  /** The server and the network fail while messages are on their way. */
  @Nested
  class Failing_in_mid_flight extends BrokerOutageCases {
    Failing_in_mid_flight() {
      super(BrokerContract.this::open);
    }
  }

  /** What the broker does not take, and what it takes in numbers. */
  @Nested
  class Taking extends BrokerTakingCases {
    Taking() {
      super(BrokerContract.this::open);
    }
  }
}
