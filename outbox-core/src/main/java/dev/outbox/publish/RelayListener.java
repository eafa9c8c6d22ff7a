package dev.outbox.publish;

import dev.outbox.DeadLetter;
import dev.outbox.message.Envelope;
import java.time.Duration;
import java.util.Set;

/**
 * Hears what a relay does, for metrics and alerts: called per batch, never per delivered message.
 *
 * <p>Called on the relay's own thread: return quickly. What a listener throws is logged and changes
 * nothing.
 */
public interface RelayListener {
  /** A listener that does nothing. */
  RelayListener SILENT = new RelayListener() {};

  /** A claim's end was written. */
  default void settled(Settled settled) {}

  /** A message became a dead letter. */
  default void deadLettered(Envelope envelope, DeadLetter.Reason reason, String error) {}

  /**
   * Messages turned up below the floor of a lane: committed later than the relay's grace, where the
   * database does not tell who writes. They are published all the same, perhaps out of order.
   */
  default void foundLate(int lane, int count) {}

  /** A lane was found to belong to another relay: its batch was forgotten. */
  default void fenced(int lane) {}

  /** The database did not answer; the relay tries again after {@code rest}. */
  default void storeFailed(Throwable cause, Duration rest) {}

  /** Answers that came late, twice, or for an envelope of another flight. */
  default void ignoredAnswers(int count) {}

  /** So many messages of another cluster were taken over. */
  default void tookOver(int cluster, int count) {}

  /**
   * This cluster works again after a silence or a handover; {@code unheard} are the clusters from
   * which it did not hear in time what they took over.
   */
  default void returned(Set<Integer> unheard) {}

  /**
   * How many messages of one settle went where; {@code missing} rows were settled but no longer
   * there, an alarm.
   */
  record Settled(int delivered, int parked, int deadLettered, int missing) {}
}
