package dev.outbox.internal.relay.base;

import dev.outbox.StoreException;
import dev.outbox.internal.relay.record.Recording;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
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

  /** What was logged since a call last succeeded. */
  private final Set<Kind> told = EnumSet.noneOf(Kind.class);

  private enum Kind {
    UNAVAILABLE,
    REFUSED,
    INTERNAL;

    static Kind of(RuntimeException cause) {
      if (cause instanceof StoreException ofStore) {
        return ofStore.isOfItsRows() ? REFUSED : UNAVAILABLE;
      }
      return INTERNAL;
    }
  }

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
    Kind kind = Kind.of(cause);
    if (!told.add(kind)) {
      return;
    }
    switch (kind) {
      case INTERNAL -> log.error("relay={} internal error, retrying", relay, cause);
      case REFUSED -> log.warn("relay={} the database refused a call, retrying", relay, cause);
      case UNAVAILABLE -> {
        Recording.outage(null, false);
        if (isClosed(cause)) {
          log.warn("relay={} cannot go on: {}", relay, cause.getMessage());
        } else {
          log.warn("relay={} database unavailable, retrying", relay, cause);
        }
      }
    }
  }

  /** True when the tables are still the same: one that is missing may come back as another. */
  public static boolean isOfALivingConnection(Throwable failure) {
    return failure instanceof StoreException ofStore
        && (ofStore.isSlow() || (ofStore.isOfItsRows() && ofStore.isTransient()))
        && Stream.of(ofStore.getSuppressed()).allMatch(StoreOutage::isOfALivingConnection);
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
      boolean unavailable = told.contains(Kind.UNAVAILABLE);
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
      told.clear();
    }
    return lasted;
  }
}
