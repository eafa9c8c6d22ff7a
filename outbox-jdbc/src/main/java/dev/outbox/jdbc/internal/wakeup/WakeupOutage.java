package dev.outbox.jdbc.internal.wakeup;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The absence of a connection, or of a thread: logged once when it begins and once when it ends,
 * with growing pauses between the attempts.
 *
 * <p>Used by one thread at a time.
 */
final class WakeupOutage {
  private static final Logger log = LoggerFactory.getLogger(WakeupOutage.class);
  private static final long FIRST_MILLIS = 50;
  private static final long LONGEST_MILLIS = 5000;

  private final String what;
  private long began;
  private int failures;

  /** {@code what} does not work while it lasts, as the log says it. */
  WakeupOutage(String what) {
    this.what = what;
  }

  /** Another failure: returns how long to rest before the next attempt. */
  Duration failed(Throwable cause) {
    if (failures == 0) {
      began = System.nanoTime();
      log.warn("{} failed, retrying; relays poll until it works again", what, cause);
    }
    long rest = Math.min(LONGEST_MILLIS, FIRST_MILLIS << Math.min(failures++, 10));
    return Duration.ofMillis(rest - ThreadLocalRandom.current().nextLong(rest / 4 + 1));
  }

  /** It works. */
  void over() {
    if (failures > 0) {
      Duration lasted = Duration.ofNanos(System.nanoTime() - began);
      log.info("{} works again after {} and {} failures", what, lasted, failures);
      failures = 0;
    }
  }
}
