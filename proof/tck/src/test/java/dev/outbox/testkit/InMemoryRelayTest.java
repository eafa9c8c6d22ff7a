package dev.outbox.testkit;

import dev.outbox.tck.RelayContract;
import dev.outbox.tck.StoreEnvironment;
import dev.outbox.tck.StoreSetting;

final class InMemoryRelayTest extends RelayContract {
  @Override
  protected StoreEnvironment open(StoreSetting setting) {
    return new InMemoryEnvironment(setting);
  }
}
