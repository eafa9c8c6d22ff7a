package dev.outbox.internal.text;

import java.time.Instant;
import java.util.Objects;

/** Instants that a timestamp column of every database can hold. */
public final class StorableInstant {
  private static final Instant EARLIEST = Instant.parse("1970-01-02T00:00:00Z");
  private static final Instant LATEST = Instant.parse("9999-12-30T00:00:00Z");

  private StorableInstant() {}

  /**
   * The instant itself.
   *
   * @throws IllegalArgumentException when a database could not hold it
   */
  public static Instant checked(String argument, Instant instant) {
    Objects.requireNonNull(instant, argument);
    if (instant.isBefore(EARLIEST) || instant.isAfter(LATEST)) {
      throw new IllegalArgumentException(
          "%s is %s, it must lie between %s and %s".formatted(argument, instant, EARLIEST, LATEST));
    }
    return instant;
  }
}
