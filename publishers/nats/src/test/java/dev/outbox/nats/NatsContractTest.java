package dev.outbox.nats;

import dev.outbox.testkit.contract.BrokerContract;
import dev.outbox.testkit.contract.BrokerEnvironment;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;

/** The publisher on a real broker, which is killed, cut off, slow and full. */
@Tag("proof")
@EnabledIf(
    value = "dev.outbox.servers.NatsServer#isInstalled",
    disabledReason = "the package nats-server is not installed")
class NatsContractTest extends BrokerContract {
  @Override
  protected BrokerEnvironment open() throws Exception {
    return new NatsEnvironment();
  }
}
