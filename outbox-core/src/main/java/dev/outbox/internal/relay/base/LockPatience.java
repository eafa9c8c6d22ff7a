package dev.outbox.internal.relay.base;

import dev.outbox.StoreException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A step that may wait for rows which other sessions keep locked. When it has waited in vain, it is
 * left out for three times as long, so that the relay has most of its time for the rest.
 *
 * <p>Used by one thread.
 */
public final class LockPatience {
  private static final Logger log = LoggerFactory.getLogger(LockPatience.class);
  private static final Duration LEAST = Duration.ofMillis(250);
  private static final int PART = 3;

  private final DutyCycle waits = new DutyCycle(LEAST, PART);
  private final Ticker ticker;

  public LockPatience(Ticker ticker) {
    this.ticker = ticker;
  }

  /** True when the call failed because others kept its rows locked. */
  public static boolean isLocked(RuntimeException failure) {
    return failure instanceof StoreException ofStore
        && ofStore.isOfItsRows()
        && ofStore.isTransient();
  }

  /** True while the step is left out. */
  public boolean isOver(Ticker.Moment now) {
    return waits.isResting(now);
  }

  /** It waited in vain since {@code begun}. */
  public void waited(Ticker.Moment begun) {
    Ticker.Moment now = ticker.now();
    waits.ended(now, now.since(begun));
  }

  /** Takes the {@code step} unless it is left out. Says so when it waited in vain. */
  public boolean take(String relay, String what, BooleanSupplier step) {
    Ticker.Moment begun = ticker.now();
    if (isOver(begun)) {
      return false;
    }
    try {
      return step.getAsBoolean();
    } catch (StoreException e) {
      if (!isLocked(e)) {
        throw e;
      }
      waited(begun);
      log.warn(
          "relay={} could not {}, another session keeps rows locked; it tries again after {}: {}",
          relay,
          what,
          Durations.text(waits.left(ticker.now())),
          e.getMessage());
      return false;
    }
  }
}
