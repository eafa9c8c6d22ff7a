package dev.outbox.examples.chaos;

import dev.outbox.spi.LaneStore;
import dev.outbox.spi.OutboxStore;
import dev.outbox.testkit.internal.intercept.InterceptedStore;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** A store whose claims by lanes are wrapped; all else is the wrapped store's. */
final class NotingStore extends InterceptedStore {
  private final UnaryOperator<LaneStore> wrapping;

  NotingStore(OutboxStore store, UnaryOperator<LaneStore> wrapping) {
    super(store);
    this.wrapping = wrapping;
  }

  @Override
  public LaneStore lanes(String owner, Duration lease) {
    return wrapping.apply(super.lanes(owner, lease));
  }
}
