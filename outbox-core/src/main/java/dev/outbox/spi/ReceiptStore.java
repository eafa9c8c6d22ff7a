package dev.outbox.spi;

import dev.outbox.StoreException;
import dev.outbox.message.MessageId;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The port to a consumer's database: what the inbox asks of it.
 *
 * <p>Safe for use by many threads. Implementations are proven by the inbox contract of outbox-tck.
 */
public interface ReceiptStore {
  /**
   * Writes, in the caller's transaction and in ascending order, a receipt for each of the ids of
   * which {@code consumer} has none; it may be purged once it is older than {@code keep}. Waits for
   * open transactions that write one of the same, and takes over what they roll back. Returns those
   * written; the others are there already. Never commits, closes or changes a setting of the
   * connection, and at READ COMMITTED never makes the transaction fail.
   *
   * @throws IllegalArgumentException when the connection is closed, read-only, or of another
   *     database product
   * @throws StoreException when the table is missing, with the remedy, or the database refuses
   */
  Set<MessageId> receive(
      Connection transaction, String consumer, List<MessageId> ids, Duration keep);

  /**
   * Deletes at most {@code atMost} receipts whose retention is over, in one short transaction.
   * Returns how many.
   */
  int purge(int atMost);
}
