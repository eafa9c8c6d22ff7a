package dev.outbox.publish;

import dev.outbox.DeadLetter;
import dev.outbox.message.Envelope;
import java.time.Duration;
import java.util.Set;

/**
 * Hears what a relay does, for metrics and alerts: called per batch, never per delivered message.
 * Nothing is counted or measured for {@link #SILENT}.
 *
 * <p>Called on the relay's own thread: return quickly. What a listener throws is logged and changes
 * nothing.
 *
 * <pre>{@code
 * RelayListener listener =
 *     new RelayListener() {
 *       public void publishing(String topic, int count) { metrics.add("sending", count); }
 *       public void published(Published sends) { metrics.add("" + sends.outcome(), sends.count()); }
 *       public void failed(Envelope envelope, int attempt, Duration next, String error) { metrics.add("failed", 1); }
 *       public void settled(Settled fates) { metrics.add("delivered", fates.delivered()); }
 *       public void deadLettered(Envelope envelope, DeadLetter.Reason reason, String error) { metrics.add("dead", 1); }
 *       public void brokerDown(String topic) { metrics.add("brokers down", 1); }
 *       public void brokerBack(String topic) { metrics.add("brokers down", -1); }
 *       public void storeFailed(Throwable failure, Duration rest) { metrics.add("database failures", 1); }
 *       public void storeBack(Duration outage) { metrics.add("database back", 1); }
 *       public void claimed(Set<Integer> lanes) { metrics.add("lanes claimed", lanes.size()); }
 *       public void fenced(int lane) { metrics.add("lanes fenced", 1); }
 *       public void foundLate(int lane, int messages) { metrics.add("found late", messages); }
 *       public void ignoredAnswers(int count) { metrics.add("late answers", count); }
 *       public void tookOver(int cluster, int messages) { metrics.add("taken over", messages); }
 *       public void returned(Set<Integer> unheard) { metrics.add("clusters not heard", unheard.size()); }
 *     };
 * Relay relay = Relay.builder(store, publisher).listener(listener).start();
 * }</pre>
 */
public interface RelayListener {
  /** A listener that does nothing. */
  RelayListener SILENT = new RelayListener() {};

  /** That many messages of a topic were handed to the publisher. */
  default void publishing(String topic, int count) {}

  /** The publisher is done with messages of one topic. */
  default void published(Published published) {}

  /**
   * A message failed in its attempt of this number, and is tried again after {@code rest}; {@code
   * error} is the class and the message of the exception. As a probe of a broker that is down it
   * fails without a count: {@code attempt} is then that of its last counted failure, or 0.
   */
  default void failed(Envelope envelope, int attempt, Duration rest, String error) {}

  /** The broker of a topic counts as down: its messages wait until a probe succeeds. */
  default void brokerDown(String topic) {}

  /** The broker of a topic is back. */
  default void brokerBack(String topic) {}

  /** A claim's end was written. */
  default void settled(Settled settled) {}

  /** A message became a dead letter. */
  default void deadLettered(Envelope envelope, DeadLetter.Reason reason, String error) {}

  /**
   * Messages turned up below the floor of a lane: committed later than the relay's grace, where the
   * database does not show open transactions. They are published all the same, perhaps out of
   * order.
   */
  default void foundLate(int lane, int count) {}

  /** The relay leased these lanes, in addition to those that it has. */
  default void claimed(Set<Integer> lanes) {}

  /** A lane was found to belong to another relay: its batch was forgotten. */
  default void fenced(int lane) {}

  /**
   * The database did not answer, or the relay met an internal error ({@code cause} is then no
   * {@link dev.outbox.StoreException}); it tries again after {@code rest}.
   */
  default void storeFailed(Throwable cause, Duration rest) {}

  /** The database answers again, after this time. */
  default void storeBack(Duration outage) {}

  /** Answers that came late, twice, or for an envelope of another flight. */
  default void ignoredAnswers(int count) {}

  /** That many messages of another cluster were taken over. */
  default void tookOver(int cluster, int count) {}

  /**
   * This cluster works again after a silence or a handover; {@code unheard} are the clusters from
   * which it did not hear in time what they took over.
   */
  default void returned(Set<Integer> unheard) {}

  /** What the publisher made of messages. */
  enum Outcome {
    DELIVERED,
    FAILED,
    REJECTED,
    UNAVAILABLE,
    NOT_SENT,
    /** There was no answer within the deadline. */
    UNANSWERED
  }

  /** That many messages of a topic had this outcome, {@code time} after they were handed out. */
  record Published(String topic, int count, Outcome outcome, Duration time) {}

  /**
   * How many messages of one settle went where; {@code missing} rows were settled but no longer
   * there, an alarm.
   */
  record Settled(int delivered, int parked, int deadLettered, int missing) {}
}
