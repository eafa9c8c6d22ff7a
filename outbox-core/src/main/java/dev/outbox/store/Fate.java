package dev.outbox.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of one claimed message: a closed set of three. All of them are absolute, so that
 * writing one twice is harmless.
 *
 * <p>Immutable.
 */
public sealed interface Fate {
  Stored stored();

  /** It is done: deleted, or archived where the store keeps history. */
  record Deliver(Stored stored) implements Fate {}

  /**
   * It goes to the parked table, or stays there with what is new. A null {@code rest} is a
   * follower: it falls due when it becomes the first of its key. {@code attempts} and {@code
   * history} replace what was there; {@code error} is null for a follower.
   */
  record Park(
      Stored stored,
      HoldReason reason,
      int attempts,
      @Nullable Duration rest,
      @Nullable String error,
      String history)
      implements Fate {}

  /** It becomes a dead letter. */
  record Bury(Stored stored, DeathReason reason, String error, int attempts, String history)
      implements Fate {}
}
