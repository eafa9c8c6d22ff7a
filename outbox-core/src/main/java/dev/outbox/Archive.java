package dev.outbox;

import dev.outbox.store.OutboxStore;
import java.time.Duration;

/**
 * The door to the history: delivered messages that a store keeps instead of deleting them.
 *
 * <p>Safe for use by many threads. What stands in the archive is read by SQL, see the page on
 * tables; a relay with {@link Relay.Builder#archiveRetention} purges by itself.
 */
public final class Archive {
  private static final int BATCH = 1000;

  private final OutboxStore store;

  private Archive(OutboxStore store) {
    this.store = store;
  }

  public static Archive of(OutboxStore store) {
    return new Archive(store);
  }

  /**
   * Deletes what was completed longer ago than {@code retention}, in batches of 1,000, each a
   * transaction of its own. Returns how many; none where the store keeps no history.
   *
   * @throws IllegalArgumentException when the retention is negative
   * @throws dev.outbox.store.StoreException when the database refuses; what was deleted stays so
   */
  public long purge(Duration retention) {
    requireRetention("retention", retention);
    long purged = 0;
    int batch;
    do {
      batch = store.purgeArchive(retention, BATCH);
      purged += batch;
    } while (batch == BATCH);
    return purged;
  }

  static Duration requireRetention(String name, Duration retention) {
    if (retention.isNegative()) {
      throw new IllegalArgumentException(name + " is " + retention + ", the least is zero");
    }
    return retention;
  }
}
