package dev.outbox.testkit;

import dev.outbox.testkit.contract.RelayContract;
import dev.outbox.testkit.contract.StoreEnvironment;
import dev.outbox.testkit.contract.StoreSetting;

final class InMemoryRelayTest extends RelayContract {
  @Override
  protected StoreEnvironment open(StoreSetting setting) {
    return new InMemoryEnvironment(setting);
  }
}
