package dev.outbox.spi.settle;

import dev.outbox.spi.lane.Lease;
import java.util.List;

/**
 * The end of a claim on one lane: what becomes of its messages, the floor to store, and whether the
 * lease is renewed, runs on or is released. Without fates it is a plain renewal or release.
 *
 * <p>Immutable.
 */
public record Settlement(Lease lease, long floor, List<Fate> fates, After after) {
  /**
   * @throws IllegalArgumentException when a fate is of another lane, of which the lease says
   *     nothing
   */
  public Settlement {
    fates = List.copyOf(fates);
    for (Fate fate : fates) {
      if (!fate.storedEnvelope().lane().equals(lease.lane())) {
        throw new IllegalArgumentException(
            "message %d is of lane %s, its settlement of lane %s"
                .formatted(fate.storedEnvelope().id(), fate.storedEnvelope().lane(), lease.lane()));
      }
    }
  }

  /** What happens to the lease once the fates are written. */
  public enum After {
    /** It runs for its full length again. */
    RENEW,
    /**
     * It runs on: the lane is fenced as ever, but neither lease nor floor need be written. A row
     * that is written with every settle leaves dead versions faster than they can be cleaned up.
     */
    RUN_ON,
    /** It ends: the lane is free at once. */
    RELEASE
  }
}
