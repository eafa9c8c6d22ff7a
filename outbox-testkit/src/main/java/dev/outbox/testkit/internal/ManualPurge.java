package dev.outbox.testkit.internal;

import dev.outbox.internal.relay.ArchivePurge;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.spi.OutboxStore;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The purge of an archive by hand: to its end, whenever it is asked for.
 *
 * <p>Used by one thread.
 */
public final class ManualPurge {
  private static final Duration LONG_REST = Duration.ofSeconds(30);

  private final @Nullable ArchivePurge archivePurge;

  private ManualPurge(@Nullable ArchivePurge archivePurge) {
    this.archivePurge = archivePurge;
  }

  /** Purges nothing where {@code retention} is null. */
  public static ManualPurge of(
      OutboxStore store, String relay, @Nullable Duration retention, Ticker ticker) {
    if (retention == null) {
      return new ManualPurge(null);
    }
    if (!store.archives()) {
      throw new IllegalArgumentException(
          "archiveRetention is %s, but this store keeps no delivered messages"
              .formatted(retention));
    }
    RandomGenerator even = () -> 0;
    return new ManualPurge(new ArchivePurge(store::purgeArchive, relay, retention, ticker, even));
  }

  /** Purges until there is nothing more to purge now. */
  public void run() {
    while (archivePurge != null
        && archivePurge.step().compareTo(LONG_REST) < 0
        && archivePurge.failing() == null) {}
  }
}
