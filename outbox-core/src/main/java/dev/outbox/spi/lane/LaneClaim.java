package dev.outbox.spi.lane;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A freshly leased lane with the keys that are held in it.
 *
 * <p>Immutable. {@code takeovers} counts how often the lane came from an owner whose lease had run
 * out, with no message settled since; {@code suspect} is the message that may be the reason.
 */
public record LaneClaim(Lease lease, Set<HeldKey> held, int takeovers, @Nullable Suspect suspect) {
  public LaneClaim {
    held = Set.copyOf(held);
  }
}
