package dev.outbox.spi.settle;

import dev.outbox.spi.lane.HeldKey;
import java.util.Set;

/**
 * The store's answer to a settlement.
 *
 * <p>Immutable.
 */
public sealed interface SettleResult {
  /**
   * It was written. {@code freed} are the keys of which no parked message is left; {@code missing}
   * counts messages that were settled but no longer there: none, unless the settlement was
   * repeated, or the database went back to an earlier state. {@code taken} counts messages that
   * were parked under another id, because another parked one has theirs.
   */
  record Settled(Set<HeldKey> freed, int missing, int taken) implements SettleResult {
    public Settled {
      freed = Set.copyOf(freed);
    }

    /** With no id taken. */
    public Settled(Set<HeldKey> freed, int missing) {
      this(freed, missing, 0);
    }
  }

  /** Nothing was written: the lane has another owner or epoch by now. */
  record Fenced() implements SettleResult {}
}
