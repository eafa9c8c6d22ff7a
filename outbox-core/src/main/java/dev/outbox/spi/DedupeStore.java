package dev.outbox.spi;

import dev.outbox.StoreException;
import dev.outbox.message.MessageId;
import java.sql.Connection;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;

/**
 * The keys of messages that are enqueued once.
 *
 * <p>Safe for use by many threads.
 */
public interface DedupeStore {
  /**
   * Takes the keys, in the caller's transaction and in their order, for the messages with these
   * ids: those that are free, or were taken longer ago than their retention. Waits for open
   * transactions that take one of the same, and takes over what they roll back. Returns for each
   * key the id that it belongs to now: the one given here, or that of the first message. Never
   * commits, closes or changes a setting of the connection, and at READ COMMITTED never makes the
   * transaction fail.
   *
   * @throws IllegalArgumentException when the connection is closed, read-only, or of another
   *     database product
   * @throws StoreException when the table is missing, with the remedy, or the database refuses
   */
  Map<DedupeKey, MessageId> take(
      Connection transaction, SortedMap<DedupeKey, MessageId> ids, Duration keep);

  /**
   * Deletes at most {@code atMost} keys whose retention is over, in one short transaction. Returns
   * how many.
   */
  int purge(int atMost);
}
