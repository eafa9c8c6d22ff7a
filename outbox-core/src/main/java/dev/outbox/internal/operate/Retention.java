package dev.outbox.internal.operate;

import java.time.Duration;
import java.util.Objects;

/** How long something may be kept. */
public final class Retention {
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofDays(3650);

  private Retention() {}

  public static Duration checked(String argument, Duration retention) {
    Objects.requireNonNull(retention, argument);
    if (retention.compareTo(SHORTEST) < 0 || retention.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "%s is %s, it must be 1 second to %d days"
              .formatted(argument, retention, LONGEST.toDays()));
    }
    return retention;
  }
}
