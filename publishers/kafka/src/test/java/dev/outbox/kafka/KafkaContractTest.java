package dev.outbox.kafka;

import dev.outbox.testkit.contract.BrokerContract;
import dev.outbox.testkit.contract.BrokerEnvironment;
import org.junit.jupiter.api.Tag;

/** The publisher on a real broker, which is killed, cut off and slow. */
@Tag("proof")
class KafkaContractTest extends BrokerContract {
  @Override
  protected BrokerEnvironment open() throws Exception {
    return new KafkaEnvironment();
  }
}
