package dev.outbox.spi.settle;

import dev.outbox.DeadLetter.Reason;
import dev.outbox.spi.LaneStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of one claimed message: a closed set of three. All of them are absolute, so that
 * writing one twice is harmless.
 *
 * <p>Immutable.
 */
public sealed interface Fate {
  StoredEnvelope storedEnvelope();

  /** It is done: deleted, or archived where the store keeps history. */
  record Deliver(StoredEnvelope storedEnvelope) implements Fate {}

  /**
   * It goes to the parked table, or stays there with what is new. A null {@code rest} waits for
   * something else than time: a follower until it becomes the first of its key, one held with its
   * topic until {@link LaneStore#release} or until the one before it has left. {@code attempts} and
   * {@code history} replace what was there; {@code error} is null for a follower.
   */
  record Park(
      StoredEnvelope storedEnvelope,
      HoldReason reason,
      int attempts,
      @Nullable Duration rest,
      @Nullable String error,
      String history)
      implements Fate {}

  /**
   * It becomes a dead letter. One that {@code holdsKey} keeps its key held until it is replayed or
   * discarded.
   */
  record Bury(
      StoredEnvelope storedEnvelope,
      Reason reason,
      String error,
      int attempts,
      String history,
      boolean holdsKey)
      implements Fate {}
}
