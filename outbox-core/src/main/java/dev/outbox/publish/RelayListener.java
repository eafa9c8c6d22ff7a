package dev.outbox.publish;

import dev.outbox.DeadLetter;
import dev.outbox.message.Envelope;
import java.time.Duration;
import java.util.Set;

/**
 * Is told what a relay does, for metrics and alerts: once for each batch, never for each delivered
 * message. Nothing is counted or measured for {@link #SILENT}.
 *
 * <p>Called on the relay's own thread: return quickly. What a listener throws is logged and changes
 * nothing.
 *
 * <pre>{@code
 * RelayListener listener =
 *     new RelayListener() {
 *       public void publishing(String topic, int count) { metrics.add("sending", count); }
 *       public void published(Published sends) { metrics.add("" + sends.outcome(), sends.count()); }
 *       public void failed(Envelope envelope, int attempt, Duration delay, String error) { metrics.add("failed", 1); }
 *       public void settled(Settled fates) { metrics.add("delivered", fates.delivered()); }
 *       public void deadLettered(Envelope envelope, DeadLetter.Reason reason, String error) { metrics.add("dead", 1); }
 *       public void brokerDown(String topic) { metrics.add("brokers down", 1); }
 *       public void brokerBack(String topic) { metrics.add("brokers down", -1); }
 *       public void storeFailed(Throwable failure, Duration delay) { metrics.add("database failures", 1); }
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

  /** This many messages of a topic were handed to the publisher. */
  default void publishing(String topic, int count) {}

  /** The publisher is done with messages of one topic. */
  default void published(Published published) {}

  /**
   * A message failed in this attempt and is tried again after {@code delay}; {@code error} is the
   * class and the message of the exception. Failing as a probe of a broker that is down does not
   * count: {@code attempt} is then that of its last counted failure, or 0.
   */
  default void failed(Envelope envelope, int attempt, Duration delay, String error) {}

  /** The broker of a topic counts as down: its messages wait until a probe succeeds. */
  default void brokerDown(String topic) {}

  /** The broker of a topic is back. */
  default void brokerBack(String topic) {}

  /** The results of a batch were written to the database. */
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

  /** A lane was lost to another relay, so the results of its batch were not written. */
  default void fenced(int lane) {}

  /**
   * The database did not answer, or the relay met an internal error ({@code cause} is then no
   * {@link dev.outbox.StoreException}); it tries again after {@code delay}.
   */
  default void storeFailed(Throwable cause, Duration delay) {}

  /** The database answers again, after this time. */
  default void storeBack(Duration outage) {}

  /** Answers that came late, twice, or for an envelope of another flight. */
  default void ignoredAnswers(int count) {}

  /** This many messages of another cluster were taken over. */
  default void tookOver(int cluster, int count) {}

  /**
   * This cluster works again after a silence or a handover; {@code unheard} are the clusters from
   * which it did not hear in time what they took over.
   */
  default void returned(Set<Integer> unheard) {}

  /** How a publisher answered. */
  enum Outcome {
    DELIVERED,
    FAILED,
    REJECTED,
    UNAVAILABLE,
    NOT_SENT,
    /** There was no answer within the deadline. */
    UNANSWERED
  }

  /** This many messages of a topic had this outcome, {@code time} after they were handed out. */
  record Published(String topic, int count, Outcome outcome, Duration time) {}

  /**
   * How many messages of a batch were delivered, parked or made dead letters. {@code missing} rows
   * were no longer there when their results were written, which should never happen.
   */
  record Settled(int delivered, int parked, int deadLettered, int missing) {}
}
