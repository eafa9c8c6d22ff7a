package dev.outbox;

import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import dev.outbox.spi.DeadStore;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message that the relay has given up: it waits until an operator replays or discards it.
 *
 * <p>Immutable. {@code number} is its own, in the order of death; {@code history} holds the errors
 * of its attempts, oldest first; one that {@code holdsKey} is of a strict topic and keeps its key
 * held.
 *
 * <pre>{@code
 * for (DeadLetter letter : DeadLetters.create(store).page(0, 100)) {
 *   System.out.println(letter.summary());
 *   System.out.println(letter.id() + " " + letter.reason() + " " + letter.error());
 * }
 * }</pre>
 */
public record DeadLetter(
    long number,
    Envelope envelope,
    Reason reason,
    String error,
    int attempts,
    String history,
    Instant deadSince,
    boolean holdsKey) {

  /** What names it to {@link DeadStore#replay} and {@link DeadStore#discard}. */
  public Id id() {
    return new Id(number, envelope.id());
  }

  /** The same without its headers, payload and history. */
  public Summary summary() {
    return new Summary(
        id(), envelope.topic(), envelope.key(), reason, error, attempts, deadSince, holdsKey);
  }

  /**
   * A dead letter as a list shows it: without its headers, payload and history.
   *
   * <p>Immutable.
   */
  public record Summary(
      Id id,
      String topic,
      @Nullable Key key,
      Reason reason,
      String error,
      int attempts,
      Instant deadSince,
      boolean holdsKey) {}

  /**
   * The name of a dead letter: its number, and its message's id, because a database that went back
   * to an older state gives numbers again.
   *
   * <p>Immutable.
   */
  public record Id(long number, MessageId message) {}

  /** Why a message became a dead letter. */
  public enum Reason {
    /** The publisher rejected it. */
    REJECTED,
    /** The retry policy gave up. */
    EXHAUSTED,
    /** Its {@code notAfter} had passed. */
    EXPIRED,
    /** The row cannot be read as a message, as when it was written by hand with broken headers. */
    UNREADABLE,
    /** It killed the relays that published it. */
    CRASH
  }
}
