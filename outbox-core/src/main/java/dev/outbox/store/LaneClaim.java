package dev.outbox.store;

import java.util.Set;

/**
 * A freshly leased lane with the keys that are held in it.
 *
 * <p>Immutable.
 */
public record LaneClaim(Lease lease, Set<HeldKey> held) {
  public LaneClaim {
    held = Set.copyOf(held);
  }
}
