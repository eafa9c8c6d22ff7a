package dev.outbox.internal.relay;

import dev.outbox.store.StoreException;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes archived messages that are past their retention, in small batches, a tenth of the time at
 * most: so a relay that meets a year of them does not get in the way of the others.
 *
 * <p>Used by one thread. Relays know nothing of each other's purges; each rests for a random time
 * between two looks, and a batch that another has deleted already deletes nothing.
 */
public final class Purge {
  private static final int BATCH = 500;
  private static final int PART_OF_TIME = 10;
  private static final Duration LONGEST_REST = Duration.ofMinutes(1);
  private static final Duration SHORTEST_REST = Duration.ofMillis(10);

  private static final Logger log = LoggerFactory.getLogger(Purge.class);

  private final History history;
  private final String relay;
  private final Duration retention;
  private final Ticker ticker;
  private final RandomGenerator random;
  private boolean failing;

  /** What is purged: a store's archive. */
  @FunctionalInterface
  public interface History {
    /** Deletes at most so many that are older; returns how many. */
    int purge(Duration retention, int atMost);
  }

  /** Purges what was completed longer ago than {@code retention}. */
  public Purge(
      History history, String relay, Duration retention, Ticker ticker, RandomGenerator random) {
    this.history = history;
    this.relay = relay;
    this.retention = retention;
    this.ticker = ticker;
    this.random = random;
  }

  /** Deletes one batch; returns the rest before the next. */
  public Duration step() {
    Ticker.Moment begun = ticker.now();
    boolean more = purged() == BATCH;
    if (!more) {
      return LONGEST_REST.dividedBy(2).plusMillis(random.nextLong(LONGEST_REST.toMillis() / 2));
    }
    Duration rest = ticker.now().since(begun).multipliedBy(PART_OF_TIME - 1L);
    return rest.compareTo(SHORTEST_REST) < 0 ? SHORTEST_REST : rest;
  }

  /** A purge can wait: what the store refuses is told once and tried again at the next look. */
  private int purged() {
    try {
      int purged = history.purge(retention, BATCH);
      if (failing) {
        log.info("relay={} purges its archive again", relay);
      }
      failing = false;
      return purged;
    } catch (StoreException e) {
      if (!failing) {
        log.warn("relay={} cannot purge its archive and tries again every minute", relay, e);
      }
      failing = true;
      return 0;
    }
  }
}
