package dev.outbox.store;

import java.util.Set;

/**
 * The store's answer to a settlement.
 *
 * <p>Immutable.
 */
public sealed interface Outcome {
  /**
   * It was written. {@code freed} are the keys of which no parked message is left; {@code missing}
   * counts rows that were settled but no longer there: none, unless the settlement was repeated.
   */
  record Settled(Set<HeldKey> freed, int missing) implements Outcome {
    public Settled {
      freed = Set.copyOf(freed);
    }
  }

  /** Nothing was written: the lane has another owner or epoch by now. */
  record Fenced() implements Outcome {}
}
