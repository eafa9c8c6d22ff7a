package dev.outbox;

import dev.outbox.spi.OutboxStore;
import dev.outbox.spi.Purged;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

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

  public static Archive create(OutboxStore store) {
    return new Archive(Objects.requireNonNull(store, "store"));
  }

  /**
   * Deletes what was completed longer ago than {@code retention}, in batches of 1,000, each a
   * transaction of its own. Returns how many; none where the store keeps no history.
   *
   * @throws IllegalArgumentException when the retention is negative
   * @throws dev.outbox.StoreException when the database refuses; what was deleted stays so
   */
  public long purge(Duration retention) {
    requireRetention("retention", retention);
    long messages = 0;
    Purged purged = new Purged(0, Instant.EPOCH);
    do {
      purged = store.purgeArchive(retention, purged.upTo(), BATCH);
      messages += purged.messages();
    } while (purged.messages() == BATCH);
    return messages;
  }

  static Duration requireRetention(String name, Duration retention) {
    if (Objects.requireNonNull(retention, name).isNegative()) {
      throw new IllegalArgumentException(name + " is " + retention + ", the least is zero");
    }
    return retention;
  }
}
