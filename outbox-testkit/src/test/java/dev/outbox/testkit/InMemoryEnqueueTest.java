package dev.outbox.testkit;

import dev.outbox.testkit.contract.EnqueueContract;
import dev.outbox.testkit.contract.StoreEnvironment;
import dev.outbox.testkit.contract.StoreSetting;

final class InMemoryEnqueueTest extends EnqueueContract {
  @Override
  protected StoreEnvironment open(StoreSetting setting) {
    return new InMemoryEnvironment(setting);
  }
}
