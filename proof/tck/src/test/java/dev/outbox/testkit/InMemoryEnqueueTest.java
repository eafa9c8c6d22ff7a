package dev.outbox.testkit;

import dev.outbox.tck.EnqueueContract;
import dev.outbox.tck.StoreEnvironment;
import dev.outbox.tck.StoreSetting;

final class InMemoryEnqueueTest extends EnqueueContract {
  @Override
  protected StoreEnvironment open(StoreSetting setting) {
    return new InMemoryEnvironment(setting);
  }
}
