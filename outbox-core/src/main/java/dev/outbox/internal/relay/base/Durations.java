package dev.outbox.internal.relay.base;

import java.time.Duration;
import java.util.Locale;

/** Comparisons of times, and times as people read them. */
public final class Durations {
  private Durations() {}

  public static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }

  /** Half of it; {@code dividedBy} goes by way of a BigDecimal. */
  public static Duration half(Duration time) {
    return Duration.ofNanos(time.toNanos() / 2);
  }

  /** As {@code 50 ms}, {@code 0.5 s}, {@code 12 s} or {@code 5 min}. */
  public static String text(Duration time) {
    long millis = time.toMillis();
    if (millis > 0 && millis < 100) {
      return millis + " ms";
    }
    if (millis < 10_000) {
      return String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
    }
    return time.toMinutes() < 10 ? time.toSeconds() + " s" : time.toMinutes() + " min";
  }
}
