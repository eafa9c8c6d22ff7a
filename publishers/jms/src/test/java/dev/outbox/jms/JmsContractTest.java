package dev.outbox.jms;

import dev.outbox.testkit.contract.BrokerContract;
import dev.outbox.testkit.contract.BrokerEnvironment;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

/** The publisher on a real broker, which is killed, cut off and slow. */
@Tag("proof")
class JmsContractTest extends BrokerContract {
  @Override
  protected BrokerEnvironment open() {
    return new JmsEnvironment(Duration.ofSeconds(10));
  }
}
