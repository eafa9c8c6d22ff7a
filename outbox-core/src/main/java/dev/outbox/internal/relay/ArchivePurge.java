package dev.outbox.internal.relay;

import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.spi.Purged;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes archived messages that are past their retention, in small batches, a tenth of the time at
 * most: so a relay that meets a year of them does not get in the way of the others.
 *
 * <p>Used by one thread, but for {@link #failing}. Relays know nothing of each other's purges; each
 * waits for a random time between two looks, and a batch that another has deleted already deletes
 * nothing.
 */
/*
 * A database keeps what was deleted in its indexes for a while, and a search from the oldest on wades through it, with
 * each batch longer. So a batch begins where the last one ended. What is committed later than that with an earlier
 * time, after a long transaction or with a clock set back, is found once an hour, when a batch begins at the start
 * again.
 */
public final class ArchivePurge {
  private static final int BATCH = 500;
  private static final int PART_OF_TIME = 10;
  private static final Duration LONGEST_REST = Duration.ofMinutes(1);
  private static final Duration SHORTEST_REST = Duration.ofMillis(10);
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);
  private static final Duration BETWEEN_STARTS = Duration.ofHours(1);
  private static final int MOST_DOUBLINGS = 6;

  private static final Logger log = LoggerFactory.getLogger(ArchivePurge.class);

  private final History history;
  private final String relay;
  private final Duration retention;
  private final Ticker ticker;
  private final RandomGenerator random;
  private Instant from = Instant.EPOCH;
  private Ticker.@Nullable Moment lastStart;
  private volatile Ticker.@Nullable Moment failedFirst;
  private int failures;

  /** What is purged: a store's archive. */
  @FunctionalInterface
  public interface History {
    /**
     * Deletes at most that many that are older, but none that were completed before {@code from}.
     */
    Purged purge(Duration retention, Instant from, int atMost);
  }

  /** Purges what was completed longer ago than {@code retention}. */
  public ArchivePurge(
      History history, String relay, Duration retention, Ticker ticker, RandomGenerator random) {
    this.history = history;
    this.relay = relay;
    this.retention = retention;
    this.ticker = ticker;
    this.random = random;
  }

  /** Deletes one batch; returns the rest before the next. A failure can wait: it is logged once. */
  public Duration step() {
    Ticker.Moment begun = ticker.now();
    if (!begun.isWithin(BETWEEN_STARTS, lastStart)) {
      from = Instant.EPOCH;
      lastStart = begun;
    }
    try {
      Purged purged = history.purge(retention, from, BATCH);
      wentWell();
      from = purged.upTo();
      return rest(purged.messages() >= BATCH, ticker.now().surelySince(begun));
    } catch (RuntimeException e) {
      return failed(e);
    }
  }

  private Duration rest(boolean more, Duration took) {
    if (!more) {
      return jittered(LONGEST_REST, 2);
    }
    Duration rest = took.multipliedBy(PART_OF_TIME - 1L);
    return rest.compareTo(SHORTEST_REST) < 0 ? SHORTEST_REST : rest;
  }

  private void wentWell() {
    if (failures > 0) {
      log.info("relay={} archive purge works again after {} failures", relay, failures);
    }
    failures = 0;
    failedFirst = null;
  }

  private Duration failed(RuntimeException failure) {
    if (failures == 0) {
      log.warn("relay={} archive purge failed, retrying", relay, failure);
      failedFirst = ticker.now();
    }
    Duration rest = AFTER_FAILURE.multipliedBy(1L << Math.min(failures++, MOST_DOUBLINGS));
    return jittered(rest.compareTo(LONGEST_REST) < 0 ? rest : LONGEST_REST, 4);
  }

  /** At most {@code longest}, and shorter than that by up to one of that many parts. */
  private Duration jittered(Duration longest, int parts) {
    Duration part = longest.dividedBy(parts);
    return longest.minus(part).plusMillis(random.nextLong(part.toMillis()));
  }

  /** It will not be called again, by its own fault. */
  void ended() {
    if (failedFirst == null) {
      failedFirst = ticker.now();
    }
  }

  /** For how long nothing could be purged, or null while it goes well. */
  public @Nullable Duration failing() {
    Ticker.Moment first = failedFirst;
    return first == null ? null : ticker.now().since(first);
  }
}
