package dev.outbox.internal.relay.base;

import dev.outbox.StoreException;
import dev.outbox.internal.relay.record.Recording;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The database's absence, what it refused, or our own fault: each is logged once when it begins,
 * and their end once, with growing pauses between the attempts.
 *
 * <p>Used by one thread, but for {@link #lasting}.
 */
public final class StoreOutage {
  private static final Logger log = LoggerFactory.getLogger(StoreOutage.class);
  private static final Duration FIRST = Duration.ofMillis(50);
  private static final Duration LONGEST = Duration.ofSeconds(2);

  private final String relay;
  private final Ticker ticker;
  private final RandomGenerator random;
  private volatile Ticker.@Nullable Moment began;
  private int attempts;
  private boolean unavailable;
  private boolean refused;
  private boolean internalError;

  /** {@code random} spreads the attempts of several relays. */
  public StoreOutage(String relay, Ticker ticker, RandomGenerator random) {
    this.relay = relay;
    this.ticker = ticker;
    this.random = random;
  }

  /** Another failure: returns how long to rest before the next attempt. */
  public Duration failed(RuntimeException cause) {
    if (began == null) {
      began = ticker.now();
    }
    tell(cause);
    long doubled = FIRST.toMillis() << Math.min(attempts++, 6);
    long rest = Math.min(LONGEST.toMillis(), doubled);
    return Duration.ofMillis(rest - random.nextLong(rest / 4 + 1));
  }

  private void tell(RuntimeException cause) {
    if (!(cause instanceof StoreException ofStore)) {
      if (!internalError) {
        log.error("relay={} internal error, retrying", relay, cause);
      }
      internalError = true;
    } else if (ofStore.isOfItsRows()) {
      if (!refused) {
        log.warn("relay={} the database refused a call, retrying", relay, cause);
      }
      refused = true;
    } else if (!unavailable) {
      unavailable = true;
      Recording.outage(null, false);
      if (isClosed(cause)) {
        log.warn("relay={} cannot go on: {}", relay, cause.getMessage());
      } else {
        log.warn("relay={} database unavailable, retrying", relay, cause);
      }
    }
  }

  /** True when the store will not come back. */
  public static boolean isClosed(RuntimeException cause) {
    return cause instanceof StoreException ofStore && ofStore.isClosed();
  }

  /** How long it has lasted, or null while there is none. */
  @Nullable
  public Duration lasting() {
    Ticker.Moment start = began;
    return start == null ? null : ticker.now().since(start);
  }

  /** A call succeeded: returns how long the database was away, or null when it was not. */
  @Nullable
  public Duration over() {
    Duration lasted = lasting();
    if (lasted != null) {
      if (unavailable) {
        Recording.outage(null, true);
      }
      log.info(
          "relay={} {} after {}, {} failures",
          relay,
          unavailable ? "database available again" : "goes on",
          Durations.text(lasted),
          attempts);
      began = null;
      attempts = 0;
      unavailable = false;
      refused = false;
      internalError = false;
    }
    return lasted;
  }
}
