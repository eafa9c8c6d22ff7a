package dev.outbox.internal.relay.lane;

import dev.outbox.spi.lane.HeldKey;
import dev.outbox.spi.settle.Fate;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The keys of a lane of which something is parked, so that later messages of them wait behind it.
 *
 * <p>Used by one thread.
 */
/*
 * Only the owner of a lane parks in it, so the keys loaded with the claim and kept here are complete. A key is added when
 * the settlement that parked it is known to be written, and leaves when the store saw no parked row of it; between the two
 * no batch is read. Reading ahead of the settlement would break this.
 */
final class HeldKeys {
  private final Set<HeldKey> held;

  HeldKeys(Collection<HeldKey> held) {
    this.held = new HashSet<>(held);
  }

  Set<HeldKey> all() {
    return Collections.unmodifiableSet(held);
  }

  /** These fates were written, and of the {@code freed} nothing is parked any more. */
  void settled(List<Fate> fates, Set<HeldKey> freed) {
    fates.forEach(this::hold);
    held.removeAll(freed);
  }

  private void hold(Fate fate) {
    HeldKey key = fate.storedEnvelope().holdable();
    boolean holds =
        fate instanceof Fate.Park || (fate instanceof Fate.Bury bury && bury.holdsKey());
    if (holds && key != null) {
      held.add(key);
    }
  }
}
