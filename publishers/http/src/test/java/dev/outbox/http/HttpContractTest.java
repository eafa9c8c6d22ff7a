package dev.outbox.http;

import dev.outbox.testkit.contract.BrokerContract;
import dev.outbox.testkit.contract.BrokerEnvironment;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

/** The publisher on a real endpoint, which is killed, cut off, slow and overloaded. */
@Tag("proof")
class HttpContractTest extends BrokerContract {
  @Override
  protected BrokerEnvironment open() {
    return new HttpEnvironment(Duration.ofSeconds(10));
  }
}
