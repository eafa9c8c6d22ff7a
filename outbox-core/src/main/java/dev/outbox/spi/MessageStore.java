package dev.outbox.spi;

import dev.outbox.Messages.Found;
import dev.outbox.Messages.Retrying;
import dev.outbox.message.MessageId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Single messages of a store, wherever they are.
 *
 * <p>Safe for use by many threads. Every method is one short transaction. No table has an index on
 * the message id.
 */
public interface MessageStore {
  /** Where the message waits: ready, parked or delayed. Reads all that waits. */
  List<Found> waiting(MessageId id);

  /**
   * Where the message has ended, from {@code from} until before {@code to}: as a dead letter, or in
   * the archive if the store keeps one. Reads what ended in that time.
   */
  List<Found> ended(MessageId id, Instant from, Instant to);

  /**
   * At most {@code atMost} parked messages that are tried again at a time, the next first; those of
   * {@code topic} unless it is null. Reads no payload, and of each lane no more than it returns.
   */
  List<Retrying> retrying(@Nullable String topic, int atMost);

  /**
   * Deletes a delayed message of this cluster before it is due. False when it is not delayed, or
   * not any more.
   */
  boolean cancel(MessageId id);

  /**
   * Appends the archived messages of a topic, that were completed after {@code after} and before
   * {@code to}, to the ready table, in the order of their completion: {@code atMost} of them, and
   * those that were completed in the same instant as the last. Their message ids stay, and so do
   * the archived ones. Lanes of other clusters are left out.
   */
  Portion publishAgain(String topic, Instant after, Instant to, int atMost);

  /** How many were appended, and when the last of them was completed. */
  record Portion(int messages, Instant upTo) {}
}
