package dev.outbox.nats;

import dev.outbox.testkit.contract.BrokerContract;
import dev.outbox.testkit.contract.BrokerEnvironment;
import org.junit.jupiter.api.Tag;

/** The publisher on a real broker, which is killed, cut off, slow and full. */
@Tag("proof")
class NatsContractTest extends BrokerContract {
  @Override
  protected BrokerEnvironment open() throws Exception {
    return new NatsEnvironment();
  }
}
