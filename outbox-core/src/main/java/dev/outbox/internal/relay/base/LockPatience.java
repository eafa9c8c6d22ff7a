package dev.outbox.internal.relay.base;

import dev.outbox.StoreException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A step that may wait for rows which other sessions keep locked, or that the database may refuse.
 * When it was in vain, it is left out for three times as long, so that the relay has most of its
 * time for the rest. This is logged once, and once more when the step is taken: once for all
 * workers that share the step.
 *
 * <p>Used by one thread.
 */
public final class LockPatience {
  private static final Logger log = LoggerFactory.getLogger(LockPatience.class);
  private static final Duration LEAST = Duration.ofMillis(250);
  private static final int PART = 3;

  private final DutyCycle rests = new DutyCycle(LEAST, PART);
  private final LockWaits lockWaits;
  private final String relay;
  private final String what;
  private final Ticker ticker;
  private final Predicate<StoreException> tolerated;
  private final AtomicBoolean waits;

  public LockPatience(LockWaits lockWaits, String relay, String what, Ticker ticker) {
    this(lockWaits, relay, what, ticker, LockPatience::isLocked, new AtomicBoolean());
  }

  private LockPatience(
      LockWaits lockWaits,
      String relay,
      String what,
      Ticker ticker,
      Predicate<StoreException> tolerated,
      AtomicBoolean waits) {
    this.lockWaits = lockWaits;
    this.relay = relay;
    this.what = what;
    this.ticker = ticker;
    this.tolerated = tolerated;
    this.waits = waits;
  }

  /**
   * For a step that several workers take, and that is also left out when the database refuses it.
   * {@code waits} is true from a try in vain to the next that is not, of whichever worker.
   */
  public static LockPatience ofRows(
      LockWaits lockWaits, String relay, String what, Ticker ticker, AtomicBoolean waits) {
    return new LockPatience(lockWaits, relay, what, ticker, StoreException::isOfItsRows, waits);
  }

  /** True when the call failed because others kept its rows locked. */
  public static boolean isLocked(RuntimeException failure) {
    return failure instanceof StoreException ofStore
        && ofStore.isOfItsRows()
        && ofStore.isTransient();
  }

  /** Why such a call failed, in words. */
  public static String why(StoreException failure) {
    return isLocked(failure) ? "another session keeps rows locked" : "the database refuses it";
  }

  /** True from a wait in vain until the step is taken. */
  public boolean waits() {
    return waits.get();
  }

  /** How long it is still left out. */
  public Duration left() {
    return rests.left(ticker.now());
  }

  /** Takes the {@code step} unless it is left out. */
  public boolean take(BooleanSupplier step) {
    Ticker.Moment begun = ticker.now();
    if (lockWaits.hasWaited() || rests.isResting(begun)) {
      return false;
    }
    try {
      boolean busy = step.getAsBoolean();
      if (waits.getAndSet(false)) {
        log.info("relay={} goes on to {}", relay, what);
      }
      return busy;
    } catch (StoreException e) {
      if (!tolerated.test(e)) {
        throw e;
      }
      waited(begun, e);
      return false;
    }
  }

  private void waited(Ticker.Moment begun, StoreException failure) {
    Ticker.Moment now = ticker.now();
    rests.ended(now, now.surelySince(begun));
    lockWaits.waited(now.since(begun));
    if (!waits.getAndSet(true)) {
      log.warn(
          "relay={} waits to {}, {}; the rest goes on: {}",
          relay,
          what,
          why(failure),
          failure.getMessage());
    }
  }
}
