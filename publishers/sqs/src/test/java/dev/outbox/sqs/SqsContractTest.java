package dev.outbox.sqs;

import dev.outbox.testkit.contract.BrokerContract;
import dev.outbox.testkit.contract.BrokerEnvironment;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

/** The publisher on a FIFO queue of a real server, which is killed, cut off and slow. */
@Tag("proof")
class SqsContractTest extends BrokerContract {
  @Override
  protected BrokerEnvironment open() {
    return new SqsEnvironment(Duration.ofSeconds(12));
  }
}
