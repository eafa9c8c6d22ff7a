package dev.outbox.store;

import java.util.List;

/**
 * The end of a claim on one lane: what becomes of its messages, the floor to store, and whether the
 * lease is renewed or given back. Without fates it is a plain renewal or release.
 *
 * <p>Immutable.
 */
public record Settlement(Lease lease, long floor, List<Fate> fates, After after) {
  public Settlement {
    fates = List.copyOf(fates);
  }

  /** What happens to the lease once the fates are written. */
  public enum After {
    /** It runs for its full length again. */
    RENEW,
    /** It ends: the lane is free at once. */
    RELEASE
  }
}
