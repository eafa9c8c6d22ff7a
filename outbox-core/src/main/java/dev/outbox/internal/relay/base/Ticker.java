package dev.outbox.internal.relay.base;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * The relay's own clocks: a monotonic one and the wall's.
 *
 * <p>Safe for use by many threads. Neither judges a lease or a due time in the database; they only
 * tell how long ago something was sent.
 */
public interface Ticker {
  /** The present by both clocks. */
  Moment now();

  /** The clocks of the machine. */
  static Ticker system() {
    return () -> new Moment(System.nanoTime(), Instant.now());
  }

  /** Both clocks driven by one source, for tests. */
  static Ticker of(InstantSource source) {
    return () -> {
      Instant now = source.instant();
      return new Moment(Duration.between(Instant.EPOCH, now).toNanos(), now);
    };
  }

  /** One point in time by both clocks. */
  record Moment(long nanos, Instant wall) {
    private static final long CENTURIES = 9_000_000_000L; // in seconds, fits in nanoseconds

    /**
     * The time since {@code earlier}: the larger of both clocks, so that a paused or suspended
     * process notices.
     */
    public Duration since(Moment earlier) {
      Duration monotonic = surelySince(earlier);
      Duration byTheWall = Duration.between(earlier.wall, wall);
      return monotonic.compareTo(byTheWall) >= 0 ? monotonic : byTheWall;
    }

    /** True when {@code earlier} has come, and less than {@code time} has passed since. */
    public boolean isWithin(Duration time, @Nullable Moment earlier) {
      return earlier != null && Duration.ofNanos(nanosSince(earlier)).compareTo(time) < 0;
    }

    /** As {@link #since}, in nanoseconds and without an object: for what is asked often. */
    public long nanosSince(Moment earlier) {
      long seconds = wall.getEpochSecond() - earlier.wall.getEpochSecond();
      long byTheWall =
          Math.max(-CENTURIES, Math.min(CENTURIES, seconds)) * 1_000_000_000
              + wall.getNano()
              - earlier.wall.getNano();
      return Math.max(nanos - earlier.nanos, byTheWall);
    }

    /**
     * The time that has surely passed since {@code earlier}: by the monotonic clock, which cannot
     * be set. For what it is safe to wait for; a suspended machine waits longer.
     */
    public Duration surelySince(Moment earlier) {
      return Duration.ofNanos(nanos - earlier.nanos);
    }
  }
}
