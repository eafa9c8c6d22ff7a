package dev.outbox.internal.relay.base;

import java.time.Duration;

/** Comparisons of times. */
public final class Durations {
  private Durations() {}

  public static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }
}
